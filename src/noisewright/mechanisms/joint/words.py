"""Both privacy numbers in words, always side by side."""

from __future__ import annotations

import math

from noisewright.guarantees.base import odds
from noisewright.mechanisms.joint.collusion import Collusion
from noisewright.text import delta_words, epsilon_words, factor

SIMULATION = (
    "SIMULATION with trusted coins: one program drew the groups and everybody's flags. For research only; "
    "between people, the coins must come from the two-party protocol."
)


def sentences(numbers: Collusion) -> list[str]:
    """Explain shared coins to a user: the average, and what colluding partners learn.

    >>> from noisewright.mechanisms.joint import GroupLaw
    >>> from noisewright.mechanisms.joint.exposure import LabelExposure
    >>> heuristic = GroupLaw.correlated(2, 0.75, -1 / 3)
    >>> print(sentences(Collusion.of(heuristic, LabelExposure(2), users=1000, colluders=10))[1])
    Given that the partner colludes there is no bound (ε = ∞): a colluding partner can learn the value with
    certainty. This happens in up to 25 % of the reports of users whose partner colludes, who are up to
    1.1 % of all.
    """
    return [_average(numbers), _colluding(numbers)]


def _average(numbers: Collusion) -> str:
    who = "the partner is" if numbers.group == 2 else f"the {numbers.group - 1} partners are"
    if numbers.epsilon_average == math.inf:
        return f"Averaged over who {who} there is no bound either: colluders may reach everybody."
    bound = odds("one report", numbers.epsilon_average)
    bad = f"{numbers.colluders:,} of {numbers.users:,} users colluding"
    return f"Seen alone, averaged over who {who}, with {bad}: {bound} (ε = {shown(numbers.epsilon_average)})."


def _colluding(numbers: Collusion) -> str:
    verb, whose = "the partner colludes", "whose partner colludes"
    if numbers.group > 2:
        verb, whose = "all others of the group collude", "whose whole group colludes"
    if numbers.epsilon_colluding < math.inf:
        bound = f"at most a factor of {factor(numbers.epsilon_colluding)}"
        return f"Given that {verb}: {bound} (ε = {shown(numbers.epsilon_colluding)})."
    who = "a colluding partner" if numbers.group == 2 else "partners who collude"
    if not numbers.certainty:
        return f"Given that {verb} there is no bound (ε = ∞): {who} can rule out one label with certainty."
    few = f", who are {delta_words(float(numbers.reach))} of all" if numbers.colluders else ""
    return (
        f"Given that {verb} there is no bound (ε = ∞): {who} can learn the value with certainty. "
        f"This happens in {delta_words(float(numbers.certainty))} of the reports of users {whose}{few}."
    )


def shown(epsilon: float) -> str:
    """Write an ε with four digits, rounded up, or the sign for infinity.

    >>> shown(0.1), shown(0.10951), shown(math.inf)
    ('0.1', '0.1096', '∞')
    """
    return epsilon_words(epsilon, 4)
