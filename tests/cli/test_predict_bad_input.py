"""Whatever is wrong with a prediction's input: exit code 2, one sentence, no file, and nobody's values in it."""

import joblib
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.linear_model import LogisticRegression

from noisewright.cli.main import main

PEOPLE = "age,bmi,sex,ill\n41.25,22.5,F,0\n63.75,31.5,M,1\n29.125,27.5,F,0\n71.625,35.5,M,1\n"
SECRETS = ("41.25", "63.75", "29.125", "71.625", "22.5", "31.5", "666.125", "secret")
USUAL = ["--sensitive", "age=0:100", "--ignore", "sex", "--ignore", "ill"]


@pytest.fixture(scope="module")
def model():
    rows = np.array([[41.25, 22.5], [63.75, 31.5], [29.125, 27.5], [71.625, 35.5]])
    return LogisticRegression().fit(rows, [0, 1, 0, 1])


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, model):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_text(PEOPLE)
    joblib.dump(model, tmp_path / "model.joblib")
    return tmp_path


def refused(capsys, folder, *arguments):
    """Run the verb, which must refuse; its sentence."""
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    code = main(["predict", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert (code, out) == (2, ""), err
    assert len(err.splitlines()) == 1, err
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
    for secret in SECRETS:
        assert secret not in err
    return err


OPTIONS = {
    "no sensitive feature": (["--ignore", "sex"], "name at least one feature that is randomized"),
    "no interval": ([*USUAL, "--sensitive", "bmi"], "--sensitive wants NAME=LOW:HIGH"),
    "one end": ([*USUAL, "--sensitive", "bmi=10"], "--sensitive wants NAME=LOW:HIGH"),
    "words for ends": ([*USUAL, "--sensitive", "bmi=low:high"], "--sensitive wants NAME=LOW:HIGH"),
    "ends reversed": ([*USUAL, "--sensitive", "bmi=60:10"], "--sensitive: column 'bmi'"),
    "ends equal": ([*USUAL, "--sensitive", "bmi=10:10"], "--sensitive: column 'bmi'"),
    "end infinite": ([*USUAL, "--sensitive", "bmi=0:inf"], "--sensitive: column 'bmi'"),
    "whole ends reversed": ([*USUAL, "--integers", "bmi=60:10"], "--integers: column 'bmi'"),
    "named twice": ([*USUAL, "--sensitive", "age=0:120"], "named twice by --sensitive"),
    "unknown column": ([*USUAL, "--sensitive", "bmy=10:60"], "--sensitive: data.csv has no column 'bmy'; did you mean 'bmi'?"),
    "sensitive and ignored": ([*USUAL, "--ignore", "age"], "both --sensitive and --ignore"),
    "epsilon zero": ([*USUAL, "--epsilon", "0"], "epsilon must be a number above 0"),
    "epsilon negative": ([*USUAL, "--epsilon=-1"], "epsilon must be a number above 0"),
    "epsilon nan": ([*USUAL, "--epsilon", "nan"], "epsilon must be a number above 0"),
    "epsilon huge": ([*USUAL, "--epsilon", "0.5:99"], "epsilon must be a number above 0"),
    "epsilon a word": ([*USUAL, "--epsilon", "small"], "--epsilon wants"),
    "range reversed": ([*USUAL, "--epsilon", "8:0.5"], "from a smaller to a larger number"),
    "range of three": ([*USUAL, "--epsilon", "1:2:3"], "--epsilon wants"),
    "epsilon twice": ([*USUAL, "--epsilon", "1", "--epsilon", "2"], "--epsilon is given twice"),
    "per person": ([*USUAL, "--per", "person"], "--per must be feature or record"),
    "unknown mechanism": ([*USUAL, "--mechanism", "ogmp"], "did you mean OGPM?"),
    "mechanism twice": ([*USUAL, "--mechanism", "OGPM,ogpm"], "names OGPM twice"),
    "mechanism of circles": ([*USUAL, "--mechanism", "CircularOGPM"], "--mechanism CircularOGPM is not for intervals"),
    "mechanism for labels": ([*USUAL, "--mechanism", "OUE"], "--mechanism OUE is a mechanism for labels; here it must be for numbers"),
    "idle delta": ([*USUAL, "--delta", "1e-6"], "no mechanism here takes one"),
    "delta of one": ([*USUAL, "--mechanism", "Gaussian", "--delta", "1"], "delta must be"),
    "target above one": ([*USUAL, "--target", "1.5"], "--target must be between 0 and 1"),
    "target zero": ([*USUAL, "--target", "0"], "--target must be between 0 and 1"),
    "target nan": ([*USUAL, "--target", "nan"], "--target must be between 0 and 1"),
    "target a word": ([*USUAL, "--target", "most"], "--target"),
    "confidence one": ([*USUAL, "--confidence", "1"], "--confidence must be at least 0.5 and below 1"),
    "confidence low": ([*USUAL, "--confidence", "0.2"], "--confidence must be at least 0.5 and below 1"),
    "confidence nan": ([*USUAL, "--confidence", "nan"], "--confidence must be at least 0.5 and below 1"),
    "no queries": ([*USUAL, "--queries", "0"], "--queries must be a whole number of 1 or more"),
    "width zero": ([*USUAL, "--width", "0"], "--width must be between 0 and 1"),
    "width one": ([*USUAL, "--width", "1"], "--width must be between 0 and 1"),
    "budget zero": ([*USUAL, "--budget", "0"], "--budget must be a whole number of 1 or more"),
    "budget too small": ([*USUAL, "--budget", "3"], "would exceed --budget 3"),
    "one point": ([*USUAL, "--points", "1"], "points must be a whole number from 2"),
    "timeout zero": ([*USUAL, "--timeout", "0"], "--timeout must be"),
    "batch zero": ([*USUAL, "--batch", "0"], "--batch must be"),
    "classes empty": ([*USUAL, "--classes", "a,,b"], "--classes wants names"),
    "classes of another model": ([*USUAL, "--classes", "a,b"], "--classes lists 2 labels, which are not the 2"),
    "feature missing": ([*USUAL, "--features", "age,weight"], "--features: data.csv has no column 'weight'"),
    "feature empty": ([*USUAL, "--features", "age,,bmi"], "--features wants names"),
    "features too few": ([*USUAL, "--features", "age"], "takes 2 features, but would get 1 column"),
    "features too many": (["--sensitive", "age=0:100", "--ignore", "sex"], "takes 2 features, but would get 3 columns"),
    "sensitive not a feature": (["--sensitive", "age=0:100", "--features", "bmi,ill"], "not among the features"),
    "text as a feature": (["--sensitive", "age=0:100", "--features", "age,sex"], "sex in data row 1 is not a number"),
    "answers missing": ([*USUAL, "--answers", "sick"], "--answers: data.csv has no column 'sick'"),
    "answers are a group": ([*USUAL, "--answers", "ill", "--group", "ill"], "both --answers and --group"),
    "group missing": ([*USUAL, "--group", "gender"], "--group: data.csv has no column 'gender'"),
    "group twice": ([*USUAL, "--group", "sex", "--group", "sex"], "named twice by --group"),
    "ignored missing": ([*USUAL, "--ignore", "name"], "--ignore: data.csv has no column 'name'"),
    "record zero": ([*USUAL, "--record", "0"], "--record must be from 1 to 4"),
    "record too large": ([*USUAL, "--record", "5"], "--record must be from 1 to 4"),
    "record twice": ([*USUAL, "--record", "2", "--record", "2"], "names record 2 twice"),
    "no records": ([*USUAL, "--records", "0"], "--records must be 1 or more"),
    "records both ways": ([*USUAL, "--record", "1", "--records", "2"], "give only one of them"),
    "value outside": (["--sensitive", "age=0:50", *USUAL[2:]], "record 2: age lies above"),
    "html no page": ([*USUAL, "--html", "page.pdf"], "must end in"),
    "html folder missing": ([*USUAL, "--html", "nowhere/page.html"], "does not exist"),
    "seed a word": ([*USUAL, "--seed", "word"], "--seed"),
    "seed negative": ([*USUAL, "--seed=-1"], "--seed must be a whole number of 0 or more"),
}  # fmt: skip


@pytest.mark.parametrize("name", OPTIONS)
def test_options_without_a_meaning(capsys, folder, name):
    options, said = OPTIONS[name]
    assert said in refused(capsys, folder, "model.joblib", "data.csv", "--trust", *options)


@pytest.mark.parametrize(
    "option", [("--confidence", "0.2"), ("--width", "1"), ("--target", "2"), ("--budget", "0")]
)
def test_options_are_read_before_files(capsys, folder, option):
    assert option[0] in refused(capsys, folder, "absent.joblib", "absent.csv", *USUAL, *option)


FILES = {
    "empty": ("", "no bytes"),
    "header only": ("age,bmi,sex,ill\n", "no r"),
    "no header": ("41.25,22.5,F,0\n63.75,31.5,M,1\n", "is the header line missing?"),
    "semicolons": ("age;bmi;sex;ill\n41.25;22.5;F;0\n", "semicolons"),
    "short row": (PEOPLE + "50,30\n", "data row 5"),
    "text": (PEOPLE + "secret,30,F,0\n", "age in data row 5 is not a number"),
    "empty cell": (PEOPLE + "50,,F,0\n", "record 5: bmi is missing"),
    "nan": (PEOPLE + "nan,30,F,0\n", "record 5: age is missing"),
    "infinite": (PEOPLE + "50,inf,F,0\n", "record 5: bmi is missing or infinite"),
    "outside": (PEOPLE + "666.125,30,F,0\n", "record 5: age lies above --sensitive age=0:100"),
    "below": (PEOPLE + "-666.125,30,F,0\n", "record 5: age lies below --sensitive age=0:100"),
    "two columns of a name": ("age,age,bmi,sex,ill\n41.25,41.25,22.5,F,0\n", "2 columns named 'age'"),
}


@pytest.mark.parametrize("name", FILES)
def test_bad_tables(capsys, folder, name):
    text, said = FILES[name]
    (folder / "bad.csv").write_text(text)
    assert said in refused(capsys, folder, "model.joblib", "bad.csv", "--trust", *USUAL)


@pytest.mark.parametrize("column", ["sex", "ill"])
def test_missing_labels(capsys, folder, column):
    cells = {"sex": "", "ill": 0} if column == "sex" else {"sex": "F", "ill": ""}
    (folder / "bad.csv").write_text(f"{PEOPLE}50,30,{cells['sex']},{cells['ill']}\n")
    options = ["--sensitive", "age=0:100", "--features", "age,bmi", "--answers", "ill", "--group", "sex"]
    assert f"record 5: {column} is missing" in refused(
        capsys, folder, "model.joblib", "bad.csv", "--trust", *options
    )


def test_bad_parquet(capsys, folder):
    table = {"age": [41.25, None], "bmi": [22.5, 31.5], "sex": ["F", "M"], "ill": [0, 1]}
    pq.write_table(pa.table(table), folder / "missing.parquet")
    pq.write_table(pa.table(table | {"age": ["41.25", "secret"]}), folder / "text.parquet")
    (folder / "broken.parquet").write_bytes(b"PAR1 and nothing more")
    for file, said in (
        ("missing", "record 2: age is missing"),
        ("text", "age holds string values where numbers are needed"),
        ("broken", "truncated"),
    ):
        assert said in refused(capsys, folder, "model.joblib", f"{file}.parquet", "--trust", *USUAL)


def test_files_that_are_not_there(capsys, folder):
    assert "no such file" in refused(capsys, folder, "model.joblib", "absent.csv", "--trust", *USUAL)
    assert "absent.joblib" in refused(capsys, folder, "absent.joblib", "data.csv", "--trust", *USUAL)
    assert "absent.onnx" in refused(capsys, folder, "absent.onnx", "data.csv", *USUAL)
    assert "must end in" in refused(capsys, folder, "model.joblib", "data.txt", "--trust", *USUAL)
    assert "does not look like a model" in refused(capsys, folder, "data.csv", "data.csv", *USUAL)


def test_models_that_run_code_need_trust(capsys, folder):
    (folder / "code.py").write_text("open('ran', 'w').close()\nmodel = print\n")
    for model in ("model.joblib", "code:model"):
        err = refused(capsys, folder, model, "data.csv", *USUAL)
        assert "runs code when it is opened" in err
        assert "--trust" in err
    assert not (folder / "ran").exists()


MODELS = {
    "raises": ("raise RuntimeError('secret 41.25')", "the model raised RuntimeError when asked about record 1"),
    "nan": ("return np.where(rows[:, 0] > 70, np.nan, 1.0)", "record 4 is missing (NaN)"),
    "wrong shape": ("return np.zeros((len(rows), 3), int)", "wrong shape"),
    "too few": ("return np.zeros(2, int)", "wrong shape"),
    "hangs": ("import time; time.sleep(3); return rows[:, 0] > 50", "did not answer within 0.2 seconds"),
    "changes": ("return np.random.default_rng().integers(0, 10**9, len(rows)).astype(int)", "two answers for record"),
    "new label": ("return np.where((rows[:, 0] * 4) % 1 == 0, 0, 7) if len(rows) > 4 else rows[:, 0] * 0",
                  "not one of its 2 known classes; declare all classes with --classes"),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_models_that_do_not_answer_as_they_should(capsys, folder, name):
    body, said = MODELS[name]
    module = f"model_{name.replace(' ', '_')}"
    (folder / f"{module}.py").write_text(f"import numpy as np\n\ndef model(rows):\n    {body}\n")
    options = ["--trust", "--timeout", "0.2", "--queries", "2000", "--epsilon", "1", "--mechanism", "OGPM"]
    options += (
        ["--classes", "0,1"] if name == "new label" else []
    )  # without a list, a function may answer any
    (folder / "__pycache__").mkdir(exist_ok=True)
    assert said in refused(capsys, folder, f"{module}:model", "data.csv", *options, *USUAL)


def test_an_endpoint_that_is_not_there_or_not_private(capsys, folder, monkeypatch):
    assert "http" in refused(capsys, folder, "http://example.org/score", "data.csv", *USUAL)
    monkeypatch.delenv("NO_SUCH_TOKEN", raising=False)
    options = [*USUAL, "--token-env", "NO_SUCH_TOKEN"]
    assert "NO_SUCH_TOKEN" in refused(capsys, folder, "https://example.org/score", "data.csv", *options)
    assert "--trust" in refused(capsys, folder, "https://example.org/score", "data.csv", *USUAL)


def test_too_many_numbers_are_refused_before_any_work(capsys, folder, monkeypatch):
    monkeypatch.setattr("noisewright.utility.request.MOST_NUMBERS", 1000)
    err = refused(capsys, folder, "model.joblib", "data.csv", "--trust", *USUAL)
    assert "4 records × 6 mechanisms × 64 epsilons" in err
    assert "--records 2" in err


def test_groups_by_a_sensitive_feature_would_show_its_values(capsys, folder):
    options = [*USUAL, "--group", USUAL[1].partition("=")[0]]
    assert "cannot be both --sensitive and --group" in refused(
        capsys, folder, "model.onnx", "data.csv", *options
    )


def test_columns_in_another_order_than_the_models_are_refused(capsys, folder):
    import joblib
    import pandas as pd
    from sklearn.tree import DecisionTreeClassifier

    frame = pd.read_csv(folder / "data.csv").drop(columns=["sex", "ill"])
    model = DecisionTreeClassifier().fit(frame, frame.iloc[:, 0] > frame.iloc[:, 0].median())
    joblib.dump(model, folder / "named.joblib")
    options = [*USUAL, "--trust", "--features", ",".join(frame.columns[::-1])]
    assert "order of the model" in refused(capsys, folder, "named.joblib", "data.csv", *options)
