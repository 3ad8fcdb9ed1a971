"""Exhibits that publish which answer is the largest, or, wrongly, how large it is."""

from __future__ import annotations

import math

from noisewright.audit.claim import Claim
from noisewright.audit.gallery.choosing import Noise, NoisyArgMax, NoisyMax
from noisewright.audit.gallery.exhibit import Exhibit, Published
from noisewright.audit.gallery.patterns import pattern

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
        right=True,
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
        right=False,
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
