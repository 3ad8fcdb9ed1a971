"""What accuracy to expect of mixed rules, from public numbers: the model behind the advisor.

**Features.** Unit columns of standard deviation v in d directions of equal weight; the label is the side of
one direction u, right with probability ½ + a. A rule of direction w at angle θ to u then has the accuracy
½ + a(1 − 2θ/π), to first order ½ + b·cos θ with b = 2a/π.

**Trained rules.** A rule trained on n₀ of N₀ noisy records points, to first order, along their mean of label
times report, x = M + D, with M normal around m·u with variance S/N₀ a coordinate (what all rules share) and
D normal around 0 with variance t² = S(1/n₀ − 1/N₀). Here S = v² + 2λ², λ = 2(d+1)/ε, is what Laplace noise
makes of a coordinate, and m = 2a·v·√(2/π)·tanh(ε/(2d+2)) what it leaves of the tie to the label. An untrained
rule has M = 0 and any t: both are one formula.

**Feedback** of n₁ = N₁/B people adds an error of variance σ² = ((e^ε+1)/(e^ε−1))²/(4n₁) to b·cos θ (Qin and
Bai 2026, thm 3). With weights r̃ − ½ the mixed direction is

    along u        (b/ℓ)(M_u² + t²),                                  ℓ² = E|x|² = E M_u² + S(d−1)/N₀ + t²·d
    across, each   variance (b/ℓ)²·M_u²·S/N₀ + [t²(σ² + b²(M_u²+t²)/ℓ²) + (S/N₀)(σ² + b²t²/ℓ²)] / B

and the accuracy follows from the angle. σ²/B depends on N₁ only: **more rules with fewer people each cost
nothing** and lower the rest.

**A cut-off** r₀ > ½ thresholds the estimates x = r̃ − ½ by g(x) = sign(x)(|x| − r₀ + ½)₊. For normal x the
signal is multiplied by E g′(x) and the noise by E g²(x)/E x², and by Stein's identity and Cauchy and Schwarz
(E g′)² ≤ E g²/E x²: **no cut-off beats ½** as long as rules are draws of one kind.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.learn.feedback import response
from noisewright.parameters import EPSILON, real, whole

UNIFORM_SPREAD = 3**-0.5
"""The standard deviation of a unit column whose values are spread evenly."""

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(48)
_CHANCES = _WEIGHTS / _WEIGHTS.sum()


@dataclass(frozen=True)
class Allocation:
    """How clients are shared out: ``training`` send records, and each of ``weak`` rules sees ``subset``."""

    training: int
    subset: int
    evaluation: int
    weak: int


@dataclass(frozen=True)
class Setting:
    """What is publicly known or guessed about a learning task with two classes.

    ``best_accuracy`` is what the best linear rule might reach; ``spread`` the standard deviation of a
    unit column.

    >>> Setting(width=4, epsilon=1.0).signal_to_noise < 1e-5    # of one noisy record
    True
    """

    width: int
    epsilon: float
    best_accuracy: float = 0.8
    spread: float = UNIFORM_SPREAD

    def __post_init__(self) -> None:
        whole("width", self.width, 1, 10_000)
        EPSILON.check(self.epsilon)
        if not 0.5 < real("best_accuracy", self.best_accuracy) <= 1:
            raise InvalidParameter(
                f"best_accuracy must be above 0.5 and at most 1, got {self.best_accuracy!r}"
            )
        if not 0 < real("spread", self.spread) <= 1:
            raise InvalidParameter(f"spread must be above 0 and at most 1, got {self.spread!r}")

    @property
    def advantage(self) -> float:
        """How much better than a coin the best rule is."""
        return self.best_accuracy - 0.5

    @property
    def slope(self) -> float:
        """Accuracy per cosine of the angle to the best rule."""
        return 2 * self.advantage / math.pi

    @property
    def report_variance(self) -> float:
        """The variance of one coordinate of a noisy record."""
        return self.spread**2 + 2 * (2 * (self.width + 1) / self.epsilon) ** 2

    @property
    def signal(self) -> float:
        """The mean of label times report along the best direction."""
        label_kept = math.tanh(self.epsilon / (2 * self.width + 2))
        return 2 * self.advantage * self.spread * math.sqrt(2 / math.pi) * label_kept

    @property
    def signal_to_noise(self) -> float:
        """How much one noisy record tells about the best direction."""
        return self.signal**2 / self.report_variance

    @property
    def feedback_variance(self) -> float:
        """The variance of an accuracy estimated from one person's answer, at accuracy ½."""
        return 0.25 / (2 * response(self.epsilon).hit - 1) ** 2


def expected_accuracy(plan: Allocation, setting: Setting, cutoff: float = 0.5) -> float:
    """How often the mixed rule of a plan is right, according to the model.

    >>> round(expected_accuracy(Allocation(0, 0, evaluation=3000, weak=250), Setting(4, 1.0)), 2)
    0.73
    """
    along, across = _mixture(plan, setting, cutoff)
    ratio = along / math.sqrt(across) if across > 0 else math.inf
    return 0.5 + setting.advantage * (1 - 2 * _mean_angle(ratio, setting.width) / math.pi)


def _mixture(plan: Allocation, setting: Setting, cutoff: float) -> tuple[float, float]:
    """The mixed direction along the best one, and its variance in each direction across."""
    noise, shared, own, signal = setting.feedback_variance * plan.weak / plan.evaluation, 0.0, 1.0, 0.0
    if plan.training:
        shared = setting.report_variance / plan.training
        own = setting.report_variance * (1 / plan.subset - 1 / plan.training)
        signal = setting.signal**2 + shared
    length = signal + shared * (setting.width - 1) + own * setting.width
    tie = setting.slope**2 / length
    mean_kept, square_kept = _thresholded(cutoff, math.sqrt(noise + tie * (signal + own)), plan.weak)
    chance = own * (noise + tie * (signal + own)) + shared * (noise + tie * own)
    along = mean_kept * math.sqrt(tie) * (signal + own)
    return along, mean_kept**2 * tie * signal * shared + square_kept * chance / plan.weak


def _thresholded(cutoff: float, spread: float, weak: int) -> tuple[float, float]:
    """What a cut-off leaves of signal and of noise; 1 and 1 if it leaves nobody and is lowered to ½."""
    far = (cutoff - 0.5) / spread
    beyond = math.erfc(far / math.sqrt(2))
    if far <= 0 or beyond * weak < 1:
        return 1.0, 1.0
    density = math.exp(-far * far / 2) / math.sqrt(2 * math.pi)
    return beyond, (1 + far * far) * beyond - 2 * far * density


def _mean_angle(ratio: float, width: int) -> float:
    """The mean angle between u and ratio·u + a normal vector, whose part across has its mean length."""
    if math.isinf(ratio):
        return 0.0
    if width == 1:  # only the sign can be wrong
        return math.pi * math.erfc(ratio / math.sqrt(2)) / 2
    across = math.sqrt(2) * math.exp(math.lgamma(width / 2) - math.lgamma((width - 1) / 2))
    return float(_CHANCES @ np.arctan2(across, ratio + _NODES))
