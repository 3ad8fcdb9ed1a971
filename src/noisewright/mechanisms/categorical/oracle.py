"""Frequency oracles: channels whose reports *support* labels, so that counting support gives frequencies.

A report supports some of the labels: k-RR the one that it names, unary encodings every label whose bit is
set, local hashing every label that its hash function sends to the reported value. With

    hit  = P[a report supports the true label],
    miss = P[a report supports a given other label],

the number of reports in support of a label is, on average, count·(miss + (hit − miss)·share), whatever the
other people say. So (support/count − miss)/(hit − miss) is unbiased for the label's share, its variance is
that of a coin, and *the counts of support and the number of reports are sufficient*: they add up over any
number of machines (Wang et al. 2017 call such protocols pure).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Categories, Cells, FiniteDomain, Floats, MetricSpace
from noisewright.domains.codes import Codes
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.base import Mechanism, open_stream
from noisewright.mechanisms.basics.finite import label_cells, label_list
from noisewright.randomness import BLOCK, Source, Stream
from noisewright.text import epsilon_words

Counts = NDArray[np.int64]

LEAST_EPSILON = 1e-15
"""A coin of 62 bits cannot represent a smaller ε."""


@dataclass(frozen=True)
class FrequencyOracle(Mechanism):
    """A mechanism for labels whose reports are counted by the labels that they support."""

    domain: FiniteDomain
    domains: ClassVar[tuple[type[FiniteDomain], ...]] = (Categories, MetricSpace)
    votes: ClassVar[bool] = False
    """Whether a report can also count against a label: counts may then be negative, and the variance of one
    label's share depends on the shares of others."""

    def _prepare(self) -> None:
        super()._prepare()
        if self.epsilon < LEAST_EPSILON or not self.hit > self.miss:
            raise InvalidParameter(
                f"epsilon = {epsilon_words(self.epsilon)} is too small for {len(self.domain)} labels: "
                "reports would say nothing at all; take a larger epsilon or a shorter list"
            )

    @property
    @abstractmethod
    def hit(self) -> float:
        """The probability that a report supports the true label."""

    @property
    @abstractmethod
    def miss(self) -> float:
        """The probability that a report supports a given other label."""

    @property
    def support_size(self) -> int:
        """Number of counts that :meth:`supports` returns, one for each label."""
        return len(self.domain)

    @property
    def labels_supported(self) -> int | None:
        """Number of labels that every report supports, if it is the same for all reports."""
        return None

    @abstractmethod
    def supports(self, reports: Any) -> Counts:
        """Count the reports that support each label; counts of several collections add up."""

    @abstractmethod
    def support_table(self, reports: Any) -> Counts:
        """Return what each report (columns) adds to each label (rows); summed over reports, ``supports``.

        It is needed for groups of labels: a report that supports two labels of a group counts once.
        """

    @property
    @abstractmethod
    def report_bits(self) -> float:
        """Number of bits of a report on the wire."""

    def unbiased(self, supports: ArrayLike, count: int) -> Floats:
        """Return unbiased shares of people with each label; that of a rare label may be negative."""
        return np.asarray((np.asarray(supports) / count - self.miss) / (self.hit - self.miss))

    def share_variance(self, shares: ArrayLike, count: int) -> Floats:
        """Return the variance of :meth:`unbiased` for ``count`` people from a population of such shares.

        >>> from noisewright.mechanisms import KRR
        >>> coin = KRR(Categories(["no", "yes"]), epsilon=1.0)
        >>> [round(v, 3) for v in coin.share_variance([0.5, 0.5], 1).tolist()]
        [1.171, 1.171]
        """
        # Shares outside 0 and 1 occur as estimates; the coin's bias stays between miss and hit.
        seen = self.miss + (self.hit - self.miss) * np.clip(np.asarray(shares, dtype=np.float64), 0.0, 1.0)
        return np.asarray(seen * (1 - seen) / (self.hit - self.miss) ** 2 / count)

    def _support_chances(self, cells: Cells) -> Floats:
        """Return the probability that the report of each true label supports each label of the list."""
        chances = np.full((cells.size, len(self.domain)), self.miss)
        chances[np.arange(cells.size), cells] = self.hit
        return chances

    def spread(self) -> float:
        """Return the variance of one report's estimate of a share, averaged over equally frequent labels.

        Protocols are compared by this number: n reports estimate a share with variance ``spread()/n``.
        """
        even = np.full(len(self.domain), 1 / len(self.domain))
        return float(np.mean(self.share_variance(even, 1)))


