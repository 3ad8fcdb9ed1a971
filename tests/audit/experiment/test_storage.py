"""Outputs on disk: a second question costs nothing, other experiments are refused, nobody else may look."""

import os
import stat

import numpy as np
import pytest

from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.blackbox import black_box
from noisewright.audit.experiment import Experiment
from noisewright.audit.experiment.storage import from_parquet, to_parquet
from noisewright.errors import BadMechanism, InvalidParameter


def laplace(data, generator):
    return data + generator.laplace()


def words(data, generator):
    return "no", None, [0.1] * int(generator.integers(0, 5))


BLOCK = 64
"""Calls of a block where a thousand outputs are asked for."""


def begun(keep, box=laplace, left=0.0, right=1.0, **options):
    return Experiment(black_box(box), left, right, keep=keep, **options)


def rows(outputs):
    return outputs.words.tolist() if outputs.numbers is None else outputs.numbers.tobytes()


def files(folder):
    return sorted(path for path in folder.iterdir() if path.suffix == ".parquet")


@pytest.fixture(autouse=True)
def _a_block_a_chunk(monkeypatch):
    monkeypatch.setattr("noisewright.audit.experiment.sampler.CHUNK_SECONDS", 1e-9)


@pytest.fixture
def keep(tmp_path):
    return tmp_path / "deep" / "kept"


@pytest.mark.parametrize("box", [laplace, words])
def test_a_second_experiment_reads_what_the_first_drew_and_goes_on(keep, box):
    first = begun(keep, box)
    drawn = rows(first.take("left", 900)), rows(first.take("right", 500))
    second = begun(keep, box)
    assert (rows(second.take("left", 900)), rows(second.take("right", 500))) == drawn
    assert second.runs == 0
    longer = rows(begun(keep, box).take("left", 2000))
    assert longer[: len(drawn[0])] == drawn[0]
    assert len(longer) > len(drawn[0])


def test_every_bit_of_a_number_is_kept(tmp_path):
    odd = np.array([[-0.0, 5e-324], [np.nan, np.inf], [0.1 + 0.2, -1e308]])
    odd.view(np.uint64)[1, 0] = 0x7FF8_0000_0000_BEEF
    (tmp_path / "odd").write_bytes(to_parquet(Outputs(odd)))
    assert from_parquet(tmp_path / "odd").numbers.tobytes() == odd.tobytes()


@pytest.mark.parametrize("texts", [["[]", "[]"], ["null", '"a\\nb"']])
def test_outputs_without_numbers_are_kept_as_texts(tmp_path, texts):
    outputs = Outputs.of([[], []] if texts[0] == "[]" else [None, "a\nb"])
    (tmp_path / "odd").write_bytes(to_parquet(outputs))
    assert from_parquet(tmp_path / "odd").words.tolist() == texts


def test_interrupted_work_goes_on_as_if_nothing_had_been(keep):
    def stop(done, wanted):
        if done >= 500:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begun(keep, seed=9, progress=stop).take("left", 1000)
    resumed = begun(keep)
    assert rows(resumed.take("left", 1000)) == rows(begun(None, seed=9).take("left", 1000))
    assert 0 < resumed.runs <= 640


def test_what_a_failing_box_gave_is_kept(keep):
    def failing(data, generator, calls=[0]):  # noqa: B006  (it is to count on)
        calls[0] += 1
        if calls[0] > 700:
            raise ValueError
        return generator.laplace()

    with pytest.raises(BadMechanism, match=r"before, and are kept\)") as refusal:
        Experiment(black_box(failing), 0.0, 1.0, keep=keep).take("left", 1000)
    assert f"({len(files(keep)) * BLOCK} outputs for the left input" in str(refusal.value)
    assert files(keep)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_only_the_owner_may_look(keep):
    begun(keep).take("left", 100)
    assert stat.S_IMODE(keep.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in keep.iterdir()} == {0o600}
    assert "PRIVATE" in (keep / "README.txt").read_text()
    keep.chmod(0o750)
    with pytest.raises(BadMechanism, match=r"open to others.*chmod 700"):
        begun(keep)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"box": lambda data, generator: data + generator.laplace() * 2}, "mechanism"),
        ({"left": 0.5}, "left input"),
        ({"left": 1.0, "right": 0.0}, "left input, right input"),
        ({"seed": 8}, "seed"),
    ],
)
def test_another_experiment_is_refused_and_leaves_the_folder_as_it_was(keep, changes, named):
    begun(keep, seed=7).take("left", 100)
    before = {path.name: path.read_bytes() for path in keep.iterdir()}
    with pytest.raises(BadMechanism, match=rf"another experiment \(different: {named}\)"):
        begun(keep, **changes)
    assert {path.name: path.read_bytes() for path in keep.iterdir()} == before


def test_an_input_file_is_known_by_its_content(keep, tmp_path):
    for name, content in (("a", "1"), ("b", "1"), ("c", "2")):
        (tmp_path / name).write_text(content)
    box = lambda data, generator: generator.laplace()  # noqa: E731
    begun(keep, box, tmp_path / "a", 0).take("left", 100)
    assert rows(begun(keep, box, tmp_path / "b", 0).take("left", 1))
    with pytest.raises(BadMechanism, match="different: left input"):
        begun(keep, box, tmp_path / "c", 0)


def cut_short(path):
    path.write_bytes(path.read_bytes()[:100])


def flip_a_bit(path):
    content = bytearray(path.read_bytes())
    content[200] ^= 1  # in the numbers
    path.write_bytes(bytes(content))


def hold_nothing(path):
    path.write_bytes(b"")


def be_gone(path):
    path.unlink()


@pytest.mark.parametrize("damage", [cut_short, flip_a_bit, hold_nothing, be_gone])
def test_damaged_chunks_are_drawn_again(keep, damage):
    drawn = rows(begun(keep).take("left", 1000))
    damage(files(keep)[1])
    again = begun(keep)
    assert rows(again.take("left", 1000)) == drawn
    assert again.runs == BLOCK
    assert len(files(keep)) == -(-1000 // BLOCK)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b'{"seed": 1, "block": "2"}',
        b'{"seed": -1, "block": 2}',
        b'{"seed": 1, "block": 0}',
        b'{"seed": 1, "block": 2, "parts by the clock": [1, 2]}',
        b'{"seed": 1, "block": 2, "parts by the clock": [1, 2, 0, 1.0]}',
        b'{"seed": 1, "block": 2, "parts by the clock": [1, 2, 3, 0.0]}',
        b'{"seed": 1, "block": 2, "parts by the clock": 3}',
        b'{"seed": 1, "block": 2, "failures": -1}',
    ],
)
def test_a_damaged_manifest_is_refused(keep, content):
    begun(keep).take("left", 100)
    (keep / "manifest.json").write_bytes(content)
    with pytest.raises(BadMechanism, match=r"manifest in .* is damaged"):
        begun(keep)


def test_a_folder_of_other_things_is_left_alone(tmp_path):
    tmp_path.chmod(0o700)
    (tmp_path / "thesis.tex").write_text("dear reader")
    with pytest.raises(BadMechanism, match="holds other files"):
        begun(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_place_that_cannot_be_a_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidParameter, match="cannot be kept in"):
        begun(tmp_path / "file" / "kept")
