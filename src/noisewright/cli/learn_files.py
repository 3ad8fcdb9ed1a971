"""What the verbs of learning refuse before any work: outputs that could not be written, a missing extra."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from noisewright.cli.targets import check_new_file
from noisewright.errors import BadTable, MissingExtra


def check_learning() -> None:
    """Refuse where scikit-learn is absent."""
    try:
        import sklearn  # noqa: F401, PLC0415  (an extra)
    except ImportError as absent:
        raise MissingExtra.of("learning needs scikit-learn", "models") from absent


def check_test(test: Path | None, data: Path) -> None:
    """Refuse to measure on the very rows that were learned from, which would flatter the result."""
    if test is not None and test.exists() and data.exists() and test.samefile(data):
        raise BadTable(f"--test {test} is the data itself; measure on records that taught nothing")


def check_output(
    output: str, endings: Sequence[str], what: str, inputs: Sequence[Path], *, replace: bool
) -> None:
    """Refuse an output that is an input, has the wrong ending, or would silently replace a file."""
    target = Path(output)
    if target.suffix.lower() not in endings:
        raise BadTable(f"{what} must end in {' or '.join(endings)}, not as {output} does")
    check_new_file(target, inputs, replace=replace)
