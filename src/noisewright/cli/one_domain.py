"""Options of the verbs that look at mechanisms and not at data: one domain, some ε, a loss."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Final

import typer

from noisewright.cli.numbers import read_ends, read_number, read_whole_ends
from noisewright.domains import Circle, Integers, Interval, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.parameters import DELTA, EPSILON

if TYPE_CHECKING:
    from noisewright.mechanisms import NumericMechanism

INTERVAL: Final = "--interval wants low:high, for example 40:200"
INTEGERS: Final = "--integers wants low:high in whole numbers, for example 0:99"
CIRCLE: Final = "--circle wants a period, for example 24"
LOSS: Final = "--loss is absolute, squared, or a power p"

IntervalOption = Annotated[
    str | None, typer.Option("--interval", metavar="LOW:HIGH", help="True values lie between two ends.")
]
IntegersOption = Annotated[
    str | None,
    typer.Option("--integers", metavar="LOW:HIGH", help="True values are whole numbers: ages, counts."),
]
CircleOption = Annotated[
    str | None, typer.Option("--circle", metavar="PERIOD", help="True values wrap round: hours, bearings.")
]
DeltaOption = Annotated[
    float | None, typer.Option("--delta", help=f"For Gaussians only, 1e-05 if not given: {DELTA.help}.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]


def read_domain(interval: str | None, circle: str | None, integers: str | None = None) -> NumericDomain:
    """The one domain that was asked for.

    >>> read_domain("-40:60", None), read_domain(None, "24"), read_domain(None, None, "0:99")
    (Interval(-40.0, 60.0), Circle(24.0), Integers(0, 99))
    """
    if sum(option is not None for option in (interval, circle, integers)) != 1:
        raise InvalidParameter(
            "give one domain, either --interval low:high, --integers low:high or --circle period; "
            "labels have --categories"
        )
    if integers is not None:
        return Integers(*read_whole_ends(integers, integers, INTEGERS))
    if circle is not None:
        return Circle(read_number(circle, circle, CIRCLE))
    assert interval is not None
    return Interval(*read_ends(interval, interval, INTERVAL))


def refuse_options_of_numbers(given: Mapping[str, object]) -> None:
    """Refuse options that have no meaning beside ``--categories``."""
    for option, value in given.items():
        if value is not None:
            raise InvalidParameter(f"{option} is for numbers; beside --categories it has no meaning")


def read_epsilons(texts: Iterable[str]) -> list[float]:
    """Budgets separated by commas.

    >>> read_epsilons(["0.5,1", " 2"])
    [0.5, 1.0, 2.0]
    """
    wanted = f"--epsilon wants numbers {EPSILON.range}, separated by commas, for example 0.5,1,2,4"
    return [EPSILON.check(read_number(part, text, wanted)) for text in texts for part in text.split(",")]


def read_loss(text: str) -> str | float:
    """A loss by name, or its power.

    >>> read_loss("squared"), read_loss("1.5")
    ('squared', 1.5)
    """
    return text if text in ("absolute", "squared") else read_number(text, text, LOSS)


def read_delta(delta: float | None, kinds: Iterable[type[NumericMechanism]]) -> float:
    """The δ that was asked for, or the usual one; refused where no mechanism would use it."""
    from noisewright.mechanisms.catalogue import DEFAULT_DELTA  # noqa: PLC0415  (slow to load)

    refuse_idle_delta(delta, kinds)
    return DEFAULT_DELTA if delta is None else delta


def refuse_idle_delta(delta: float | None, kinds: Iterable[type[NumericMechanism]]) -> None:
    """Refuse a δ that no mechanism would use."""
    from noisewright.mechanisms.catalogue import takes_delta  # noqa: PLC0415  (slow to load)

    if delta is not None and not any(map(takes_delta, kinds)):
        raise InvalidParameter("--delta is given, but no mechanism here takes one")
