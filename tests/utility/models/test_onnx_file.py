"""ONNX files answer as the models they were made from, and read nothing that is not theirs."""

from __future__ import annotations

import sys

import numpy as np
import onnx
import pandas as pd
import pytest
from onnx import TensorProto, helper, numpy_helper
from skl2onnx import to_onnx
from skl2onnx.common.data_types import FloatTensorType
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from noisewright.errors import BadModel, InvalidParameter, MissingExtra
from noisewright.utility.models import BlackBox, feature_names, open_model
from noisewright.utility.models.onnx_proto import INSIDE, KNOWN, MOST_DEPTH, class_labels, external_files
from utility.models.trained import KINDS, TASKS, rows, targets, trained

ROWS = rows()


def answers(path, table=ROWS, **settings):
    box = BlackBox(open_model(path, **settings), batch=128)
    codes = box.ask(table, np.arange(1, len(table) + 1), learn=True)
    return [box.classes[code] for code in codes]


def written(folder, model):
    path = folder / "model.onnx"
    path.write_bytes(model.SerializeToString())
    return path


def graph(nodes, inputs, outputs, constants=()):
    made = helper.make_model(
        helper.make_graph(nodes, "g", inputs, outputs, list(constants)),
        opset_imports=[helper.make_opsetid("", 17)],
    )
    made.ir_version = 8
    return made


