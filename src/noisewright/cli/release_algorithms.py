"""Algorithms as they are asked for on the command line: a name, and the options that it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from noisewright.cli.numbers import read_ends, read_number
from noisewright.errors import InvalidParameter
from noisewright.release.algorithms import ALGORITHMS, Scaled
from noisewright.release.algorithms.base import Algorithm

RANGE: Final = "--range wants LOW:HIGH, for example 0:100"
LEVELS: Final = "--levels wants numbers between 0 and 1 separated by commas, for example 0.25,0.5,0.75"
SCALES: Final = ("none", "minmax", "standard")


@dataclass(frozen=True)
class AlgorithmOptions:
    """The options that describe an algorithm; None is an option that was not given."""

    clusters: int | None = None
    components: int | None = None
    regularization: float | None = None
    trees: int | None = None
    depth: int | None = None
    bins: int | None = None
    levels: str | None = None
    range: str | None = None
    clip: bool | None = None
    scale: str = "none"


@dataclass(frozen=True)
class Taken:
    """What one algorithm makes of an option: a parameter of its own, read by ``read``."""

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
    "forest": {"trees": Taken("trees"), "depth": Taken("depth")},
    "histogram": {"bins": Taken("bins"), "clip": Taken("clip")},
    "quantiles": {"levels": Taken("levels", _levels)},
}
NEEDED: Final = {"kmeans": "clusters", "pca": "components", "quantiles": "levels", "histogram": "range"}
LABELLED: Final = ("kmeans", "svm", "logistic", "ridge", "naive_bayes", "forest")
"""Algorithms that make use of a label; K-Means does well without."""

SEARCHED: Final = ("svm", "logistic", "ridge", "forest")
"""Algorithms with a regularization to search."""

UNSCALED: Final = ("kmeans", "svm", "logistic", "ridge", "pca")
"""Algorithms to which a wide column says more than a narrow one."""

RANGED: Final = ("histogram", "quantiles", "forest")
"""Algorithms that know where values lie."""


def read_algorithm(name: str, options: AlgorithmOptions) -> Algorithm:
    """The algorithm of a name with its options; one that it does not take is refused.

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
    made = _made(name, given)
    return made if options.scale == "none" else Scaled(made, options.scale)


def _made(name: str, given: dict[str, Any]) -> Algorithm:
    """The algorithm, or a refusal that names the option where the algorithm names its own parameter."""
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
