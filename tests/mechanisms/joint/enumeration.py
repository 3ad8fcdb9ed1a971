"""Everything that can happen in a small collection, one by one, in rationals."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from fractions import Fraction

from noisewright.mechanisms.joint import GroupLaw


def groupings(people: list[int], size: int):
    """Every way to part people into groups of a size."""
    if not people:
        yield []
        return
    first, *rest = people
    for partners in itertools.combinations(rest, size - 1):
        left = [person for person in rest if person not in partners]
        for others in groupings(left, size):
            yield [(first, *partners), *others]


def flag_chances(law: GroupLaw, users: int) -> dict[tuple[int, ...], list[tuple[list, Fraction]]]:
    """For all flags of all users (1 is truth), the groupings with the joint probability of both."""
    ways = list(groupings(list(range(users)), law.size))
    found = defaultdict(list)
    for flags in itertools.product((0, 1), repeat=users):
        for way in ways:
            chance = Fraction(1, len(ways))
            for group in way:
                liars = sum(1 - flags[person] for person in group)
                chance *= law.shares[liars] / math.comb(law.size, liars)
            found[flags].append((way, chance))
    return found


def worst_posterior_ratio(law: GroupLaw, users: int, colluders: int, labels: int = 2) -> Fraction | None:
    """The largest ratio of a report's probabilities given the colluders' flags, over all these flags."""
    target = colluders  # the colluders are the first users; all honest ones are alike
    joint = defaultdict(lambda: [Fraction(0), Fraction(0)])
    for flags, ways in flag_chances(law, users).items():
        joint[flags[:colluders]][flags[target]] += sum(chance for _, chance in ways)
    worst = Fraction(1)
    for lied, true in joint.values():
        if lied + true == 0:
            continue
        if lied == 0 or true == 0:
            return None
        odds = (labels - 1) * true / lied
        worst = max(worst, odds, 1 / odds)
    return worst


def report_moments(law: GroupLaw, values: tuple[int, ...], labels: int) -> tuple[Fraction, Fraction]:
    """Mean and variance of the number of reports of label 0, over groupings, flags and lies."""
    mean = square = Fraction(0)
    for flags, ways in flag_chances(law, len(values)).items():
        chance = sum(each for _, each in ways)
        for reports, among in _answers(values, flags, labels):
            count = reports.count(0)
            mean += chance * among * count
            square += chance * among * count**2
    return mean, square - mean**2


def _answers(values, flags, labels):
    """Every list of reports that values and flags allow, with its probability."""
    choices = [
        [value] if flag else [label for label in range(labels) if label != value]
        for value, flag in zip(values, flags, strict=True)
    ]
    among = Fraction(1, math.prod(map(len, choices)))
    for reports in itertools.product(*choices):
        yield reports, among
