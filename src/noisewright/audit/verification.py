"""The verification of a page, JSON or register of audits: what it says, and who signed it.

The files come from strangers: sizes are bounded, nothing in them is run, and everything shown is made plain
first.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from noisewright.audit.evidence import FORMAT, INCONCLUSIVE, KINDS, REFUTED
from noisewright.audit.spectrum.report import MARKS
from noisewright.errors import BadTable, InvalidParameter
from noisewright.io.evidence import Check, check_signature, parse_document
from noisewright.io.file_access import small_text
from noisewright.io.register import ENDING, Entry, read_register
from noisewright.report import Block, Bullets, Report, Reportable, Section, Strong
from noisewright.report.record import PAGE, extract_record, is_spelled, page_digest
from noisewright.text import plain

LARGEST: Final = 32 << 20
"""Bytes of the largest page or JSON that is read."""

ENDINGS: Final = (".html", ".htm")
"""How the name of a page ends."""

LONGEST: Final = 80

DIGEST: Final = re.compile(r"[0-9a-f]{64}")

MOST: Final = 1e9
"""The largest number that is shown; ours are smaller."""

STATES: Final = {
    "signed": "unchanged since it was signed by",
    "unsigned": "not signed, so nobody can say whether it was changed",
    "changed": "CHANGED after it was signed: what it says and its signature do not belong together",
    "wrong key": "signed, but NOT by the key that was given; it was signed by",
}

COMPARE: Final = (
    "Compare the fingerprint with the signer's, or give the signer's public key with --key: anybody can sign "
    "with a key of their own."
)

CUT: Final = (
    "Entries that were cut off at the end leave no trace, not even once others are added after them: keep "
    "this digest elsewhere, and give one that you kept before with --kept."
)

HELD: Final = "The entry with the digest that was kept is still there"

UP_TO_IT: Final = ", and so are all before it."

LOST: Final = (
    "NO entry has the digest that was kept: entries were cut off, maybe before others were added, or the "
    "register is another one."
)

REWRITTEN: Final = "Where entries are not signed, whoever can write the file can write all of it anew."


@dataclass(frozen=True)
class Verified:
    """One audit: its record, the check of its signature, and its other faults."""

    document: Mapping[str, Any]
    check: Check
    faults: tuple[str, ...] = ()

    @property
    def state(self) -> str:
        """The outcome: "signed", "unsigned", "changed" or "wrong key"."""
        return "changed" if self.faults else self.check.state

    @property
    def blocks(self) -> list[Block]:
        """The headline of the audit, its faults, and the state of its signature."""
        signer = f" the key with the fingerprint {self.check.key}" if self.check.key else ""
        faults = [f"✘ {fault}" for fault in self.faults]
        state = "signed by" if faults and self.check.state == "signed" else STATES[self.check.state]
        return [Strong(_headline(self.document)), Bullets([*faults, f"{state}{signer}"])]

    def to_dict(self) -> dict[str, Any]:
        """Return the findings in strict JSON values."""
        facts = _facts(self.document)
        return {**facts, "state": self.state, "key_fingerprint": self.check.key, "faults": list(self.faults)}


@dataclass(frozen=True)
class Verification(Reportable):
    """A file with its audits.

    Args:
        file: Its name.
        kind: "page", "json" or "register".
        audits: The audits in it; a register may have many.
        given: Whether the signer's key was at hand.
        last: The digest of a register's last entry.
        held: Whether an entry has the digest that was kept elsewhere; None if there is no such digest.
    """

    file: str
    kind: str
    audits: Sequence[Verified]
    given: bool
    last: str | None = None
    held: bool | None = None

    @property
    def exit_code(self) -> int:
        """0 if all of it is signed by the key at hand, 3 if it is shown not to be, 2 otherwise."""
        states = {each.state for each in self.audits}
        if self.held is False or states & {"changed", "wrong key"} or (self.given and "unsigned" in states):
            return REFUTED
        return 0 if self.given else INCONCLUSIVE

    def report(self) -> Report:
        """Describe the verification as a document."""
        states = {each.check.state for each in self.audits}
        closing: list[Block] = []
        if self.held is not None:
            broken = any(each.faults for each in self.audits)
            closing.append(f"✘ {LOST}" if not self.held else HELD + ("." if broken else UP_TO_IT))
        if self.kind == "register":
            closing += [f"The digest of the last entry is {self.last}", CUT] if self.last else []
            closing += [REWRITTEN] if "unsigned" in states else []
        if "signed" in states:
            closing.append("That is the key that was given." if self.given else COMPARE)
        said = Section("What it says", [block for each in self.audits for block in each.blocks])
        sections = [said, *([Section("What follows", closing)] if closing else [])]
        title = f"Verification of {plain(Path(self.file).name)}"
        return Report(title, "", sections, verb="verify", data=self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """Return the verification in strict JSON values."""
        audits = [each.to_dict() for each in self.audits]
        return {
            "file": plain(self.file), "kind": self.kind, "verified": self.exit_code == 0, "audits": audits,
            "last_sha256": self.last, "kept_entry_found": self.held,
        }  # fmt: skip


def verify_file(
    path: str | os.PathLike[str], key: Ed25519PublicKey | None = None, kept: str | None = None
) -> Verification:
    """Verify a page, the JSON or a register of an audit, by the ending of its name.

    Args:
        path: The file; a page ends in .html, a register in .jsonl.
        key: The signer's public key; without it the one inside is used, and the reader has to compare it.
        kept: The SHA-256 of an entry of a register, from when it was entered. Each entry holds the digest of
            the one before, so that one digest speaks for all entries up to its own.
    """
    ending = Path(path).suffix.lower()
    if kept is not None and (ending != ENDING or not DIGEST.fullmatch(kept.strip().lower())):
        raise InvalidParameter(
            f"--kept wants the digest of an entry of a register ({ENDING}), 64 hexadecimal digits"
        )
    if ending == ENDING:
        entries = read_register(path)
        audits = [_entry(number, entry, key) for number, entry in enumerate(entries, start=1)]
        last = None if entries[-1].faults else entries[-1].sha256
        held = None if kept is None else kept.strip().lower() in {entry.sha256 for entry in entries}
        return Verification(str(path), "register", audits, key is not None, last, held)
    text = small_text(path, LARGEST, "audit")
    if ending not in ENDINGS:
        document = read_document(text, str(path))
        found = Verified(document, check_signature(document, key))
        return Verification(str(path), "json", [found], key is not None)
    record, around = extract_record(text, str(path))
    document = read_document(record, str(path))
    found = Verified(document, check_signature(document, key), _page_faults(document, record, around))
    return Verification(str(path), "page", [found], key is not None)


def read_document(text: str, where: str) -> Mapping[str, Any]:
    """Return the record of an audit; refuse anything else, records nested too deep, and odd numbers."""
    document, _ = parse_document(text, where)
    if document.get("noisewright") not in KINDS:
        raise BadTable(f"{where} holds no record that noisewright audit wrote")
    form = document.get("format")
    if type(form) is not int or form != FORMAT:
        newer = type(form) is int and form > FORMAT
        raise BadTable(
            f"{where} was written by a newer Noisewright; upgrade to verify it"
            if newer
            else f"{where} is broken: its format must be {FORMAT}"
        )
    return document


def _entry(number: int, entry: Entry, key: Ed25519PublicKey | None) -> Verified:
    strange = () if entry.document.get("noisewright") in KINDS else ("it is not an audit",)
    faults = tuple(f"line {number}: {fault}" for fault in (*entry.faults, *strange))
    return Verified(entry.document, check_signature(entry.document, key), faults)


def _page_faults(document: Mapping[str, Any], record: str, around: str) -> tuple[str, ...]:
    if not is_spelled(record, document):
        return ("the record inside the page is not spelled as it was written",)
    if document.get(PAGE) != page_digest(around):
        return ("the text of the page was CHANGED: it is not the one that the record inside belongs to",)
    return ()


def _headline(document: Mapping[str, Any]) -> str:
    """Return an audit in one line; a dash for each part that is not as we write it."""
    facts = _facts(document)
    mark = MARKS.get(facts["standing"] or "", "–")
    claim = "" if facts["claim"] is None else f", claimed {facts['claim']}"
    least = facts["epsilon_lower"]
    bound = "" if least is None else f", ε at least {math.floor(1000 * least) / 1000:g}"
    number = "" if facts["number"] is None else f"{facts['number']}. "
    standing = facts["standing"] or "no verdict"
    return f"{number}{facts['time'] or '–'}  {mark} {standing}: {facts['target'] or '–'}{claim}{bound}"


def _facts(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts that a list shows of an audit, made plain; None for odd ones."""
    provenance, claim = _map(document.get("provenance")), document.get("claim")
    target, bound = _map(provenance.get("target")), _map(document.get("at_claim"))
    number = _map(document.get("register")).get("number")
    return {
        "number": number if type(number) is int and 0 < number < 1 << 53 else None,
        "time": _text(provenance.get("time")),
        "target": _text(target.get("name")),
        "target_sha256": _text(target.get("sha256")),
        "standing": _text(document.get("standing") or document.get("summary")),
        "claim": _claim(_map(claim)) if claim else None,
        "epsilon_lower": _number(bound.get("epsilon_lower")),
        "version": _text(provenance.get("version")),
    }


def _claim(claim: Mapping[str, Any]) -> str | None:
    epsilon, delta = _number(claim.get("epsilon")), _number(claim.get("delta"))
    return None if epsilon is None else f"ε = {epsilon:g}" + (f", δ = {delta:g}" if delta else "")


def _map(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str | None:
    if not isinstance(value, str):
        return None
    shown = plain(value)
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"


def _number(value: Any) -> float | None:
    return float(value) if type(value) in (int, float) and abs(value) < MOST else None
