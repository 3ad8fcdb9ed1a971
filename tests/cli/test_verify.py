"""``noisewright verify``: pages, JSON and registers of audits, as they were written and tampered with."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from command_line import refused
from noisewright import __version__
from noisewright.audit import Claim
from noisewright.audit.evidence import REFUTED
from noisewright.cli.audit_run import AuditRun
from noisewright.cli.audit_target import InputOptions, TargetOptions, describe_target, read_target
from noisewright.cli.main import main
from noisewright.io.evidence import fingerprint, sign
from report.checking import check

MODULE = """
import numpy as np
import evidence_helper

def total(data, count, generator):
    return np.sum(data) + generator.laplace(scale=evidence_helper.SCALE, size=count)
"""
KEYS = {name: Ed25519PrivateKey.from_private_bytes(name.encode().ljust(32)) for name in ("audit", "other")}
AUDIT = [
    "audit", "evidence_box:total", "--vectorized", "--pair", "all.csv", "less.csv", "--samples", "4000",
    "--score", "value", "--jobs", "1", "--seed", "1", "--sign", "audit.key", "--register", "audits.jsonl",
]  # fmt: skip


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """One audit that refutes, with page, JSON and entry, and two more entries."""
    folder = tmp_path_factory.mktemp("evidence")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Path("evidence_box.py").write_text(MODULE)
        Path("evidence_helper.py").write_text("SCALE = 2.0\n")
        Path("all.csv").write_text("pay\n3\n2\n1\n")
        Path("less.csv").write_text("pay\n3\n2\n")
        for name, key in KEYS.items():
            write_keys(name, key)
        with pytest.MonkeyPatch.context() as output, open("audit.json", "w", encoding="utf-8") as file:
            output.setattr(sys, "stdout", file)
            assert main([*AUDIT, "--claim", "0.1", "--html", "audit.html", "--json"]) == REFUTED
            assert main([*AUDIT, "--claim", "0.9"]) == 0
            assert main(AUDIT) == 0
        text = Path("audit.json").read_text(encoding="utf-8")
        Path("audit.json").write_text(text[: text.index("\n}\n") + 3], encoding="utf-8")
    for module in ("evidence_box", "evidence_helper"):
        sys.modules.pop(module, None)
    return folder


def write_keys(name, key):
    encoding, none = serialization.Encoding.PEM, serialization.NoEncryption()
    Path(f"{name}.key").write_bytes(key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, none))
    Path(f"{name}.key").chmod(0o600)
    public = serialization.PublicFormat.SubjectPublicKeyInfo
    Path(f"{name}.pub").write_bytes(key.public_key().public_bytes(encoding, public))


@pytest.fixture
def folder(written, tmp_path, monkeypatch):
    """A copy to tamper with."""
    copy = tmp_path / "copy"
    shutil.copytree(written, copy)
    monkeypatch.chdir(copy)
    return copy


def verify(capsys, *arguments):
    """Exit code and text of a verification."""
    code = main(["verify", *arguments])
    out, err = capsys.readouterr()
    assert err == ""
    return code, " ".join(out.split())


def test_the_record_says_how_it_came_about(folder):
    found = json.loads(Path("audit.json").read_text(encoding="utf-8"))
    came = found["provenance"]
    assert (found["noisewright"], found["standing"], found["at_claim"]["delta"]) == ("audit", "refuted", 0.0)
    assert came["time"].endswith("+00:00")
    assert (came["version"], came["seed"]) == (__version__, 1)
    assert came["command"][:3] == ["noisewright", "audit", "evidence_box:total"]
    assert {"python", "numpy", "platform"} <= set(came["environment"])
    digests = {each["name"]: each["sha256"] for each in (*came["inputs"], *came["target"]["parts"])}
    assert digests == {
        name: hashlib.sha256(Path(name).read_bytes()).hexdigest()
        for name in ("all.csv", "less.csv", "evidence_box.py", "evidence_helper.py")
    }
    assert str(folder) not in json.dumps(found)


def test_the_page_says_the_same_and_has_a_mark_for_the_verdict(folder):
    page = Path("audit.html").read_text(encoding="utf-8")
    prose = check(page).prose
    found = json.loads(Path("audit.json").read_text(encoding="utf-8"))
    came = found["provenance"]
    for said in (
        "✘ refuted", came["time"], " ".join(came["command"]), came["target"]["sha256"], came["version"],
        *(each["sha256"] for each in came["inputs"]), fingerprint(KEYS["audit"].public_key()),
    ):  # fmt: skip
        assert said in prose


@pytest.mark.parametrize("file", ["audit.html", "audit.json", "audits.jsonl"])
def test_what_was_written_verifies_with_the_right_key_alone(capsys, folder, file):
    code, text = verify(capsys, file, "--key", "audit.pub")
    assert (code, "unchanged since it was signed" in text) == (0, True)
    assert "✘ refuted: evidence_box:total, claimed ε = 0.1, ε at least 0." in text
    code, text = verify(capsys, file)
    assert code == 2
    assert fingerprint(KEYS["audit"].public_key()) in text
    assert "Compare the fingerprint with the signer's" in text
    code, text = verify(capsys, file, "--key", "other.pub")
    assert (code, "NOT by the key that was given" in text) == (3, True)


def test_a_register_lists_its_audits_and_tells_what_it_cannot(capsys, folder):
    _, text = verify(capsys, "audits.jsonl", "--key", "audit.pub")
    for said in (
        "1. 20",
        "2. 20",
        "3. 20",
        "✘ refuted",
        "○ not refuted",
        "– no claim",
        "cut off at the end",
        "--kept",
    ):
        assert said in text
    assert main(["verify", "audits.jsonl", "--key", "audit.pub", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    last = Path("audits.jsonl").read_bytes().splitlines()[-1]
    assert found["last_sha256"] == hashlib.sha256(last).hexdigest()
    assert [each["standing"] for each in found["audits"]] == ["refuted", "not refuted", "no claim"]
    assert {each["state"] for each in found["audits"]} == {"signed"}
    key = fingerprint(KEYS["audit"].public_key())
    assert (found["verified"], {each["key_fingerprint"] for each in found["audits"]}) == (True, {key})


def edit(file, old, new):
    text = Path(file).read_text(encoding="utf-8")
    assert old in text
    Path(file).write_text(text.replace(old, new, 1), encoding="utf-8")


TAMPERED = [
    ("audit.json", '"standing": "refuted"', '"standing": "not refuted"', "CHANGED after it was signed"),
    ("audit.html", '"standing":"refuted"', '"standing":"not refuted"', "CHANGED after it was signed"),
    ("audit.html", "✘ refuted", "○ not refuted", "the text of the page was CHANGED"),
    ("audit.html", "</body>", "<p>All is well.</p></body>", "the text of the page was CHANGED"),
    ("audit.html", '"noisewright":', '"noisewright": ', "is not spelled as it was written"),
    (
        "audits.jsonl",
        '"standing":"refuted"',
        '"standing":"no claim"',
        "line 2: it does not hold the digest of the line before",
    ),
]


@pytest.mark.parametrize(("file", "old", "new", "said"), TAMPERED)
def test_tampering_is_told_and_has_an_exit_code(capsys, folder, file, old, new, said):
    edit(file, old, new)
    for key in ([], ["--key", "audit.pub"]):
        code, text = verify(capsys, file, *key)
        assert (code, said in text) == (3, True), text
        if not file.endswith(".jsonl"):
            assert "unchanged" not in text


def test_markup_cannot_hide_inside_the_record(capsys, folder):
    """A text that ends the record's element would show on the page, and stand in JSON that parses."""
    edit("audit.html", '"standing":"refuted"', '"standing":"refuted</pre><h1>All is well</h1>"')
    assert "audit.html is not the strict JSON" in refused(capsys, "verify", "audit.html")
    page = Path("audit.html").read_text(encoding="utf-8")
    record = json.loads(Path("audit.json").read_text(encoding="utf-8"))
    spelled = json.dumps(sign({**record, "x": "<h1>well</h1>"}, KEYS["audit"]))
    before, _, rest = page.partition('<pre id="record">')
    Path("audit.html").write_text(f'{before}<pre id="record">{spelled}</pre>{rest.partition("</pre>")[2]}')
    code, text = verify(capsys, "audit.html", "--key", "audit.pub")
    assert (code, "not spelled" in text) == (3, True)


