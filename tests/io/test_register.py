"""Registers: a chain from which nothing can be taken, moved or changed unseen, but the end."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from noisewright.errors import BadTable
from noisewright.io.register import check_register, open_register, read_register
from noisewright.text import canonical_json


def add(path, **document):
    with open_register(path) as register:
        return register.append({**document, "register": register.link})


@pytest.fixture
def register(tmp_path):
    path = tmp_path / "audits.jsonl"
    for number in range(4):
        add(path, verdict=f"of audit {number}")
    return path


def faults(path):
    """Numbers of the lines that are out of place."""
    return [number for number, entry in enumerate(read_register(path), start=1) if entry.faults]


def rewritten(path, change):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(change(lines)))
    return faults(path)


def test_entries_follow_each_other(register):
    entries = read_register(register)
    assert [entry.document["verdict"] for entry in entries] == [f"of audit {number}" for number in range(4)]
    assert faults(register) == []
    assert add(register, verdict="of another") == read_register(register)[-1].sha256
    check_register(register)


TAMPERING = {
    "one removed": (lambda lines: [*lines[:1], *lines[2:]], [2, 3]),
    "the first removed": (lambda lines: lines[1:], [1, 2, 3]),
    "two exchanged": (lambda lines: [lines[0], lines[2], lines[1], lines[3]], [2, 3, 4]),
    "one twice": (lambda lines: [*lines[:2], lines[1], *lines[2:]], [3, 4, 5]),
    "one changed": (lambda lines: [lines[0].replace(b"audit 0", b"audit 9"), *lines[1:]], [2]),
    "one spelled otherwise": (lambda lines: [*lines[:3], lines[3].replace(b",", b", ", 1)], [4]),
    "an empty line": (lambda lines: [*lines, b"\n"], [5]),
    "the last breaks off": (lambda lines: [*lines[:3], lines[3][:-9]], [4]),
    "without its last newline": (lambda lines: [*lines[:3], lines[3][:-1]], [4]),
    "cut off at the end": (lambda lines: lines[:2], []),
}


@pytest.mark.parametrize("name", TAMPERING)
def test_what_is_out_of_place_shows_where(register, name):
    """All but a clean cut at the end, which the digest of the last entry alone can tell."""
    change, expected = TAMPERING[name]
    last = read_register(register)[-1].sha256
    assert rewritten(register, change) == expected
    if not expected:
        assert read_register(register)[-1].sha256 != last
        return
    with pytest.raises(BadTable, match="is broken; see noisewright verify"):
        check_register(register)
    with pytest.raises(BadTable, match="is broken"):
        add(register)


STRANGE = [
    b"[]\n", b"1\n", b"{}\n", b'{"register":1}\n', b'{"register":{"number":1}}\n',
    b'{"register":{"number":1,"previous":null,"x":1}}\n', b'{"x":NaN}\n', b'{"x":1e999}\n', b"\xff\n", b"\0" * 999,
    b"[" * 100_000 + b"\n", b'{"a":' * 5_000 + b"\n", b'{"x":' + b"9" * 5000 + b"}\n",
]  # fmt: skip


@pytest.mark.parametrize("content", STRANGE)
def test_strangers_files_are_told_and_not_believed(tmp_path, content):
    path = tmp_path / "audits.jsonl"
    path.write_bytes(content)
    assert faults(path) == [1]


@pytest.mark.parametrize("line", [b"\n", b"{}\n", b"x\n"])
def test_a_flood_of_lines_that_are_no_entries_is_not_read_on(tmp_path, line):
    path = tmp_path / "audits.jsonl"
    path.write_bytes(line * 100_000)
    assert len(read_register(path)) == 1


def test_what_cannot_be_a_register_is_refused_before_any_work(tmp_path):
    for path, said in (
        (tmp_path / "audits.json", "let its name end in .jsonl"),
        (tmp_path / "none" / "audits.jsonl", "does not exist"),
    ):
        with pytest.raises(BadTable, match=said):
            check_register(path)
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(BadTable, match="it is a folder"):
        check_register(tmp_path / "folder.jsonl")
    (tmp_path / "empty.jsonl").touch()
    check_register(tmp_path / "empty.jsonl")
    add(tmp_path / "empty.jsonl")
    assert faults(tmp_path / "empty.jsonl") == []


def test_nothing_half_written_is_left(register, monkeypatch):
    before = register.read_bytes()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadTable, match="the disk is full"):
        add(register, verdict="lost")
    assert register.read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="locks are POSIX")
def test_those_who_add_at_once_wait_for_each_other(tmp_path):
    path = tmp_path / "audits.jsonl"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: add(path, number=number), range(24)))
    assert faults(path) == []
    assert sorted(entry.document["number"] for entry in read_register(path)) == list(range(24))


def test_a_line_is_the_canonical_json_of_its_document(register):
    for line, entry in zip(register.read_bytes().splitlines(), read_register(register), strict=True):
        assert line == canonical_json(entry.document)