def tensor(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def linear(weights, *, rows_at_once="N", kind=TensorProto.FLOAT, activation="Identity"):
    """A model with one output of scores: activation(X · weights)."""
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    constant = numpy_helper.from_array(np.asarray(weights, dtype), "W")
    return graph(
        [helper.make_node("MatMul", ["X", "W"], ["S"]), helper.make_node(activation, ["S"], ["Y"])],
        [tensor("X", [rows_at_once, len(weights)], kind)],
        [tensor("Y", [rows_at_once, len(weights[0])], kind)],
        [constant],
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("maps", [True, False])
def test_a_converted_model_answers_as_the_original(tmp_path, kind, task, maps):
    model = trained(kind, task)
    made = to_onnx(model, ROWS[:1].astype(np.float32), options={id(model): {"zipmap": maps}})
    path = written(tmp_path, made)
    assert answers(path) == model.predict(ROWS).tolist()
    opened = open_model(path)
    assert opened.features == 3
    told = maps or kind != "network"  # a converted network tells its classes only with its maps
    assert opened.classes == (tuple(model.classes_.tolist()) if told else None)
    assert opened.name == "ONNX model model.onnx"


def test_only_maps_are_enough(tmp_path):
    made = to_onnx(trained("network", "texts"), ROWS[:1].astype(np.float32))
    del made.graph.output[0]
    path = written(tmp_path, made)
    assert answers(path) == trained("network", "texts").predict(ROWS).tolist()
    assert open_model(path).classes == ("no", "yes")


def test_an_output_is_chosen_by_name(tmp_path):
    model = trained("linear", "three")
    made = to_onnx(model, ROWS[:1].astype(np.float32), options={id(model): {"zipmap": False}})
    path = written(tmp_path, made)
    assert answers(path, output="probabilities", classes=(0, 10, 20)) == model.predict(ROWS).tolist()
    assert set(answers(path, output="probabilities")) == {0, 1, 2}
    with pytest.raises(InvalidParameter, match="no output named 'odds'"):
        open_model(path, output="odds")


def test_named_columns_are_inputs_of_their_own(tmp_path):
    names = ["age", "bmi", "glucose"]
    frame = pd.DataFrame(ROWS, columns=names)
    steps = ColumnTransformer([("scale", StandardScaler(), names)])
    model = make_pipeline(steps, LogisticRegression()).fit(frame, targets("numbers"))
    made = to_onnx(model, initial_types=[(name, FloatTensorType([None, 1])) for name in names])
    path = written(tmp_path, made)
    assert feature_names(open_model(path)) == tuple(names)
    assert open_model(path).features == 3
    assert answers(path) == model.predict(frame).tolist()


@pytest.mark.parametrize("kind", [TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16])
def test_rows_are_cast_to_the_type_of_the_input(tmp_path, kind):
    path = written(tmp_path, linear([[1.0, 0.0], [0.0, 1.0]], kind=kind))
    assert answers(path, np.array([[1.0, 2.0], [3.0, 2.0]])) == [1, 0]
    assert open_model(path).classes == (0, 1)


@pytest.mark.parametrize("size", [1, 7, 64])
def test_a_fixed_batch_is_filled_up(tmp_path, size):
    path = written(tmp_path, linear([[1.0, -1.0]], rows_at_once=size))
    table = np.linspace(-1, 1, 20)[:, None]
    assert answers(path, table) == (table[:, 0] < 0).astype(int).tolist()


def test_one_column_is_the_probability_of_the_second_class(tmp_path):
    path = written(tmp_path, linear([[1.0]], activation="Sigmoid"))
    table = np.array([[-3.0], [0.0], [1e-3], [50.0]])
    assert answers(path, table) == [0, 0, 1, 1]
    assert answers(path, table, classes=("no", "yes")) == ["no", "no", "yes", "yes"]


def test_one_column_that_is_no_probability_is_refused(tmp_path):
    path = written(tmp_path, linear([[1.0]]))
    with pytest.raises(BadModel, match=r"not a probability.*asked about records 1 to 2"):
        answers(path, np.array([[-3.0], [2.0]]))


def test_scores_that_are_not_numbers_are_refused_by_record(tmp_path):
    path = written(tmp_path, linear([[1.0, 2.0]], activation="Log"))
    with pytest.raises(BadModel, match=r"record 2 is missing .NaN"):
        answers(path, np.array([[1.0], [-1.0]]))


def test_classes_must_fit_the_scores(tmp_path):
    path = written(tmp_path, linear([[1.0, 2.0]]))
    with pytest.raises(BadModel, match="2 scores a row, but 3 classes are given"):
        answers(path, classes=("a", "b", "c"), table=np.ones((1, 1)))


def test_images_are_rows_in_another_shape(tmp_path):
    model = graph(
        [
            helper.make_node("Flatten", ["X"], ["F"]),
            helper.make_node("ArgMax", ["F"], ["Y"], axis=1, keepdims=1),
        ],
        [tensor("X", ["N", 1, 2, 2])],
        [tensor("Y", ["N", 1], TensorProto.INT64)],
    )
    path = written(tmp_path, model)
    assert open_model(path).features == 4
    assert answers(path, np.eye(4)[[2, 0, 3]]) == [2, 0, 3]


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ([tensor("X", ["N", 2], TensorProto.INT64)], r"is a tensor\(int64\)"),
        ([tensor("X", ["N", 2], TensorProto.STRING)], r"is a tensor\(string\)"),
        ([tensor("X", [2])], "without a batch dimension"),
        ([tensor("X", ["N", "A", "B"])], "does not fix the shape of a row"),
        ([tensor("X", ["N", 1]), tensor("Z", ["N", "D"])], "known width"),
        ([tensor("X", [3, 1]), tensor("Z", [4, 1])], "different numbers of rows"),
    ],
)
def test_inputs_that_are_no_table_are_refused(tmp_path, inputs, words):
    nodes = [helper.make_node("Shape", [one.name], [f"Y{one.name}"]) for one in inputs]
    outputs = [tensor(f"Y{one.name}", ["K"], TensorProto.INT64) for one in inputs]
    with pytest.raises(BadModel, match=words):
        open_model(written(tmp_path, graph(nodes, inputs, outputs)))


def test_a_model_without_labels_or_scores_is_refused(tmp_path):
    nodes = [helper.make_node("SequenceConstruct", ["X"], ["Y"])]
    output = helper.make_tensor_sequence_value_info("Y", TensorProto.FLOAT, None)
    with pytest.raises(BadModel, match="no output of labels or scores"):
        open_model(written(tmp_path, graph(nodes, [tensor("X", ["N", 2])], [output])))


