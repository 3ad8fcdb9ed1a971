"""Mechanisms in files: what ``noisewright design -o`` writes and ``--mechanism @file`` reads.

A file is strict JSON: who wrote it, in which format, and the public fields of the mechanism. Whoever reads it
builds the mechanism anew, which checks every integer and proves the guarantee again; nothing is unpickled,
and nothing that a file claims about its own privacy is believed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from noisewright import __version__
from noisewright.cli.output import check_new_file
from noisewright.domains import Categories, Domain, FiniteDomain
from noisewright.errors import BadTable, InvalidParameter, NoisewrightError
from noisewright.io.file_access import read_json, write_text
from noisewright.mechanisms import Mechanism, NumericMechanism

FORMAT: Final = 1
LARGEST: Final = 8 << 20
"""Bytes of the largest file that is read; the largest law takes about three million."""

FIELDS: Final = ("noisewright", "format", "package", "mechanism")


def check_mechanism_target(path: str | os.PathLike[str], *, replace: bool) -> None:
    """Refuse, before any work is done, a file that could not be written in the end."""
    target = Path(path)
    if target.suffix.lower() != ".json":
        raise BadTable(f"a mechanism is written as JSON, so its name must end in .json, not as {path} does")
    check_new_file(target, replace=replace)


def write_mechanism(path: str | os.PathLike[str], mechanism: Mechanism) -> Path:
    """Write a mechanism, whole or not at all; returns where it is."""
    target = Path(path)
    parts = ("mechanism", FORMAT, __version__, mechanism.to_dict())
    text = json.dumps(dict(zip(FIELDS, parts, strict=True)), allow_nan=False, ensure_ascii=False)
    # what a link points to is replaced, not the link
    return write_text(target.resolve() if target.is_symlink() else target, text + "\n")


def read_mechanism(path: str | os.PathLike[str]) -> Mechanism:
    """The mechanism of a file, proved again; anything else is refused with what is wrong."""
    return _rebuilt(read_json(path, LARGEST, "mechanism"), str(path))


def _rebuilt(content: object, where: str) -> Mechanism:
    if not isinstance(content, Mapping) or content.get("noisewright") != "mechanism":
        raise BadTable(f"{where} is not a mechanism that noisewright design wrote")
    form = content.get("format")
    if type(form) is int and form > FORMAT:
        raise BadTable(
            f"{where} was written by a newer Noisewright (format {form}, this version reads format "
            f"{FORMAT}); upgrade to read it"
        )
    if set(content) != set(FIELDS) or form != FORMAT:
        raise BadTable(f"{where} is broken: its fields must be exactly {', '.join(FIELDS)}")
    try:
        return Mechanism.from_dict(content["mechanism"])
    except (NoisewrightError, TypeError, ValueError, KeyError, AttributeError, OverflowError) as broken:
        raise BadTable(f"the mechanism in {where} is refused: {str(broken)[:300]}") from None


def read_numeric(path: str | os.PathLike[str]) -> NumericMechanism:
    """The mechanism of a file, if it is one for numbers."""
    mechanism = read_mechanism(path)
    if not isinstance(mechanism, NumericMechanism):
        raise InvalidParameter(f"the mechanism in {path} is for labels, and numbers are needed here")
    return mechanism


def read_label_mechanism(path: str | os.PathLike[str], domain: Categories, epsilon: float) -> Mechanism:
    """The mechanism of a file for the labels of a column and a budget; refused if it is for others."""
    mechanism = read_mechanism(path)
    if not isinstance(mechanism.domain, FiniteDomain):
        raise InvalidParameter(f"the mechanism in {path} is for numbers, and labels are needed here")
    if mechanism.domain.labels != domain.labels:
        raise InvalidParameter(
            f"the mechanism in {path} is for another list of labels; give its list or design another"
        )
    _check_budget(mechanism, path, epsilon)
    return mechanism


def read_for(path: str | os.PathLike[str], domain: Domain, epsilon: float) -> NumericMechanism:
    """The mechanism of a file for a domain and a budget; refused if it was designed for others."""
    mechanism = read_numeric(path)
    check_agrees(mechanism, path, domain, epsilon)
    return mechanism


def check_agrees(
    mechanism: NumericMechanism, path: str | os.PathLike[str], domain: Domain, epsilon: float
) -> None:
    """Refuse to use a mechanism of a file for anything but what it was designed for."""
    if mechanism.domain != domain:
        raise InvalidParameter(
            f"the mechanism in {path} was designed for {mechanism.domain!r}, not for {domain!r}; "
            "give its domain or design another"
        )
    _check_budget(mechanism, path, epsilon)


def _check_budget(mechanism: Mechanism, path: str | os.PathLike[str], epsilon: float) -> None:
    if mechanism.epsilon != epsilon:
        raise InvalidParameter(
            f"the mechanism in {path} was designed for epsilon = {mechanism.epsilon:g}, but {epsilon:g} is "
            "to be spent here; give its epsilon or design another"
        )
