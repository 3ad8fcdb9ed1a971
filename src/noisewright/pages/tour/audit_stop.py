"""The stop about auditing: one of our mechanisms holds its claim, a published one does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from noisewright.errors import MissingExtra
from noisewright.mechanisms import OGPM
from noisewright.pages.markup import Content, Html, paragraph, tag
from noisewright.pages.tour.clinic import PRESSURE_RANGE
from noisewright.pages.tour.trip import EPSILON, Stop, Trip

if TYPE_CHECKING:
    from noisewright.audit.gallery import Exhibit
    from noisewright.audit.spectrum import Spectrum

HEADING: Final = "Is it as private as it claims?"
WRONG: Final = "randomized-response-published"
RUNS: Final = 40_000
_SEED: Final = 2029


def auditing(trip: Trip) -> Stop:
    """What outputs alone tell about two claims, one kept and one not."""
    try:
        from noisewright.audit.gallery import exhibit  # noqa: PLC0415  (scikit-learn is slow to load)
    except MissingExtra as missing:
        said = f"Auditing was left out: {missing}"
        return Stop(HEADING, [said], {"audits": None}, [said])
    from noisewright.pages.audit_page import spectrum_drawn, witness_box  # noqa: PLC0415
    from noisewright.pages.audit_words import verdict  # noqa: PLC0415

    wrong = exhibit(WRONG)
    ours, theirs = _ours(trip), _theirs(wrong)
    told = [_first(), f"Ours: {verdict(ours)}", f"Theirs: {wrong.sentence} {verdict(theirs)}"]
    witness = theirs.witness
    shown: list[Content] = [] if witness is None else witness_box(theirs, witness)
    content = [*told, *shown, spectrum_drawn(theirs, "audit-spectrum"), _commands()]
    lines = [*told, *([] if witness is None else [witness.sentence])]
    return Stop(HEADING, lines, {"audits": [ours.to_dict(), theirs.to_dict()]}, content)


def _ours(trip: Trip) -> Spectrum:
    """A mechanism of ours between the ends of its range, drawn as in earnest unless the tour is seeded."""
    from noisewright.audit.auditing import audit  # noqa: PLC0415
    from noisewright.audit.blackbox import MechanismBox  # noqa: PLC0415

    box = MechanismBox(OGPM(PRESSURE_RANGE, EPSILON), simulated=not trip.source.private)
    low, high = PRESSURE_RANGE.start, PRESSURE_RANGE.start + PRESSURE_RANGE.length
    names = f"a pressure of {low:g}", f"a pressure of {high:g}"
    return audit(box, low, high, claim=EPSILON, samples=RUNS, score="value", seed=_SEED, names=names)


def _theirs(wrong: Exhibit) -> Spectrum:
    from noisewright.audit.auditing import audit  # noqa: PLC0415

    return audit(
        wrong.mechanism, *wrong.pairs[0], claim=wrong.claim, samples=RUNS, vectorized=True, seed=_SEED,
        names=("one answer", "another answer"),
    )  # fmt: skip


def _first() -> str:
    return (
        "Whoever is told that a mechanism is private need not believe it. An audit runs it as a black box on "
        f"two inputs, here {RUNS:,} times, and bounds from below how well its outputs tell the inputs apart: "
        "the curve of δ over ε, valid as a whole at 95 % confidence. It can show that a claim is false, and "
        "never that it is true."
    )


def _commands() -> Html:
    return paragraph(
        "To do it: ", tag("code", f"noisewright audit ogpm --interval 50:150 --claim {EPSILON:g}"), ", or ",
        tag("code", "noisewright audit --gallery"), " for all that are known to be wrong.",
    )  # fmt: skip