@pytest.mark.parametrize("content", [b"", b"no model at all", b"\x08\x08" * 50, b"\xff" * 100])
def test_what_is_no_model_is_refused(tmp_path, content, capfd):
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    with pytest.raises(BadModel, match=r"model\.onnx|damaged"):
        open_model(path)
    assert capfd.readouterr().err == ""


def test_a_model_cut_short_is_refused(tmp_path):
    path = written(tmp_path, linear([[1.0, 2.0]]))
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(BadModel, match="damaged"):
        open_model(path)


def test_a_failure_inside_the_model_is_told_by_its_type_alone(tmp_path, capfd):
    model = linear([[1.0, 2.0]])
    model.graph.input[0].type.tensor_type.shape.dim[1].dim_param = "D"
    path = written(tmp_path, model)
    assert open_model(path).features is None
    with pytest.raises(BadModel, match=r"raised \w+ when asked about record 1$"):
        answers(path, np.ones((1, 3)))
    assert capfd.readouterr().err == ""


def test_operations_of_strangers_are_refused(tmp_path):
    model = linear([[1.0, 2.0]])
    model.graph.node[1].op_type, model.graph.node[1].domain = "RunAnything", "strangers"
    model.opset_import.append(helper.make_opsetid("strangers", 1))
    with pytest.raises(BadModel, match="cannot open"):
        open_model(written(tmp_path, model))


def test_a_file_that_is_too_large_is_not_opened(tmp_path, monkeypatch):
    path = written(tmp_path, linear([[1.0, 2.0]]))
    monkeypatch.setattr("noisewright.utility.models.onnx_file.MOST_BYTES", 10)
    with pytest.raises(BadModel, match="larger than"):
        open_model(path)


def test_without_onnxruntime_the_extra_is_named(tmp_path, monkeypatch):
    path = written(tmp_path, linear([[1.0, 2.0]]))
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtra, match=r"pip install .*\[models\]"):
        open_model(path)


def with_data_in(location):
    """A linear model whose weights lie in another file."""
    model = linear([[1.0, 2.0]])
    weights = model.graph.initializer[0]
    weights.ClearField("raw_data")
    weights.data_location = TensorProto.EXTERNAL
    weights.external_data.add(key="location", value=str(location))
    return model


def test_data_beside_the_model_is_read(tmp_path):
    (tmp_path / "weights.bin").write_bytes(np.array([[2.0, 1.0]], np.float32).tobytes())
    path = written(tmp_path, with_data_in("weights.bin"))
    assert answers(path, np.array([[1.0], [-1.0]])) == [0, 1]


@pytest.mark.parametrize("way", ["up", "absolute", "link", "absent", "memory", "nothing"])
def test_data_elsewhere_is_not_read(tmp_path, way, monkeypatch):
    folder = tmp_path / "models"
    (folder / "*" / "_ORT_MEM_ADDR_").mkdir(parents=True)
    (folder / "*" / "_ORT_MEM_ADDR_" / "*").write_bytes(bytes(8))  # a file of this name changes nothing
    outside = tmp_path / "outside.bin"
    outside.write_bytes(bytes(8))
    (folder / "link.bin").symlink_to(outside)
    location = {
        "up": "../outside.bin",
        "absolute": outside,
        "link": "link.bin",
        "absent": "absent.bin",
        "memory": "*/_ORT_MEM_ADDR_/*",
        "nothing": "a\0b",
    }[way]
    path = written(folder, with_data_in(location))
    monkeypatch.setattr("onnxruntime.InferenceSession", None)  # it must not come to that
    with pytest.raises(BadModel, match="not in its own folder"):
        open_model(path)


