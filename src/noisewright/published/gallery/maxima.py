"""The largest of several answers: the noisy maximum and the exponential mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from noisewright.audit.basics.claim import Claim
from noisewright.audit.truth import counting_scores
from noisewright.domains import Floats
from noisewright.published.gallery.exhibit import (
    Exhibit,
    FiniteLaw,
    FiniteMechanism,
    Numbers,
    Published,
    ShownMechanism,
    one_sided,
    pattern,
)
from noisewright.published.gallery.threshold_noise import Threshold

Noise = Literal["laplace", "exponential"]


@dataclass(frozen=True)
class NoisyMax(ShownMechanism):
    """The largest of several noisy answers, as a *number*: the mistake of two published forms.

    It lies below x if all noisy answers do. Far below all answers, Laplace noise spends |difference|/scale
    for every one of them; exponential noise never falls below the largest answer.

    >>> maximum = NoisyMax(scale=20.0)
    >>> maximum([0.0, 0.0], 3, np.random.default_rng(0)).shape, maximum.epsilon([0.0, 0.0], [1.0, 1.0])
    ((3,), 0.1)
    """

    scale: float
    noise: Noise = "laplace"

    def __call__(self, data: Numbers, count: int, generator: np.random.Generator) -> Floats:
        return np.asarray(noisy_answers(data, self.scale, self.noise, count, generator).max(axis=1))

    def epsilon(self, left: Numbers, right: Numbers, delta: float = 0.0) -> float | None:
        if delta:
            return None
        if self.noise == "laplace":
            return one_sided(left, right, self.scale)
        return math.inf if max(left) != max(right) else None


@dataclass(frozen=True)
class NoisyArgMax(FiniteMechanism):
    """Which of several noisy answers is the largest (Ding et al. 2018, algorithms 5 and 6).

    A place is safe to publish: with answers that move by 1 and noise of scale 2/ε it keeps ε.

    >>> chooser = NoisyArgMax(scale=20.0, noise="exponential")
    >>> chooser([0.0, 900.0], 3, np.random.default_rng(0)).tolist()
    [1, 1, 1]
    >>> round(chooser.epsilon([1.0] * 5, [0.0] + [2.0] * 4), 10)
    0.1
    """

    scale: float
    noise: Noise = "laplace"

    def __call__(self, data: Numbers, count: int, generator: np.random.Generator) -> NDArray[np.int64]:
        return np.asarray(noisy_answers(data, self.scale, self.noise, count, generator).argmax(axis=1))

    def law(self, data: Numbers) -> FiniteLaw:
        """Return the law: an answer wins if all others lie below it, one integral over its noisy value."""
        answers = np.asarray(data, dtype=np.float64)
        shares = np.array([self._wins(place, answers) for place in range(answers.size)])
        return FiniteLaw(np.arange(answers.size)[:, None], shares)

    def _wins(self, place: int, answers: Floats) -> float:
        rule = Threshold(float(answers[place]), self.scale, self.scale, answers)
        others = [other for other in range(answers.size) if other != place]
        if self.noise == "laplace":
            return float((rule.weights * np.prod([rule.below(other) for other in others], axis=0)).sum())
        # One half of Laplace noise, doubled, is exponential noise.
        weights = np.where(rule.nodes > answers[place], 2 * rule.weights, 0.0)
        gaps = np.maximum(rule.nodes - answers[others][:, None], 0.0)
        return float((weights * np.prod(-np.expm1(-gaps / self.scale), axis=0)).sum())


def noisy_answers(
    data: Numbers, scale: float, noise: Noise, count: int, generator: np.random.Generator
) -> Floats:
    """Return the answers with noise, one run a row.

    Args:
        data: The true answers.
        scale: The scale of the noise.
        noise: Which noise.
        count: How many rows of answers.
        generator: Draws the noise.
    """
    answers = np.asarray(data, dtype=np.float64)
    draw = generator.laplace if noise == "laplace" else generator.exponential
    return np.asarray(answers + draw(scale=scale, size=(count, answers.size)))


@dataclass(frozen=True)
class ExponentialChoice(FiniteMechanism):
    """One of several candidates, with probability proportional to e^(rate·score).

    With scores of sensitivity 1 it keeps 2·rate (McSherry & Talwar 2007), so rate = ε/2.

    >>> ExponentialChoice(rate=1.0).law([0.0, 1.0]).shares.round(3).tolist()
    [0.269, 0.731]
    """

    rate: float

    def __call__(self, data: Numbers, count: int, generator: np.random.Generator) -> NDArray[np.int64]:
        scores = self.rate * self.scores(data)
        return np.asarray((scores + generator.gumbel(size=(count, scores.size))).argmax(axis=1))

    def scores(self, data: Numbers) -> Floats:
        """Return how good each candidate is; here the data are the scores."""
        return np.asarray(data, dtype=np.float64)

    def law(self, data: Numbers) -> FiniteLaw:
        scores = self.scores(data)
        return FiniteLaw(np.arange(scores.size)[:, None], softmax(self.rate * scores))


@dataclass(frozen=True)
class ExponentialCount(ExponentialChoice):
    """How many rows are 1, by the exponential mechanism: a count from 0 to ``most``, near ones more likely.

    >>> ExponentialCount(rate=1.0, most=3).law([0, 1, 1]).shares.round(4).tolist()
    [0.0723, 0.1966, 0.5344, 0.1966]
    """

    most: int

    def scores(self, data: Numbers) -> Floats:
        return counting_scores(int(sum(data)), self.most)


# -- exhibits ------------------------------------------------------------------------------------------


QUERIES = 5


def _place(number: int, noise: Noise, epsilon: float, published: Published | None = None) -> Exhibit:
    """The place of the largest noisy answer."""
    return Exhibit(
        name=f"noisy-max-{number}{_suffix(published)}",
        title=f"the place of the noisy maximum, {noise} noise",
        source=f"Ding et al. 2018, algorithm {number + 4}",
        mechanism=NoisyArgMax(2 / epsilon, noise),
        pairs=(pattern("one below rest above", QUERIES),),
        claim=Claim(epsilon),
        true_epsilon=epsilon,
        note="a place is safe to publish; one answer that falls while the others rise spends up to ε.",
        published=published,
    )


def _value(number: int, noise: Noise, epsilon: float, published: Published | None = None) -> Exhibit:
    """The largest noisy answer itself."""
    both = "it lies below x if all answers do, so that all of them spend together"
    cut = "it never lies below the largest answer, which it thereby bounds for certain"
    return Exhibit(
        name=f"noisy-max-{number}{_suffix(published)}",
        title=f"the noisy maximum itself, {noise} noise",
        source=f"Ding et al. 2018, algorithm {number + 4}",
        mechanism=NoisyMax(2 / epsilon, noise),
        pairs=(pattern("all above", QUERIES),),
        claim=Claim(epsilon),
        true_epsilon=QUERIES * epsilon / 2 if noise == "laplace" else math.inf,
        note=f"the maximum is published as a number: {both if noise == 'laplace' else cut}.",
        published=published,
    )


def _suffix(published: Published | None) -> str:
    """The same forms at the larger ε of Lu et al. 2024, figure 9c, have no published bound."""
    return "" if published else "-large"


MAXIMA = (
    _place(1, "laplace", 0.1, Published(logistic=0.092254, network=0.092501)),
    _place(2, "exponential", 0.1, Published(logistic=0.097503, network=0.097920)),
    _value(3, "laplace", 0.1, Published(logistic=0.247816, network=0.248810)),
    _value(4, "exponential", 0.1, Published(logistic=0.346343, network=0.353444)),
    _place(1, "laplace", 0.3),
    _place(2, "exponential", 0.3),
    _value(3, "laplace", 0.3),
    _value(4, "exponential", 0.3),
)
