"""The rivals of MRMA: the other columns of Qin and Bai's tables, as classifiers of the same kind.

=============  ==============================================================================================
Weak           one weak classifier, drawn at random: its expected error is the mean of all
Reversed       the same after reversal by feedback ("MR" in the text)
MRMA           with ``reversal=False``: weighted by feedback, not reversed ("MA")
Voting         every client sends a noisy record; one classifier for each part of them, majority vote
Averaging      the same parts, mean of the scores
AllData        one classifier from all noisy records
Histogram      noisy counts of records in the cells of a grid (Berrett and Butucea 2019)
=============  ==============================================================================================
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Never

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases import Base, find_base
from noisewright.learn.ensemble import Mixture
from noisewright.learn.ensemble.procedure import collect_records, signs_of
from noisewright.learn.models.private_classifier import PrivateClassifier
from noisewright.learn.mrma import MRMA
from noisewright.learn.questions import SplitQuestion
from noisewright.learn.questions.rounds import Chance, Population, simulate
from noisewright.learn.rules import Rule, mixed
from noisewright.parameters import whole

MOST_PARTS = 10_000


def fit_parts(reports: Floats, parts: int, base: Base, public: np.random.Generator) -> list[Rule]:
    """Return one rule from each of ``parts`` equal parts of the noisy records, labels in the last column.

    There are no more parts than records, and records that are left over are not used.
    """
    count = min(whole("weak (parts of the records)", parts, 1, MOST_PARTS), len(reports))
    size = len(reports) // count
    stack = reports[: size * count].reshape(count, size, -1)
    return base.fit_many(stack[:, :, :-1], signs_of(stack[:, :, -1]), public)


class RecordClassifier(PrivateClassifier):
    """Baselines that ask every client for a record; two classes only.

    Args:
        base: The learner: a name such as "logistic" or "svm", or a scikit-learn classifier.
        epsilon: What every client spends in all.
        domain: Where features live, publicly; None squashes numbers by tanh.
        classes: The public list of labels; None reads it off ``y``.
        weak: Number of parts that the records are divided into, one classifier each.
        intercept: Whether classifiers have an intercept.
        mechanism: The channel of every column of a record.
        random_state: None draws secure noise; a seed or generator repeats it, and then it hides nothing.
        n_jobs: joblib's number of jobs for scikit-learn bases.
    """

    two_classes = True
    spent_: Counter[Fraction]

    def __init__(
        self,
        base: Any = "logistic",
        *,
        epsilon: float = 1.0,
        domain: Any = None,
        classes: Any = None,
        weak: int = 30,
        intercept: bool = True,
        mechanism: str = "laplace",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.base = base
        self.epsilon = epsilon
        self.domain = domain
        self.classes = classes
        self.weak = weak
        self.intercept = intercept
        self.mechanism = mechanism
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _learn(self, units: Floats, codes: Cells, chance: Chance) -> None:
        population = Population(units, codes, self.epsilon, chance)
        question = SplitQuestion(self.epsilon, units.shape[1], self.mechanism)
        base = find_base(self.base, self.intercept, self.n_jobs).bound(question)
        reports = simulate(collect_records(question, len(units)), population)
        self.rule_ = self._fit_rule(reports, base, chance.public)
        self.spent_ = population.account.totals()

    @abstractmethod
    def _fit_rule(self, reports: Floats, base: Base, public: np.random.Generator) -> Rule:
        """Return the rule of all reports."""


class AllData(RecordClassifier):
    """One classifier from the noisy records of all clients.

    Its parameters are those of :class:`RecordClassifier`; ``weak`` is not used.

    >>> X = np.random.default_rng(0).uniform(-1, 1, (500, 2))
    >>> AllData(epsilon=30.0, random_state=1).fit(X, X[:, 0] > 0).score(X, X[:, 0] > 0) > 0.9
    True
    """

    def _fit_rule(self, reports: Floats, base: Base, public: np.random.Generator) -> Rule:
        return fit_parts(reports, 1, base, public)[0]


class Voting(RecordClassifier):
    """One classifier from each of ``weak`` parts of the noisy records; the majority decides.

    Its parameters are those of :class:`RecordClassifier`. With few clients, every record is a part.
    """

    def _fit_rule(self, reports: Floats, base: Base, public: np.random.Generator) -> Rule:
        rules = fit_parts(reports, self.weak, base, public)
        return mixed(rules, np.ones(len(rules)), "votes")


class Averaging(RecordClassifier):
    """The same parts as for :class:`Voting`; the mean of their scores decides."""

    def _fit_rule(self, reports: Floats, base: Base, public: np.random.Generator) -> Rule:
        rules = fit_parts(reports, self.weak, base, public)
        return mixed(rules, np.full(len(rules), 1 / len(rules)))


class Weak(MRMA):
    """One of the weak classifiers of MRMA, drawn at random, as it was trained.

    Its error is, on average, the mean error of the weak classifiers: the column "Weak" of the paper. The
    evaluating clients are asked all the same, so that the training is MRMA's own. Two classes only.

    >>> X = np.random.default_rng(0).uniform(-1, 1, (500, 2))
    >>> model = Weak(epsilon=1.0, random_state=1).fit(X, X[:, 0] > 0)
    >>> model.rule_ in model.weak_.trained
    True
    """

    two_classes = True
    candidates: ClassVar[str] = "trained"
    """The rules of a :class:`Mixture` that one is drawn from."""

    def _result(self, learned: Mixture, public: np.random.Generator) -> Rule:
        rules: tuple[Rule, ...] = getattr(learned, self.candidates)
        return rules[public.integers(len(rules))]


class Reversed(Weak):
    """One of the weak classifiers of MRMA after reversal, drawn at random.

    Its error is, on average, the mean error of all reversed weak classifiers, which is what the paper's text
    calls "MR". The published numbers agree instead with the mean of those above the cut-off. "MA", weights
    without reversal, is ``MRMA(reversal=False)``.
    """

    candidates = "kept"


MOST_CELLS = 1 << 22
"""The most cells of the grid, each of which gets noise: 4 cuts along each of 11 columns."""


@dataclass(frozen=True, eq=False)
class GridRule(Rule):
    """A table of scores on the grid that cuts every unit column into ``cuts`` equal pieces.

    It has no kind, so that no device can be sent one.

    >>> GridRule(np.array([-1.0, 2.0]), cuts=2).scores(np.array([[-0.5], [0.5], [1.0]])).tolist()
    [-1.0, 2.0, 2.0]
    """

    table: Floats
    cuts: int

    def scores(self, units: Floats) -> Floats:
        return np.asarray(self.table[grid_cells(units, self.cuts)])

    def to_dict(self) -> Never:
        raise InvalidParameter("the histogram is a baseline of simulations; its rule is not sent to devices")


class Histogram(PrivateClassifier):
    """A comparison of the labels in a record's cell of a grid, by noisy counts; two classes only.

    **A baseline for simulations: it carries no guarantee.** In the published mechanism a client sends one
    number for every cell and label, 1 where its record falls and 0 elsewhere, each with Laplace noise of
    scale 2^(d + 1)/ε, empty cells too; with 4 cuts along 8 columns that is 131,072 numbers a client. Only
    the sum over clients is used, and a sum of n Laplace draws has the law of the difference of two gamma
    draws of shape n, so the simulation draws that difference once for every cell. It is the law of the sums
    of real-valued noise; nobody's report is ever made, hence ``simulated_`` is True and no budget is
    accounted for.

    Args:
        epsilon: The ε of the published mechanism.
        domain: Where features live; None squashes numbers by tanh.
        classes: The public list of labels; None reads it off ``y``.
        cuts: Number of pieces of every column.
        random_state: Seeds the simulation; None draws a fresh one.

    >>> X = np.random.default_rng(0).uniform(-1, 1, (500, 2))
    >>> Histogram(epsilon=32.0, random_state=1).fit(X, X[:, 0] > 0).simulated_
    True
    """

    two_classes = True

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        domain: Any = None,
        classes: Any = None,
        cuts: int = 4,
        random_state: Any = None,
    ) -> None:
        self.epsilon = epsilon
        self.domain = domain
        self.classes = classes
        self.cuts = cuts
        self.random_state = random_state

    def _learn(self, units: Floats, codes: Cells, chance: Chance) -> None:
        people, width = units.shape
        cuts = whole("cuts", self.cuts, 1, 1 << 10)
        if cuts**width > MOST_CELLS:
            raise InvalidParameter(
                f"{cuts} cuts along {width} columns make more than {MOST_CELLS:,} cells; take fewer cuts"
            )
        lead = np.bincount(grid_cells(units, cuts), weights=2.0 * codes - 1.0, minlength=cuts**width)
        scale = 2.0 ** (width + 1) / self.epsilon  # Qin and Bai 2026, section 7.1
        # Both labels of a cell get noise, and their difference decides: 2n Laplace draws in sum.
        noise = scale * laplace_sums(2 * people, len(lead), chance.public)
        self.rule_, self.simulated_ = GridRule(lead + noise, cuts), True


def grid_cells(units: Floats, cuts: int) -> Cells:
    """Return the cell of each row: the pieces of its columns as digits of one number."""
    pieces = np.clip(((units + 1) / 2 * cuts).astype(np.int64), 0, cuts - 1)
    return np.asarray(pieces @ cuts ** np.arange(units.shape[1]))


def laplace_sums(terms: int, count: int, generator: np.random.Generator) -> Floats:
    """Draw sums of ``terms`` standard Laplace draws each: the difference of two gamma draws of that shape.

    A Laplace draw is the difference of two exponential ones, and exponential draws add up to a gamma draw.
    """
    first, second = generator.standard_gamma(terms, (2, count))
    return np.asarray(first - second)
