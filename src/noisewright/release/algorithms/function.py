"""Any function from rows to numbers; its signature says how many of (rows, labels, seed) it takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, ClassVar, NamedTuple

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import BadRelease, InvalidParameter
from noisewright.release.algorithms.base import Algorithm, Facts, Labels, number_array, set_fields


@dataclass(frozen=True, init=False)
class Function(Algorithm):
    """A function of (rows), (rows, labels) or (rows, labels, seed) that returns numbers in a fixed shape.

    Labels and seed are passed if the function requires them, or has parameters of that name (``labels`` or
    ``y``; ``seed`` or ``random_state``). The vector is its flattened result; the model is the noised array in
    the original shape.

    Args:
        callable: The function; all its randomness must come from the seed it is given.
        coordinates: Names of the numbers it returns; None numbers them.
        post: Function of the noised array that makes the model, at no cost; None takes the array itself.

    >>> def spread(rows):
    ...     return rows.max(axis=0) - rows.min(axis=0)
    >>> rows = np.array([[1.0, 5.0], [3.0, 4.0]])
    >>> function = Function(spread, coordinates=["width", "height"]); facts = function.facts(rows, None)
    >>> function.fit(rows, None, seed=0, facts=facts).tolist()
    [2.0, 1.0]
    """

    callable: Callable[..., Any]
    entries: tuple[str, ...] | None
    post: Callable[[Any], Any] | None
    arguments: Arguments = field(repr=False)

    title: ClassVar[str] = "the answer of a function"

    def __init__(
        self,
        callable: Callable[..., Any],  # noqa: A002  (the word that says what is wanted)
        coordinates: Sequence[str] | None = None,
        post: Callable[[Any], Any] | None = None,
    ) -> None:
        # ``coordinates`` is also a method, so the given names are stored as ``entries``.
        entries = None if coordinates is None else tuple(map(str, coordinates))
        set_fields(self, callable=callable, entries=entries, post=post, arguments=read_arguments(callable))

    @property
    def needs_labels(self) -> bool:  # type: ignore[override]  # depends on the function
        """Whether the function takes exactly (rows, labels); with three it may only want the seed."""
        return self.arguments.required == 2

    def facts(self, rows: Floats, labels: Labels | None, names: Sequence[str] | None = None) -> Facts:
        """Run the function once on the whole pool to learn the shape of its result; discard the numbers."""
        try:
            answer = self._call(rows.copy(), labels, seed=0)
        except Exception as error:  # a stranger's function may raise anything, and quote the data
            if isinstance(error, BadRelease):
                raise
            raise BadRelease(
                f"the function raised {type(error).__name__} on the whole pool; it receives rows as a NumPy "
                "array, whatever the table was: call it with one to see why"
            ) from None
        if self.entries is not None and len(self.entries) != answer.size:
            raise InvalidParameter(
                f"coordinates has {len(self.entries)} names, but the function returns {answer.size} numbers"
            )
        return replace(super().facts(rows, None, names), reference=np.zeros(answer.shape))

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        answer = self._call(rows, labels, seed)
        shape = _shape(facts, answer)
        if answer.size == np.prod(shape) and answer.shape != shape:
            raise BadRelease(f"the function returned shape {answer.shape}, not {shape}; keep one shape")
        return answer.ravel()

    def model(self, vector: Floats, facts: Facts) -> Any:
        """Return the numbers in the function's original shape, after ``post``."""
        array = vector.reshape(_shape(facts, vector)).copy()
        answer = float(array) if array.ndim == 0 else array
        return answer if self.post is None else self.post(answer)

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        if self.entries is not None:
            return self.entries
        places = np.ndindex(self.reference(facts).shape)
        return tuple(" ".join(["value", ",".join(map(str, place))]).strip() for place in places)

    def _call(self, rows: Floats, labels: Labels | None, seed: int) -> Floats:
        answer = self.callable(*(rows, labels, seed)[: self.arguments.passed])
        array = number_array(answer)
        if array is None:
            raise BadRelease("the function returned no numbers; let it return a number or a non-empty array")
        return array.astype(np.float64)


def _shape(facts: Facts, answer: Floats) -> tuple[int, ...]:
    return answer.shape if facts.reference is None else facts.reference.shape


KNOWN_NAMES = ((), ("labels", "y"), ("seed", "random_state"))
"""Names under which an optional parameter in each place is passed something."""

BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Arguments(NamedTuple):
    """Number of arguments that a function is passed, and number that it requires."""

    passed: int
    required: int


def read_arguments(function: Callable[..., Any]) -> Arguments:
    """Return how many arguments to pass: 1 for (rows), 2 for (rows, labels), 3 for (rows, labels, seed).

    Optional parameters count only under these names: ``axis`` of ``numpy.mean`` must not receive labels.

    >>> read_arguments(lambda rows, axis=0: 0), read_arguments(lambda rows, y=None, seed=0: 0)
    (Arguments(passed=1, required=1), Arguments(passed=3, required=1))
    """
    if not callable(function):
        raise InvalidParameter(f"the function must be callable, got a {type(function).__name__}")
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # some compiled functions have no signature
        return Arguments(1, 1)
    by_place = [one for one in parameters if one.kind in BY_PLACE]
    required = sum(one.default is inspect.Parameter.empty for one in by_place)
    takes_rows = any(one.kind in (*BY_PLACE, inspect.Parameter.VAR_POSITIONAL) for one in parameters)
    by_name = (one for one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY)
    demands_names = any(one.default is inspect.Parameter.empty for one in by_name)  # and nothing passes them
    if required > 3 or not takes_rows or demands_names:
        raise InvalidParameter("the function must take (rows), (rows, labels) or (rows, labels, seed)")
    sure = max(1, required)
    optional = zip(by_place[sure:], KNOWN_NAMES[sure:], strict=False)
    handed = takewhile(lambda pair: pair[0].name in pair[1], optional)
    return Arguments(sure + len(list(handed)), required)