@dataclass(frozen=True)
class CodedOracle(FrequencyOracle):
    """A frequency oracle whose reports are codes and not labels: bits, hashes, places."""

    @property
    @abstractmethod
    def reports(self) -> Codes:
        """Where reports live."""

    @property
    def report_bits(self) -> float:
        return self.reports.bits

    def perturb(
        self,
        values: Any,
        source: Source | None = None,
        *,
        out_of_domain: str = "refuse",
        name: str = "value",
    ) -> NDArray[Any]:
        """Draw one report for each true label.

        Args:
            values: A list of labels; one outside the domain's list is refused.
            source: Randomness; by default a :class:`~noisewright.randomness.SecureSource`.
            out_of_domain: "refuse"; or, for numbers that become bins, "clip" them into the domain.
            name: What the values are called in a refusal.
        """
        return self.perturb_cells(label_cells(self.domain, values, out_of_domain, name), source)

    def perturb_cells(self, cells: Cells, source: Source | None = None) -> NDArray[Any]:
        """Draw one report for each place in the list of labels."""
        flat = self._checked_cells(cells)
        stream, step = open_stream(source), self._block
        starts = range(0, flat.size, step)
        return np.concatenate([self._draw_cells(flat[at : at + step], stream) for at in starts])

    @property
    def _block(self) -> int:
        """Number of reports drawn at a time."""
        return BLOCK

    @abstractmethod
    def _draw_cells(self, cells: Cells, stream: Stream) -> NDArray[Any]:
        """Draw reports for at most one block of labels."""

    @abstractmethod
    def likelihoods(self, reports: ArrayLike) -> Floats:
        """Return the probability of each report (columns) for each label (rows), up to a factor.

        The factor is the same for all labels of a report, so it does not matter.
        """

    def law(self, values: Any) -> Any:
        """Return the law of the reports of given labels, as probabilities of supporting each label."""
        cells = self.domain.snap(label_list(values))
        return SupportLaw(cells, self.domain, self._support_chances(cells))

    def worst_error(self, loss: Any = "squared") -> float:
        """Return the largest variance of one report's estimate of a share, over all shares."""
        self._only_squared(loss)
        ends = [self.share_variance([share], 1)[0] for share in self._turning_points()]
        return float(max(ends))

    def average_error(self, loss: Any = "squared") -> float:
        """Return the variance of one report's estimate of a share if all labels are equally frequent."""
        self._only_squared(loss)
        return self.spread()

    def _turning_points(self) -> list[float]:
        """Return the shares at which a coin's variance can be largest: the ends, and where it is fair."""
        fair = (0.5 - self.miss) / (self.hit - self.miss)
        return [0.0, 1.0, min(max(fair, 0.0), 1.0)]

    def _only_squared(self, loss: Any) -> None:
        if loss not in ("squared", 2, 2.0):
            raise InvalidParameter(
                f"the reports of {type(self).__name__} are not labels; their error is the variance of an "
                'estimated share, loss="squared"'
            )


@dataclass(frozen=True, eq=False)
class SupportLaw:
    """The probability that the report of each given label supports each label of the list.

    Attributes:
        truth: The true labels, as places in the list.
        domain: The list of labels.
        supports: A row for each true label, a column for each label of the list.
    """

    truth: Cells
    domain: FiniteDomain
    supports: Floats

    def mass(self, label: Any) -> Floats:
        """Return the probability that a report supports a label."""
        return np.asarray(self.supports[:, self.domain.snap([label])[0]])
