"""Algorithm 2: relative differential privacy, every database against itself without any one row."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewright.audit.basics.claim import read_epsilons
from noisewright.audit.blackbox import black_box
from noisewright.audit.neighbours.databases import rows_of
from noisewright.audit.neighbours.rows import Rows
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import real, whole
from noisewright.published.eureka.pair import LABEL, PairEstimate, eureka_pair

# -- accuracy: how far the paper says its estimates may be off -----------------------------------------


def asymptotic_reach(
    epsilon: float, samples: int, dims: int, *, failure: float = 0.05, comparisons: int = 1
) -> float:
    """Return the published accuracy of nearest neighbours on ``dims`` numbers: asymptotic, never a bound.

    The theorem behind it holds an error fixed while n grows; here the error shrinks with n, so not even for
    large n does it follow. A law whose ratio changes sides often enough defeats it at every n.

    Args:
        epsilon: The ε of the estimate.
        samples: Runs of each comparison.
        dims: Numbers in an output.
        failure: β: how often the error may be larger.
        comparisons: q: how many comparisons there are.

    >>> round(asymptotic_reach(0.0, 2_000_000, 1), 3), round(asymptotic_reach(0.0, 2_000_000, 2), 3)
    (0.14, 0.808)
    """
    # Lu et al. 2024, cor 2 to 4
    return (12 * cones_bound(dims) + 1) * risk_reach(
        epsilon, samples, failure=failure, comparisons=comparisons
    )


def risk_reach(epsilon: float, samples: int, *, failure: float = 0.05, comparisons: int = 1) -> float:
    """Return how far the estimate may be from what its own classifiers would show with endless test rows.

    2·e^ε·√(ln(4q/β)/n), Hoeffding on the n/2 test rows: this part holds for every n (each of q comparisons
    spends half of β/q; the other half is meant for the classifier). It says nothing of better classifiers.

    Args:
        epsilon: The ε of the estimate.
        samples: Runs of each comparison.
        failure: β: how often the error may be larger.
        comparisons: q: how many comparisons there are.

    >>> round(risk_reach(0.0, 1 << 26), 6)
    0.000511
    """
    size, looks = whole("samples", samples, 1, 1 << 62), whole("comparisons", comparisons, 1, 1 << 62)
    chance = real("failure", failure)
    if not 0 < chance < 1:
        raise InvalidParameter(f"must be above 0 and below 1, got {chance:g}", field="failure")
    return 2 * math.exp(real("epsilon", epsilon)) * math.sqrt(math.log(4 * looks / chance) / size)


def cones_bound(dims: int) -> float:
    """At least the number of cones of angle π/6 that cover the space: (1 + 2/√(2 − √3))^dims − 1.

    Args:
        dims: Numbers in an output.

    >>> round(cones_bound(1), 4), round(cones_bound(2), 4)
    (3.8637, 22.6556)
    """
    # Devroye, Györfi and Lugosi 1996, lemma 5.5
    return float((1 + 2 / math.sqrt(2 - math.sqrt(3))) ** whole("dims", dims, 1, 400) - 1)


# -- the estimate --------------------------------------------------------------------------------------


DIRECTIONS = ("with", "without")


@dataclass(frozen=True, eq=False)
class Comparison:
    """One estimate: a database against itself without ``row``, and which of the two was likelier.

    Attributes:
        database: What the database is called.
        row: The row that is missing on one side, counted from 0.
        direction: Whether outputs were likelier "with" the row or "without" it.
        estimate: What the pair shows.
    """

    database: str
    row: int
    direction: str
    estimate: PairEstimate

    def __str__(self) -> str:
        return f"{self.database}, row {self.row} removed, likelier {self.direction} it"


class RelativeEureka:
    """The largest estimated δ over databases, their remove-one neighbours and both directions.

    ``samples`` runs go into each comparison. Databases are added one after the other; those compared before
    are not run again, because the largest δ of all is the largest of the parts (prop 2). What grows is the
    number of comparisons, and with it how far off the largest may be.

    Args:
        mechanism: As in :func:`eureka_pair`.
        epsilons: The ε at which δ is wanted: one number or an array, from 0 to 700.
        samples: Runs for each comparison.
        classifier: As in :func:`eureka_pair`.
        vectorized: As in :func:`eureka_pair`.
        timeout: As in :func:`eureka_pair`.
        seed: As in :func:`eureka_pair`.
        progress: Called with the number of comparisons made so far.

    >>> def count(data, count, generator):
    ...     return sum(data) + generator.laplace(size=count)
    >>> found = RelativeEureka(count, [0.0], samples=2000, vectorized=True, seed=1).add([0, 0, 1], "clinic")
    >>> found.comparisons, str(found.worst(0.0)).partition(", likelier")[0]
    (6, 'clinic, row 2 removed')
    """

    label = LABEL

    def __init__(
        self,
        mechanism: Any,
        epsilons: ArrayLike,
        *,
        samples: int = 20_000,
        classifier: Any = "auto",
        vectorized: bool = False,
        timeout: float = 60.0,
        seed: int | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self._box = black_box(mechanism, vectorized=vectorized, timeout=timeout)
        self.epsilons = np.atleast_1d(read_epsilons(epsilons))
        self.samples, self._classifier, self._progress = samples, classifier, progress
        self._entropy = np.random.SeedSequence(seed).entropy
        self.compared: list[Comparison] = []

    def add(self, database: Any, name: str | None = None) -> RelativeEureka:
        """Compare one more database with all that lack a row of it, in both directions.

        It counts when all of that is done. If the mechanism fails before, everything is as it was, and the
        database may be added again.
        """
        title = f"database {len({one.database for one in self.compared}) + 1}" if name is None else name
        if any(one.database == title for one in self.compared):
            raise InvalidParameter("this database was compared before; give the new one another name")
        found: list[Comparison] = []
        for one in self._compare(title, rows_of(database)):
            found.append(one)
            if self._progress is not None:
                self._progress(self.comparisons + len(found))
        self.compared += found
        return self

    @property
    def comparisons(self) -> int:
        """Estimates that the largest was taken from: two for every database and row."""
        return len(self.compared)

    @property
    def deltas(self) -> Floats:
        """The largest estimate at every ε. A maximum of many estimates tends to be too large."""
        return np.asarray(np.max([one.estimate.deltas for one in self._found()], axis=0))

    def worst(self, epsilon: float) -> Comparison:
        """The comparison with the largest estimate at the ε of the grid that is nearest to this one."""
        place = int(np.abs(self.epsilons - float(read_epsilons(epsilon))).argmin())
        return max(self._found(), key=lambda one: float(one.estimate.deltas[place]))

    def to_dict(self) -> dict[str, Any]:
        """Everything in plain JSON values; reaches are for a failure of 5 % over all comparisons."""
        reaches = [
            risk_reach(one, self.samples, comparisons=self.comparisons) for one in self.epsilons.tolist()
        ]
        return {
            "label": self.label,
            "epsilons": self.epsilons.tolist(),
            "deltas": self.deltas.tolist(),
            "comparisons": self.comparisons,
            "samples_each": self.samples,
            "risk_reaches": reaches,
            "worst": [str(self.worst(one)) for one in self.epsilons.tolist()],
        }

    def asymptotic_reach(self, epsilon: float, dims: int, failure: float = 0.05) -> float:
        """Return the published accuracy (cor 3) after all comparisons so far: asymptotic, never a bound."""
        return asymptotic_reach(epsilon, self.samples, dims, failure=failure, comparisons=self.comparisons)

    def _compare(self, title: str, rows: Rows) -> Iterator[Comparison]:
        everyone = np.arange(rows.count)
        numbers = count(self.comparisons)
        for row in everyone.tolist():
            pair = rows.take(everyone), rows.take(np.delete(everyone, row))
            for direction, inputs in zip(DIRECTIONS, (pair, pair[::-1]), strict=True):
                yield Comparison(title, row, direction, self._estimate(inputs, next(numbers)))

    def _estimate(self, inputs: tuple[Any, Any], number: int) -> PairEstimate:
        # the child that spawn would give, by its place: those of an add that failed are free again
        child = np.random.SeedSequence(self._entropy, spawn_key=(number,))
        return eureka_pair(
            self._box,
            *inputs,
            self.epsilons,
            samples=self.samples,
            classifier=self._classifier,
            seed=int(child.generate_state(1, np.uint64)[0]),
        )

    def _found(self) -> list[Comparison]:
        if not self.compared:
            raise InvalidParameter("nothing was compared yet; add a database first")
        return self.compared
