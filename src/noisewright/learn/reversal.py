"""Turning round the rules that are wrong more often than right, by what the feedback says of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.learn.feedback import Evaluation
from noisewright.learn.rules import Rule


def reverse(rules: Sequence[Rule], evaluation: Evaluation) -> tuple[list[Rule], Evaluation]:
    """Reverse every rule whose estimated accuracy is below ½; of r̃ then max(r̃, 1 − r̃) is left.

    Noise in the training data makes some weak rules worse than a coin; turned round, they are better than
    one. The larger of the two estimates is too high on average where the truth is near ½, because the side
    is chosen by the same answers; ask fresh people for an accuracy that is to be reported.

    >>> from noisewright.learn.rules import ConstantRule
    >>> found = Evaluation.of(right=[30, 70], asked=[100, 100], epsilon=2.0)
    >>> rules, better = reverse([ConstantRule(1), ConstantRule(1)], found)
    >>> [rule.code for rule in rules], bool((better.value > 0.5).all())
    ([0, 1], True)
    """
    paired(rules, evaluation)
    below = np.asarray(evaluation.value < 0.5)  # Qin and Bai 2026, eq. 9
    turned = [rule.reversed() if flip else rule for rule, flip in zip(rules, below, strict=True)]
    return turned, evaluation.reversed(below)


def paired(rules: Sequence[Rule], evaluation: Evaluation) -> None:
    """Refuse rules and an evaluation that do not belong together."""
    if len(rules) != len(evaluation):
        raise InvalidParameter(
            f"{len(rules)} rules need an evaluation of each, got {len(evaluation)}; evaluate the same rules"
        )
