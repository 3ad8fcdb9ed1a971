"""Options of ``noisewright release`` as they are typed: algorithms by name, and budgets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from noisewright.cli.options import read_ends, read_number
from noisewright.errors import InvalidParameter
from noisewright.release.algorithms import ALGORITHMS, Algorithm, Scaled
from noisewright.release.basics.budgets import NATS, MembershipSuccess, MutualInformation

BUDGET: Final = "--budget wants nats as a number or a fraction, for example 0.25 or 1/4"
SUCCESS: Final = "--success wants a share above 50 %, for example 58.8% or 0.588"
TOTAL: Final = "--total wants nats as a number or a fraction, for example 0.5 or 1/2"
RANGE: Final = "--range wants LOW:HIGH, for example 0:100"
LEVELS: Final = "--levels wants numbers between 0 and 1 separated by commas, for example 0.25,0.5,0.75"
SCALES: Final = ("none", "minmax", "standard")


@dataclass(frozen=True)
class AlgorithmOptions:
    """The options that describe an algorithm; None is an option that was not given."""

    clusters: int | None = None
    components: int | None = None
    regularization: float | None = None
    levels: str | None = None
    range: str | None = None
    clip: bool | None = None
    scale: str = "none"


@dataclass(frozen=True)
class Taken:
    """What one algorithm makes of an option.

    Attributes:
        parameter: Its own parameter.
        read: Reads the value that was typed.
    """

    parameter: str
    read: Callable[[Any], Any] = lambda value: value


def _levels(text: str) -> tuple[float, ...]:
    return tuple(read_number(part, text, LEVELS) for part in text.split(","))


TAKEN: Final[dict[str, dict[str, Taken]]] = {
    "mean": {},
    "kmeans": {"clusters": Taken("count")},
    "pca": {"components": Taken("count")},
    "svm": {"regularization": Taken("C")},
    "logistic": {"regularization": Taken("C")},
    "ridge": {"regularization": Taken("alpha")},
    "naive_bayes": {},
    "forest": {},
    "histogram": {"clip": Taken("clip")},
    "quantiles": {"levels": Taken("levels", _levels)},
}
NEEDED: Final = {"kmeans": "clusters", "pca": "components", "quantiles": "levels", "histogram": "range"}
LABELLED: Final = ("kmeans", "svm", "logistic", "ridge", "naive_bayes", "forest")
"""Algorithms that make use of a label; K-Means does well without."""

SEARCHED: Final = ("svm", "logistic", "ridge", "forest")
"""Algorithms with a regularization to search."""

UNSCALED: Final = ("kmeans", "svm", "logistic", "ridge", "pca")
"""Algorithms that are sensitive to column scale."""

RANGED: Final = ("histogram", "quantiles", "forest")
"""Algorithms that know where values lie."""


def read_algorithm(name: str, options: AlgorithmOptions) -> Algorithm:
    """Return the algorithm of a name with its options; one that it does not take is rejected.

    >>> read_algorithm("svm", AlgorithmOptions(regularization=0.05))
    LinearSVM(C=0.05)
    >>> read_algorithm("svm", AlgorithmOptions(clusters=3))
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: --clusters is not for --algorithm svm; leave it out
    >>> read_algorithm("svm", AlgorithmOptions(regularization=0))
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: --regularization must be above 0, got 0
    """
    if name not in TAKEN:
        raise InvalidParameter(f"--algorithm must be one of {', '.join(TAKEN)}; got {name!r}")
    if options.scale not in SCALES:
        raise InvalidParameter(f"--scale must be one of {', '.join(SCALES)}; got {options.scale!r}")
    given = {key: value for key, value in vars(options).items() if value is not None and key != "scale"}
    if NEEDED.get(name, "") and NEEDED[name] not in given:
        raise InvalidParameter(f"--algorithm {name} needs --{NEEDED[name]}")
    if name == "forest" and "range" not in given and options.scale != "minmax":
        raise InvalidParameter(
            "--algorithm forest splits between public ends: give --range LOW:HIGH, or --scale minmax"
        )
    made = _build(name, given)
    return made if options.scale == "none" else Scaled(made, options.scale)


def _build(name: str, given: dict[str, Any]) -> Algorithm:
    """Return the algorithm; an error names the option where the algorithm names its own parameter."""
    parameters = _parameters(name, given)
    try:
        made: Algorithm = ALGORITHMS[name](**parameters)
    except InvalidParameter as refusal:
        text = str(refusal)
        for option, taken in TAKEN[name].items():
            if text.startswith(f"{taken.parameter} "):
                text = f"--{option}{text.removeprefix(taken.parameter)}"
        raise InvalidParameter(text) from None
    return made


def _parameters(name: str, given: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for option, value in given.items():
        if option == "range" and name in RANGED:
            found["low"], found["high"] = read_ends(value, value, RANGE)
        elif option in TAKEN[name]:
            found[TAKEN[name][option].parameter] = TAKEN[name][option].read(value)
        else:
            raise InvalidParameter(f"--{option} is not for --algorithm {name}; leave it out")
    return found


def read_budget(budget: str | None, success: str | None) -> MutualInformation | MembershipSuccess:
    """Return the one budget that was asked for.

    >>> read_budget("1/4", None), read_budget(None, "58.8%")
    (MutualInformation(nats=0.25), MembershipSuccess(rate=0.588, confidence=0.999))
    """
    if (budget is None) == (success is None):
        raise InvalidParameter("give either --budget in nats or --success of a membership attack")
    if budget is not None:
        return read_nats("--budget", budget, BUDGET)
    rate = read_fraction(success or "", SUCCESS)
    if 50 < rate < 100 and "%" not in str(success):
        raise InvalidParameter(f"--success wants a share; write {rate:g}% or {rate / 100:g}")
    if not 0.5 < rate < 1:
        raise InvalidParameter(f"{SUCCESS}; got {success!r}")
    return MembershipSuccess(rate)


def read_nats(option: str, text: str, wanted: str) -> MutualInformation:
    """Return the nats that an option gives; an error names it.

    >>> read_nats("--budget", "25%", BUDGET)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: --budget is in nats, not percent, for example 0.25 or 1/4; got '25%'
    """
    if text.strip().endswith("%"):
        raise InvalidParameter(f"{option} is in nats, not percent, for example 0.25 or 1/4; got {text!r}")
    return MutualInformation(replace(NATS, name=option).check(read_fraction(text, wanted)))


def read_fraction(text: str, wanted: str) -> float:
    """Return a number that may be written as a fraction or in per cent.

    >>> read_fraction("1/64", BUDGET), read_fraction("12 %", SUCCESS)
    (0.015625, 0.12)
    """
    bare = text.strip()
    try:
        number = Fraction(bare.removesuffix("%").strip())
        return float(number / 100 if bare.endswith("%") else number)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise InvalidParameter(f"{wanted}; got {text!r}") from None


def check_choice(name: str, algorithm: Algorithm, *, label: str | None, search: bool, secret: bool) -> None:
    """Reject a label or a search that the algorithm has no use for, and a label that is missing."""
    if label is None and algorithm.needs_labels:
        raise InvalidParameter(f"--algorithm {name} learns from labels; name their column with --label")
    if label is not None and name not in LABELLED and not secret:
        raise InvalidParameter(f"--label is not for --algorithm {name}; columns of text are left out anyway")
    if search and name not in SEARCHED:
        raise InvalidParameter(
            f"--search is for --algorithm {', '.join(SEARCHED)}; {name} has nothing to search"
        )
