"""The mechanism of a collection of routes, as the options say it, and why it was taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from noisewright.cli.numbers import read_number
from noisewright.errors import InvalidParameter

if TYPE_CHECKING:
    from noisewright.domains import Floats
    from noisewright.trajectory.location import LocationMechanism
    from noisewright.trajectory.spaces import Space

METHODS: Final = ("auto", "c", "d", "optimal")
SPLITS: Final = ("best", "even", "heuristic")
PURPOSES: Final = ("reconstruction", "counts", "single")
REFERENCE: Final = "--reference wants previous, centre, or a public point x,y"


@dataclass(frozen=True)
class MechanismRequest:
    """What the options say of the mechanism."""

    method: str = "auto"
    split: str = "best"
    channel: str = "OGPM"
    reference: str | None = None
    points: str | None = None
    purpose: str | None = None

    def __post_init__(self) -> None:
        if self.purpose is not None and self.purpose not in PURPOSES:
            raise InvalidParameter(f"--for must be one of {', '.join(PURPOSES)}, got {self.purpose!r}")
        if self.purpose in ("counts", "reconstruction") and self.kind in ("d", "optimal"):
            raise InvalidParameter(
                f"--for {self.purpose} needs reports that tell where many are; leave --method out, or say C"
            )
        if self.kind not in METHODS:
            raise InvalidParameter(f"--method must be auto, C, D or optimal, got {self.method!r}")
        if self.reference is not None and self.kind != "d":
            raise InvalidParameter("--reference is for TraCS-D; give --method D with it")
        if self.kind == "optimal" and self.points is None:
            raise InvalidParameter(
                "--method optimal reports one of a few public points; name them by --points"
            )
        if self.kind == "optimal" and (self.split, self.channel) != ("best", "OGPM"):
            raise InvalidParameter("--split and --channel are for TraCS; --method optimal has neither")

    @property
    def kind(self) -> str:
        """The method in the words of this file; TraCS-C is c."""
        return self.method.casefold().removeprefix("tracs").strip("-_ ")

    def build(self, space: Space, epsilon: float, points: Floats | None) -> tuple[LocationMechanism, str]:
        """The mechanism, and why it is this one; only public things decide."""
        from noisewright.trajectory import choose_tracs  # noqa: PLC0415  (slow to load)

        if self.kind == "optimal":
            return self._optimal(space, epsilon, points)
        options: dict[str, Any] = {"split": self._split(), "channel": self.channel}
        if self.kind == "d" and (self.reference is not None or points is not None):
            return self._from_reference(space, epsilon, points, options)
        purpose = self.purpose or "reconstruction"
        if self.kind != "auto":
            purpose = "single"  # what was asked for by name needs no other reason
        choice = choose_tracs(space, epsilon, self.kind, points=points, purpose=purpose, **options)
        return choice.mechanism, choice.reason

    def _split(self) -> str | float:
        if self.split in SPLITS:
            return self.split
        wanted = f"--split wants {', '.join(SPLITS)}, or a share between 0 and 1"
        return read_number(self.split, self.split, wanted)

    def _optimal(self, space: Space, epsilon: float, points: Floats | None) -> tuple[LocationMechanism, str]:
        from noisewright.trajectory import OptimalPoints  # noqa: PLC0415
        from noisewright.trajectory.words import distance_words  # noqa: PLC0415

        assert points is not None
        mechanism = OptimalPoints(space, epsilon, points=tuple((float(x), float(y)) for x, y in points))
        error = distance_words(mechanism.expected_error(points), space.units)
        return mechanism, (
            f"Expected error of a location at one of the {len(points)} public points: {error}, the least of "
            "all laws that report one of them."
        )

    def _from_reference(
        self, space: Space, epsilon: float, points: Floats | None, options: dict[str, Any]
    ) -> tuple[LocationMechanism, str]:
        from noisewright.trajectory import TraCSD, with_best_reference  # noqa: PLC0415
        from noisewright.trajectory.words import distance_words  # noqa: PLC0415

        if self.reference is None:
            assert points is not None
            mechanism = with_best_reference(space, epsilon, points, **options)
            why = f"its reference, {_words(mechanism.reference)}, errs least on the public points"
        else:
            mechanism = TraCSD(space, epsilon, reference=_reference(self.reference), **options)
            why = f"its reference is {_words(mechanism.reference)}, as asked"
        where = "anywhere in the space" if points is None else "at one of the public points"
        error = distance_words(mechanism.expected_error(points), space.units)
        return mechanism, f"Expected error of a location {where}: {error}; {why}."


def _reference(text: str) -> str | tuple[float, float]:
    if text in ("previous", "centre"):
        return text
    parts = text.split(",")
    if len(parts) != 2:
        raise InvalidParameter(f"{REFERENCE}; got {text!r}")
    return read_number(parts[0], text, REFERENCE), read_number(parts[1], text, REFERENCE)


def _words(reference: str | tuple[float, float]) -> str:
    if isinstance(reference, str):
        return {"previous": "the report before", "centre": "the centre of the space"}[reference]
    return f"the point {reference[0]:g}, {reference[1]:g}"