def test_external_data_is_found_wherever_tensors_may_lie():
    def elsewhere(name):
        made = TensorProto(name=name, data_type=1, dims=[1], data_location=TensorProto.EXTERNAL)
        made.external_data.add(key="length", value="4")
        made.external_data.add(key="location", value=name)
        return made

    sparse = onnx.SparseTensorProto(values=elsewhere("g"), indices=elsewhere("h"), dims=[3])
    inner = helper.make_graph([], "inner", [], [], [elsewhere("a")])
    node = helper.make_node("If", ["c"], ["d"], then_branch=inner, value=elsewhere("b"))
    node.attribute.append(onnx.AttributeProto(name="many", tensors=[elsewhere("c")], graphs=[inner]))
    node.attribute.append(onnx.AttributeProto(name="sparse", sparse_tensor=sparse))
    model = graph([node], [], [], [elsewhere("d")])
    model.functions.append(
        onnx.FunctionProto(name="f", node=[helper.make_node("C", [], [], value=elsewhere("e"))])
    )
    model.training_info.append(
        onnx.TrainingInfoProto(algorithm=helper.make_graph([], "t", [], [], [elsewhere("f")]))
    )
    assert external_files(memoryview(model.SerializeToString())) == set("abcdefgh")


def test_the_field_numbers_are_those_of_onnx():
    """Every field that leads to a tensor is followed, and of a tensor the entries that name its file."""
    for kind, inside in INSIDE.items():
        described = getattr(onnx, kind).DESCRIPTOR.fields
        there = {one.number: one.message_type.name for one in described if one.message_type is not None}
        leading = {number: name for number, name in there.items() if name in INSIDE}
        entries = {number for number, name in leading.items() if name == "StringStringEntryProto"}
        kept = {13} if kind == "TensorProto" else set()
        assert inside == {number: name for number, name in leading.items() if number not in entries - kept}
    assert onnx.TensorProto.DESCRIPTOR.fields_by_number[13].name == "external_data"


def test_the_wire_types_are_those_of_onnx():
    """What onnx.proto has is read, and nothing else: a number field also as a packed list."""
    descriptor = onnx.TensorProto.DESCRIPTOR.fields[0]
    wires = {descriptor.TYPE_FLOAT: 5, descriptor.TYPE_DOUBLE: 1}
    as_bytes = {descriptor.TYPE_STRING, descriptor.TYPE_BYTES, descriptor.TYPE_MESSAGE}
    repeated = {
        "dims",
        "floats",
        "ints",
        "float_data",
        "int32_data",
        "int64_data",
        "double_data",
        "uint64_data",
    }
    for kind, known in KNOWN.items():
        wanted = set()
        for one in getattr(onnx, kind).DESCRIPTOR.fields:
            wanted.add(one.number << 3 | (2 if one.type in as_bytes else wires.get(one.type, 0)))
            if one.name in repeated:
                wanted.add(one.number << 3 | 2)
        assert known == wanted, kind


def test_graphs_nested_without_end_are_refused():
    deep = b""
    for _ in range(MOST_DEPTH):
        for number in (6, 5, 1):  # the graph of an attribute of a node of a graph
            deep = bytes([number << 3 | 2]) + _length(deep) + deep
    model = bytes([7 << 3 | 2]) + _length(deep) + deep
    with pytest.raises(BadModel, match="nests"):
        external_files(memoryview(model))


def _length(data):
    size, out = len(data), bytearray()
    while size > 127:
        out.append(size & 127 | 128)
        size >>= 7
    return bytes([*out, size])


def test_negative_classes_are_read():
    node = helper.make_node(
        "LinearClassifier", ["X"], ["L", "P"], classlabels_ints=[-1, 1], coefficients=[1.0]
    )
    cast = helper.make_node("Cast", ["L"], ["label"], to=TensorProto.INT64)
    model = memoryview(graph([node, cast], [], []).SerializeToString())
    assert class_labels(model, ["label"]) == (-1, 1)
    assert class_labels(model, ["elsewhere"]) is None
