"""Joint randomized response: randomized response whose lies cancel within groups that share coins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Cells
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.base import open_stream
from noisewright.mechanisms.basics.finite import label_list
from noisewright.mechanisms.categorical.krr import LabelOracle
from noisewright.mechanisms.joint.exposure import LabelExposure
from noisewright.mechanisms.joint.shared_coins import SharedCoins, answer, draw_alone, draw_grouped
from noisewright.mechanisms.joint.variances import SharedNoise
from noisewright.parameters import real
from noisewright.randomness import Source, Stream


@dataclass(frozen=True)
class JointRandomizedResponse(SharedCoins, LabelOracle):
    """Counts with less error than randomized response, where lies of the same group cancel out.

    Users are grouped at random. Each reports the true label with probability p, otherwise any other label;
    with a negative ``correlation`` of the truth flags there are fewer groups in which many lie, so that the
    number of lies, and with it the count, varies less (Zheng 2026, ch. 4; the law is in ``group_law.py``).
    Choose the correlation with ``noisewright.design.joint_plan``.

    Attributes:
        together: Share of the groups that really drew their coins together: where a device answered alone,
            privacy is the same but nothing cancels.

    >>> from noisewright import Categories
    >>> asked = Categories(["no", "yes"])
    >>> mechanism = JointRandomizedResponse(asked, epsilon=1.0, users=10_000, colluders=5, correlation=-0.3)
    >>> round(mechanism.hit, 4), round(mechanism.guarantee.epsilon_colluding, 4)
    (0.7309, 2.9494)
    >>> round(mechanism.count_variance(800)), round(0.7309 * 0.2691 / 0.4618**2 * 10_000)
    (7267, 9223)
    """

    together: float = 1.0
    title: ClassVar[str] = "Joint randomized response (JRR)"
    summary: ClassVar[str] = "randomized response with coins that pairs of people share; less error in counts"

    def _prepare(self) -> None:
        object.__setattr__(self, "together", real("together", self.together))
        if not 0 <= self.together <= 1:
            raise InvalidParameter(
                f"must be a number from 0 to 1, got {self.together!r}; it is a share of all groups",
                field="together",
            )
        super()._prepare()

    @property
    def exposure(self) -> LabelExposure:
        return LabelExposure(len(self.domain))

    @property
    def noise(self) -> SharedNoise:
        correlation = float(self.coins.correlation)
        if correlation < 0:  # one that costs is counted in full: which groups are left is not known
            correlation *= self.together
        return SharedNoise.of_response(self.hit, correlation, len(self.domain), self.group)

    @property
    def hit(self) -> float:
        return float(self.coins.truth)

    @property
    def miss(self) -> float:
        return float(self.coins.lie / (len(self.domain) - 1))

    def respond(self, values: Any, truths: ArrayLike, source: Source | None = None) -> NDArray[Any]:
        """Return reports of people whose truth flags are already drawn, as on a device after the protocol.

        Whoever lies reports any of the other labels, all exactly equally likely.

        Args:
            values: The true labels.
            truths: For each of them, whether it is reported.
            source: Randomness of lies; by default a :class:`~noisewright.randomness.SecureSource`.

        >>> from noisewright import Categories
        >>> mechanism = JointRandomizedResponse(Categories(["no", "yes"]), 1.0, users=2)
        >>> mechanism.respond(["yes", "yes"], [True, False]).tolist()
        ['yes', 'no']
        """
        cells = self.domain.snap(label_list(values))
        flags = np.asarray(truths)
        if flags.dtype != np.bool_ or flags.shape != cells.shape:
            raise InvalidParameter("must be as many True or False as there are values", field="truths")
        return self.reports.centres(answer(cells, flags, len(self.domain), open_stream(source)))

    def _draw_together(self, cells: Cells, stream: Stream) -> NDArray[Any]:
        flags = draw_grouped(self.coins, cells.size, stream)[:, 0]
        return self.reports.centres(answer(cells, flags, len(self.domain), stream))

    def _draw_cells(self, cells: Cells, stream: Stream) -> Cells:
        """Draw reports of people who answer alone because their partner is gone."""
        return answer(cells, draw_alone(self.coins, cells.size, stream), len(self.domain), stream)

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        return self.coins.answers(cell, len(self.domain))
