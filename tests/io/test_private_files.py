"""Private folders: nobody else may look, nothing else is in them, and no other work goes on in them."""

import os
import stat

import pytest

from noisewright.errors import NoisewrightError
from noisewright.io.private_files import PrivateFolder

DESCRIBED = {"format": 1, "data": "a", "seed": 2**127}


class Refused(NoisewrightError):
    """The refusal of a room."""


@pytest.fixture
def folder(tmp_path):
    return PrivateFolder(tmp_path / "deep" / "kept", "exact outputs", Refused)


@pytest.fixture
def begun(folder):
    folder.make()
    folder.begin("This is PRIVATE.\n", DESCRIBED)
    return folder


def refusal(call, *arguments):
    with pytest.raises(Refused) as raised:
        call(*arguments)
    return str(raised.value)


def test_a_folder_says_what_it_is(begun):
    begun.make()
    assert begun.manifest() == DESCRIBED
    assert (begun.path / "README.txt").read_text() == "This is PRIVATE.\n"
    assert sorted(path.name for path in begun.path.iterdir()) == ["README.txt", "manifest.json"]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_only_the_owner_may_look(begun):
    assert stat.S_IMODE(begun.path.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in begun.path.iterdir()} == {0o600}


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("mode", [0o750, 0o701, 0o720])
def test_a_folder_open_to_others_is_refused(begun, mode):
    begun.path.chmod(mode)
    assert refusal(begun.make) == (
        f"the folder {begun.path} would hold exact outputs and is open to others; take their rights away with "
        "chmod 700, or name a folder that does not exist yet"
    )
    assert stat.S_IMODE(begun.path.stat().st_mode) == mode


@pytest.mark.parametrize("names", [[], [".seed"], ["README.txt", ".hidden"]])
def test_an_empty_folder_has_no_manifest(folder, names):
    folder.make()
    for name in names:
        (folder.path / name).write_text("")
    assert folder.manifest() is None


def test_a_folder_of_other_things_is_left_alone(folder):
    folder.make()
    (folder.path / "thesis.tex").write_text("dear reader")
    assert refusal(folder.manifest) == (
        f"the folder {folder.path} holds other files; name an empty or a new one"
    )
    assert [path.name for path in folder.path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"[1]", b"null", b'{"format": 1', b'{"a": 1, "a": 1}', b'{"a": NaN}', b"\xff\xfe"]
)
def test_a_damaged_manifest_is_refused(begun, content):
    (begun.path / "manifest.json").write_bytes(content)
    assert refusal(begun.manifest) == (
        f"the manifest in {begun.path} is damaged; name an empty or a new folder"
    )


def test_the_same_work_goes_on(folder):
    folder.check_same(DESCRIBED, {"data": "a", "format": 1}, "worlds of another run")


@pytest.mark.parametrize(
    ("wanted", "named"),
    [
        ({"format": 1, "data": "b"}, "data"),
        ({"format": 2, "data": "b"}, "format, data"),
        ({"mechanism": "a"}, "mechanism"),
    ],
)
def test_other_work_is_refused(folder, wanted, named):
    assert refusal(folder.check_same, DESCRIBED, wanted, "worlds of another run") == (
        f"the folder {folder.path} holds worlds of another run (different: {named}); repeat that one as it "
        "was, or name an empty or a new folder"
    )
    assert "; repeat that run as it was" in refusal(
        folder.check_same, DESCRIBED, wanted, "worlds", "that run"
    )


def test_a_place_that_cannot_be_a_folder_is_for_the_room_to_refuse(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError):
        PrivateFolder(tmp_path / "file" / "kept", "exact outputs", Refused).make()
