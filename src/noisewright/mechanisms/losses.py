"""How wrong a report may be: the ℓp losses |report − truth|^p."""

from __future__ import annotations

from noisewright.errors import InvalidParameter
from noisewright.parameters import Parameter

NAMES = {"absolute": 1.0, "squared": 2.0}

POWER = Parameter(
    name="the power of a loss", meaning="loss |report − truth|^p", above=0, at_most=16, usual=(1, 2)
)

Loss = str | float


def power(loss: Loss) -> float:
    """The exponent p of a loss: "absolute", "squared", or p itself.

    >>> power("absolute"), power("squared"), power(1.5)
    (1.0, 2.0, 1.5)
    """
    if isinstance(loss, str):
        if loss not in NAMES:
            raise InvalidParameter(f'a loss is "absolute", "squared" or a power p, not {loss!r}')
        return NAMES[loss]
    return POWER.check(loss)