def test_an_entry_that_is_removed_or_moved_shows(capsys, folder):
    first, second, third = Path("audits.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    for lines in ((first, third), (second, third), (first, third, second), (first, first, second, third)):
        Path("audits.jsonl").write_text("".join(lines), encoding="utf-8")
        code, text = verify(capsys, "audits.jsonl", "--key", "audit.pub")
        assert (code, "it does not hold the digest of the line before" in text) == (3, True)


def digest_of(line):
    return hashlib.sha256(line.rstrip("\n").encode()).hexdigest()


def test_entries_cut_off_before_another_is_added_show_against_a_kept_digest(capsys, folder):
    """The attack: a finding is cut off the end, and the next audit takes its number. All is signed."""
    register = Path("audits.jsonl")
    first, second, third = register.read_text(encoding="utf-8").splitlines(keepends=True)
    for cut, added in (((first, second), True), ((first,), True), ((first, second), False)):
        register.write_text("".join(cut), encoding="utf-8")
        if added:
            assert main([*AUDIT, "--claim", "0.9"]) == 0
            said = capsys.readouterr().err
            last = register.read_text(encoding="utf-8").splitlines()[-1]
            assert f"keep this digest elsewhere, for verify --kept: {digest_of(last)}" in said
        code, text = verify(capsys, "audits.jsonl", "--key", "audit.pub")
        assert (code, "not even once others are added after them" in text) == (0, True)
        kept = ["audits.jsonl", "--key", "audit.pub", "--kept"]
        code, text = verify(capsys, *kept, digest_of(third))
        assert (code, "✘ NO entry has the digest that was kept" in text) == (3, True)
        code, text = verify(capsys, *kept, digest_of(first).upper())
        assert (code, "is still there, and so are all before it." in text) == (0, True)


def test_a_kept_digest_speaks_for_those_before_it_only_if_the_chain_holds(capsys, folder):
    edit("audits.jsonl", '"standing":"refuted"', '"standing":"no claim"')
    third = Path("audits.jsonl").read_text(encoding="utf-8").splitlines()[-1]
    code, text = verify(capsys, "audits.jsonl", "--kept", digest_of(third))
    assert (code, "is still there." in text, "all before it" in text) == (3, True, False)


@pytest.mark.parametrize(("file", "digest"), [("audits.jsonl", "abc"), ("audit.json", "0" * 64)])
def test_a_kept_digest_that_cannot_be_one_is_refused(capsys, folder, file, digest):
    assert "--kept wants the digest of an entry of a register" in refused(
        capsys, "verify", file, "--kept", digest
    )


def test_a_register_cannot_be_mended_by_who_has_no_key(capsys, folder):
    """Whoever takes an entry out and chains the rest anew leaves signatures that do not hold."""
    first, _, third = map(json.loads, Path("audits.jsonl").read_text(encoding="utf-8").splitlines())
    line = json.dumps(first, sort_keys=True, separators=(",", ":"))
    third["register"] = {"number": 2, "previous": hashlib.sha256(line.encode()).hexdigest()}
    lines = [line, json.dumps(third, sort_keys=True, separators=(",", ":"))]
    Path("audits.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, text = verify(capsys, "audits.jsonl")
    assert code == 3
    assert "digest of the line before" not in text
    assert "CHANGED after it was signed" in text


def test_without_a_signature_nothing_can_be_said(capsys, folder):
    record = json.loads(Path("audit.json").read_text(encoding="utf-8"))
    for bare in ({**record, "signature": None}, {k: v for k, v in record.items() if k != "signature"}):
        Path("audit.json").write_text(json.dumps(bare), encoding="utf-8")
        code, text = verify(capsys, "audit.json")
        assert (code, "not signed" in text) == (2, True)
        code, _ = verify(capsys, "audit.json", "--key", "audit.pub")
        assert code == 3  # it is not signed by that key
    with_help = verify(capsys, "--help")
    assert with_help[0] == 0
    assert "3 if it was changed, is not signed by the key of --key (or not at all)" in with_help[1]


HOSTILE = [
    ("x.json", b"", "is empty"),
    ("x.json", b"[" * 200_000, "is not the strict JSON"),
    ("x.json", b'{"a":' * 900 + b"1" + b"}" * 900, "more than 64 deep"),
    ("x.json", b'{"noisewright":"audit","format":1,"x":1e999}', "a number is too large (at x)"),
    ("x.json", b'{"noisewright":"audit","noisewright":"audit"}', "a name stands twice (at noisewright)"),
    ("x.json", b"[1]", "x.json is not a document"),
    ("x.json", b'{"noisewright":["audit"]}', "no record"),
    ("x.json", b'{"noisewright":"audit","format":99}', "newer Noisewright"),
    ("x.json", b'{"noisewright":"audit","format":"1"}', "is broken"),
    ("x.json", b"\xff\xfe", "not UTF-8"),
    ("x.html", b"<p>hello", "is not a page"),
    ("x.html", b'<pre id="record">{}', "is not a page"),
    ("x.html", b'<pre id="record">{}</pre><pre id="record">{}</pre>', "is not a page"),
    ("x.html", b'<pre id="record">{}</pre>', "no record"),
    ("x.jsonl", b"", "is empty"),
    ("none.json", None, "no such file"),
]


def test_numbers_that_we_would_not_write_are_not_shown(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("x.json").write_text('{"noisewright":"audit","format":1,"at_claim":{"epsilon_lower":1.7e308}}')
    code, text = verify(capsys, "x.json")
    assert code == 2
    assert "at least" not in text


@pytest.mark.parametrize(("name", "content", "said"), HOSTILE)
def test_what_is_none_of_ours_is_one_sentence(capsys, tmp_path, monkeypatch, name, content, said):
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path(name).write_bytes(content)
    err = refused(capsys, "verify", name)
    assert said in err
    assert len(err.splitlines()) == 1


def test_strange_values_in_a_record_do_no_harm(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    strange = {
        "noisewright": "audit", "format": 1, "standing": "\x1b[2J\u202erefuted" * 99, "claim": 7,
        "at_claim": {"epsilon_lower": True}, "register": {"number": -1},
        "provenance": {"time": ["now"], "target": {"name": "<b>\x07"}},
    }  # fmt: skip
    Path("x.json").write_text(json.dumps(strange))
    code, text = verify(capsys, "x.json")
    assert code == 2
    assert text.isprintable()
    assert len(text) < 400


REFUSALS = [
    (["--sign", "audit.key"], "--sign signs what is written; add"),
    (["--sign", "none.key", "--json"], "make one with: openssl genpkey -algorithm ed25519 -out none.key"),
    (["--register", "audits.csv"], "let its name end in .jsonl"),
    (["--watch", "--claim", "1", "--register", "x.jsonl"], "--register does not go with --watch"),
    (["--watch", "--claim", "1", "--sign", "audit.key", "--json"], "--sign does not go with --watch"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSALS)
def test_a_key_or_register_that_cannot_be_used_is_refused_before_any_run(capsys, folder, arguments, said):
    assert said in refused(capsys, *AUDIT[:6], *arguments)


def test_a_register_that_breaks_while_an_audit_runs_costs_no_result(capsys, folder, monkeypatch):
    def late(*arguments, **options):
        with Path("audits.jsonl").open("a") as file:
            file.write("nonsense")
        return found(*arguments, **options)

    found = AuditRun._find
    monkeypatch.setattr(AuditRun, "_find", late)
    code = main([*AUDIT, "--json"])
    out, err = capsys.readouterr()
    assert (code, "NOT entered: the register audits.jsonl is broken" in err) == (2, True)
    assert "register" not in json.loads(out)


def described(**options):
    asked = TargetOptions(**options)
    inputs = InputOptions(left="1", right="2")
    box = read_target(asked, inputs, Claim(1.0)).box
    return describe_target(asked, box)


def test_a_target_is_known_by_what_it_is_made_of(folder):
    Path("tool.py").write_text("print(1)")
    command = f"{sys.executable} tool.py {{input}} --token hunter2"
    before = described(command=command)
    digests = {part.name: part.sha256 for part in before.parts}
    assert digests["tool.py"] == hashlib.sha256(b"print(1)").hexdigest()
    assert "hunter2" not in json.dumps(before.to_dict())
    Path("tool.py").write_text("print(2)")
    assert described(command=command).sha256 != before.sha256
    Path("people.csv").write_text("age\n41\n")  # may be true data, of which a digest would confirm a guess
    named = described(command=f"{sys.executable} tool.py --data people.csv {{input}}")
    assert [part.name for part in named.parts][1:] == ["tool.py"]
    address = described(url="https://noise.example/release?key=hunter2")
    assert (address.kind, address.name) == ("address", "https://noise.example/release")
    ours, narrow = (described(name="ogpm", interval=interval) for interval in ("0:1", "0:2"))
    assert ours.sha256 == described(name="ogpm", interval="0:1").sha256 != narrow.sha256


def test_a_gallery_is_evidence_too(capsys, folder):
    arguments = ["--samples", "2000", "--sign", "audit.key", "--html", "gallery.html", "--json"]
    assert main(["audit", "--gallery", "laplace", *arguments]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["noisewright"], found["provenance"]["seed"]) == ("audit gallery", None)
    code, text = verify(capsys, "gallery.html", "--key", "audit.pub")
    assert (code, "0 of 0 wrong mechanisms were convicted" in text) == (0, True)
    assert "--register does not go with --gallery" in refused(
        capsys, "audit", "--gallery", "--register", "x.jsonl"
    )
