"""Files and folders by path and by address: found, written whole, named once, and never with a password."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright import Interval, estimate_file, perturb_file
from noisewright.cli.main import main
from noisewright.errors import BadTable
from noisewright.io import read_description, tally_files
from noisewright.io.location import Location
from noisewright.mechanisms import SW
from noisewright.randomness import SeededSource
from stores import SECRET, memory_address, s3_address, s3_server

HOURS = {"hours": SW(Interval(0, 24), 2.0)}


@pytest.fixture(scope="module")
def s3():
    with s3_server() as query:
        yield query


@pytest.fixture(params=["path", "file", "memory", "s3"])
def folder(request, tmp_path):
    """An empty folder, by each kind of address."""
    if request.param == "s3":
        return Location(s3_address(request.getfixturevalue("s3"), f"{tmp_path.name}/deep"))
    place = tmp_path / "a b" / "deep"
    addresses = {"path": str(place), "file": place.as_uri(), "memory": memory_address()}
    return Location(addresses[request.param])


def test_a_file_is_written_found_and_removed(folder):
    file = folder.child("x.json")
    assert (file.size(), file.read(10), folder.files(), file.name) == (None, None, {}, "x.json")
    folder.make_folder()
    file.write(b"one")
    file.write(b"three")
    assert (file.size(), file.read(10), folder.files()) == (5, b"three", {"x.json": 5})
    assert folder.is_folder()
    assert not file.is_folder()
    assert file.parent.files() == folder.files()
    with pytest.raises(BadTable, match=r"x.json is larger than"):
        file.read(4)
    file.remove()
    file.remove()
    assert file.size() is None
    folder.child("y.json").write(b"")
    folder.remove()
    assert folder.files() == {}


def test_only_one_can_take_a_name(folder):
    folder.make_folder()
    for number in range(2):
        folder.child(str(number)).write(b"%d" % number)
    assert folder.child("0").take_name(folder.child("name"))
    assert not folder.child("1").take_name(folder.child("name"))
    assert folder.files() == {"name": 1}
    assert folder.child("name").read(9) == b"0"
    assert folder.child("claimed").claim()
    assert not folder.child("claimed").claim()


def test_a_file_whose_writing_fails_is_gone(folder):
    folder.make_folder()
    with pytest.raises(TypeError), folder.child("draft").sink() as sink:
        sink.writelines([b"half", 1])
    assert folder.files() == {}
    with folder.child("draft").sink() as sink:
        sink.write(b"whole")
    assert folder.files() == {"draft": 5}


@pytest.mark.parametrize("name", ["a b.csv", "region=a%2Fb/1.csv", "ü#?.csv", "50%.csv"])
def test_names_with_signs_are_found_again(folder, name):
    if "?" in name and folder.scheme.startswith("fsspec"):
        pytest.skip("an address of fsspec has no way to write a question mark")
    file = folder.child(name)
    file.parent.make_folder()
    file.write(b"1")
    assert list(folder.files()) == [name]
    assert Location(file.address).read(9) == b"1"


def test_what_lies_inside_a_folder(folder, tmp_path):
    assert folder.child("a/b").is_inside(folder)
    assert folder.is_inside(folder)
    assert not folder.is_inside(folder.child("a"))
    assert not folder.sibling("more").is_inside(folder)
    assert not folder.is_inside(Location(tmp_path / "elsewhere"))


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("s3://key:secret@bucket/reports?region=eu", "s3://bucket/reports"),
        ("s3://key:sec/ret@bucket/reports", "s3://bucket/reports"),
        ("s3://key:sec@ret@bucket/reports#x", "s3://bucket/reports"),
        ("abfss://box@account.example/reports", "abfss://box@account.example/reports"),
        ("hdfs://host:8020/user/a@b/reports", "hdfs://host:8020/user/a@b/reports"),
        ("C://reports", "C://reports"),
        ("reports?x", "reports?x"),
    ],
)
def test_passwords_are_never_shown(address, shown):
    where = Location(address)
    assert str(where) == shown
    assert repr(where) == f"Location({shown!r})"


@pytest.mark.parametrize(
    "address",
    [
        f"s3://key:{SECRET}@bucket/x.parquet",  # a slash that should have been escaped
        f"nostore://key:{SECRET}@bucket/x.parquet",
        "file:///tmp/a b",
        "file://elsewhere/tmp",
    ],
)
def test_an_address_that_leads_nowhere_is_refused_in_one_sentence(address, tmp_path, capsys):
    with pytest.raises(BadTable, match="cannot reach") as refusal:
        tally_files([address])
    assert SECRET not in str(refusal.value)
    code = main(["perturb", address, "--epsilon", "1", "--interval", "hours=0:24", "-o", str(tmp_path / "x")])
    said = capsys.readouterr()
    assert (code, said.out, said.err.count("\n")) == (2, "", 1)
    assert SECRET not in said.err


# -- reports in stores -----------------------------------------------------------------------------------


@pytest.fixture
def people(tmp_path):
    """True values in two files of one folder."""
    place = tmp_path / "people"
    place.mkdir()
    for number, region in enumerate(["north", "south"]):
        table = pa.table({"hours": [1.5, 2.5, 20.25] * 5, "region": [region] * 15})
        pq.write_table(table, place / f"{number}.parquet")
    return place


def test_reports_go_to_a_store_and_are_read_there(folder, people):
    written = perturb_file(people, folder.child("reports"), HOURS, source=SeededSource(5), keep=["region"])
    assert (written.rows, written.parts, written.path.name) == (30, 2, "reports")
    address = folder.child("reports").address
    assert read_description(address).mechanisms == HOURS
    found = estimate_file(address, by="region", bins=4)
    assert list(found) == ["north", "south"]
    local = perturb_file(people, people.parent / "reports", HOURS, source=SeededSource(5), keep=["region"])
    alone = estimate_file(local.path, by="region", bins=4)
    assert found.to_dict()["groups"]["north"]["columns"] == alone.to_dict()["groups"]["north"]["columns"]
    with pytest.raises(BadTable, match="holds reports already"):
        perturb_file(people, address, HOURS)
    assert perturb_file(people, address, HOURS, replace=True).parts == 2


def test_true_values_are_read_from_a_store(folder, people, tmp_path):
    folder.make_folder()
    for file in sorted(people.iterdir()):
        folder.child(file.name).write(file.read_bytes())
    whole = perturb_file(folder, tmp_path / "reports", HOURS, source=SeededSource(1))
    one = perturb_file(folder.child("0.parquet"), tmp_path / "one.parquet", HOURS, source=SeededSource(1))
    assert (whole.rows, one.rows) == (30, 15)
    kept = pq.read_table(tmp_path / "reports")["hours"].to_pylist()
    assert pq.read_table(tmp_path / "one.parquet")["hours"].to_pylist() == kept[:15]


def test_a_store_takes_folders_of_parquet_only(folder, people):
    if folder.local is not None:
        pytest.skip("on this machine, files of all kinds are read and written")
    with pytest.raises(
        BadTable, match=r"x.csv ends like a file, but it lies in a store; reports need a folder"
    ):
        perturb_file(people / "0.parquet", folder.child("x.csv"), HOURS)
    assert perturb_file(people / "0.parquet", folder.child("x"), HOURS).parts == 1
    folder.child("y.csv").write(b"hours\n1\n")
    with pytest.raises(
        BadTable, match=r"y.csv must be a Parquet file; other kinds are read from this machine"
    ):
        perturb_file(folder.child("y.csv"), folder.child("z"), HOURS)
    with pytest.raises(BadTable, match="is a glob, and only files of this machine"):
        tally_files([folder.child("*.parquet")])


def test_the_command_line_never_shows_a_password(s3, people, tmp_path, capsys):
    address = s3_address(s3, f"{tmp_path.name}/reports")
    arguments = ["--epsilon", "2", "--interval", "hours=0:24", "--seed", "1"]
    assert main(["perturb", str(people), *arguments, "-o", address, "--json"]) == 0
    assert main(["estimate", address, "--json"]) == 0
    assert main(["perturb", str(people), *arguments, "-o", address]) == 2
    assert main(["estimate", address.replace("reports", "none")]) == 2
    assert main(["estimate", address, "--html", str(tmp_path / "page.html")]) == 0
    shown = "".join(capsys.readouterr()) + (tmp_path / "page.html").read_text()
    assert "s3://" in shown
    for secret in (SECRET, SECRET.replace("/", "%2F"), "s3cr3t"):
        assert secret not in shown


def test_a_store_that_does_not_answer_is_refused_in_one_sentence(s3, tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    nowhere = s3_address(s3, "x").replace("@bucket", "@another")
    with pytest.raises(BadTable, match="cannot write s3://another/x"):
        Location(nowhere).write(b"1")
