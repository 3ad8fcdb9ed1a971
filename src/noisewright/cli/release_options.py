"""Options of ``noisewright release`` as they are typed: algorithms by name, and budgets."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from noisewright.cli.options import read_ends, read_number
from noisewright.errors import InvalidParameter
from noisewright.parameters import one_of
from noisewright.release.algorithms import ALGORITHMS, Algorithm, Scaled
from noisewright.release.algorithms.scaled import SCALABLE
from noisewright.release.basics.budgets import LEAST_RATE, NATS, MembershipSuccess, MutualInformation

BUDGET: Final = "--budget wants nats as a number or a fraction, for example 0.25 or 1/4"
SUCCESS: Final = "--success wants a share from 50.1% to below 100%, for example 58.8% or 0.588"
TOTAL: Final = "--total wants nats as a number or a fraction, for example 0.5 or 1/2"
RANGE: Final = "--range wants LOW:HIGH, for example 0:100"
LEVELS: Final = "--levels wants numbers between 0 and 1 separated by commas, for example 0.25,0.5,0.75"
SCALES: Final = ("none", "minmax", "standard")


TAKEN: Final[dict[str, dict[str, str]]] = {
    "mean": {},
    "kmeans": {"clusters": "count"},
    "pca": {"components": "count"},
    "svm": {"regularization": "C"},
    "logistic": {"regularization": "C"},
    "ridge": {"regularization": "alpha"},
    "naive_bayes": {},
    "forest": {},
    "histogram": {"clip": "clip"},
    "quantiles": {"levels": "levels"},
}
"""The options of each algorithm, and its own parameters for them."""

NEEDED: Final = {"kmeans": "clusters", "pca": "components", "quantiles": "levels", "histogram": "range"}
LABELLED: Final = ("kmeans", "svm", "logistic", "ridge", "naive_bayes", "forest")
"""Algorithms that can use a label; K-Means does not need one."""

SEARCHED: Final = ("svm", "logistic", "ridge", "forest")
"""Algorithms with a regularization to search."""

UNSCALED: Final = ("kmeans", "svm", "logistic", "ridge", "pca")
"""Algorithms that are sensitive to column scale."""

RANGED: Final = ("histogram", "quantiles", "forest")
"""Algorithms with a public range of values."""


def read_algorithm(name: str, scale: str = "none", **options: Any) -> Algorithm:
    """Return the algorithm of a name with its options; reject options that it does not take.

    Args:
        name: Value of ``--algorithm``.
        scale: Value of ``--scale``.
        options: Options that describe an algorithm, as they were typed; None for those that are missing.

    >>> read_algorithm("svm", regularization=0.05)
    LinearSVM(C=0.05)
    >>> read_algorithm("svm", clusters=3)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: --clusters is not for --algorithm svm; leave it out
    >>> read_algorithm("svm", regularization=0)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: regularization must be above 0, got 0
    """
    one_of("--algorithm", name, TAKEN)
    one_of("--scale", scale, SCALES)
    given = {option: value for option, value in options.items() if value is not None}
    if name in NEEDED and NEEDED[name] not in given:
        raise InvalidParameter(f"--algorithm {name} needs --{NEEDED[name]}")
    if name == "forest" and "range" not in given and scale != "minmax":
        raise InvalidParameter(
            "--algorithm forest splits between public ends: give --range LOW:HIGH, or --scale minmax"
        )
    parameters: dict[str, Any] = {}
    for option, value in given.items():
        if option == "range" and name in RANGED:
            parameters["low"], parameters["high"] = _read_range(value)
        elif option not in TAKEN[name]:
            raise InvalidParameter(f"--{option} is not for --algorithm {name}; leave it out")
        elif option == "levels":
            parameters[option] = tuple(read_number(part, value, LEVELS) for part in value.split(","))
        else:
            parameters[TAKEN[name][option]] = value
    if scale != "none" and not issubclass(ALGORITHMS[name], SCALABLE):
        raise InvalidParameter(f"--scale is not for --algorithm {name}; leave it out")
    with named_options(name):
        made: Algorithm = ALGORITHMS[name](**parameters)
    return made if scale == "none" else Scaled(made, scale)


def _read_range(text: str) -> tuple[float, float]:
    low, high = read_ends(text, text, RANGE)
    if not -math.inf < low < high < math.inf:
        raise InvalidParameter(f"must go from a lower to a higher number; got {text!r}", field="range")
    return low, high


@contextmanager
def named_options(name: str) -> Iterator[None]:
    """Let errors name the option where the algorithm ``name`` names its own parameter."""
    try:
        yield
    except InvalidParameter as refusal:
        for option, parameter in TAKEN[name].items():
            if refusal.field == parameter:
                message = str(refusal).removeprefix(f"{parameter} ")
                raise InvalidParameter(message, field=option) from None
        raise


def read_budget(budget: str | None, success: str | None) -> MutualInformation | MembershipSuccess:
    """Return the requested budget.

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
    if not LEAST_RATE <= rate < 1:
        raise InvalidParameter(f"{SUCCESS}; got {success!r}")
    return MembershipSuccess(rate)


def read_nats(option: str, text: str, wanted: str) -> MutualInformation:
    """Return the nats of an option; an error names the option.

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
    """Reject a label or a search that the algorithm cannot use, and a missing label."""
    if label is None and algorithm.needs_labels:
        raise InvalidParameter(f"--algorithm {name} learns from labels; name their column with --label")
    if label is not None and name not in LABELLED and not secret:
        raise InvalidParameter(f"--label is not for --algorithm {name}; columns of text are left out anyway")
    if search and name not in SEARCHED:
        raise InvalidParameter(
            f"--search is for --algorithm {', '.join(SEARCHED)}; {name} has nothing to search"
        )
