"""Measuring a finished classifier with clients who had no part in making it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from noisewright.domains import Floats
from noisewright.learn.questions.check import CheckQuestion
from noisewright.learn.rounds import Ask, Procedure
from noisewright.learn.rules import Rule
from noisewright.learn.scorecard.card import Scorecard
from noisewright.learn.scorecard.cuts import cuts_for


def checking_procedure(
    rule: Rule, people: int, epsilon: float, classes: Sequence[Any], sample: Floats | None = None
) -> Procedure[Scorecard | None]:
    """Ask fresh clients where a finished rule puts them and what they are; None if nobody is left to ask.

    ``sample`` are made-up people, nothing about anybody is in them: their scores, if they are log-odds, say
    where to cut for a calibration. Without it only the predicted class is asked for.

    >>> from noisewright.learn.rules import ConstantRule
    >>> [ask.people for ask in next(checking_procedure(ConstantRule(1), 50, 1.0, ["no", "yes"]))]
    [50]
    """
    if not people:
        return None
    cut = sample is not None and len(classes) == 2
    cuts = cuts_for(epsilon, people, rule.scores(sample)) if cut else (0.0,)  # type: ignore[arg-type]
    question = CheckQuestion(epsilon, rule, cuts, len(classes))
    (answers,) = yield (Ask(question, people),)
    return Scorecard.of(answers, question, classes=classes) if len(answers) else None
