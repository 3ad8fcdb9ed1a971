"""Simulating no longer than needed: a coverage that is plainly right is settled early.

After every few collections an interval is settled if its misses lie between two lines, which are those of
Wald's sequential tests; one that never is must end between two numbers. How often the right coverage is refused
and a wrong one found is computed here exactly, looks and all, so a rule states its errors as a fixed number of
collections would.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import binom


@dataclass(frozen=True)
class Rule:
    """Settled after n collections with ``fewest(n) ≤ misses ≤ most(n)``, looked at ``every`` so many."""

    every: int
    collections: int
    above: tuple[float, float]
    below: tuple[float, float]
    final: tuple[int, int]

    def settles(self, misses, seen):
        """Whether so many misses in so many collections are right."""
        if seen == self.collections:
            return (self.final[0] <= misses) & (misses <= self.final[1])
        rise, start = self.above
        slope, gap = self.below
        return (misses >= rise * seen + start) & (misses <= slope * seen - gap)

    @property
    def looks(self):
        return range(self.every, self.collections + 1, self.every)

    def refuses(self, coverage):
        """The probability that an interval which holds so often is never settled: a sum over all paths."""
        misses, open_paths = np.arange(self.collections + 1), np.ones(1)
        new = binom.pmf(np.arange(self.every + 1), self.every, 1 - coverage)
        for seen in self.looks:
            open_paths = np.convolve(open_paths, new)
            open_paths[self.settles(misses[: open_paths.size], seen)] = 0.0
        return open_paths.sum()


def unsettled(rule, questions, truths, collect):
    """Misses of every interval that is not settled, by question; ``collect(number)`` is one collection.

    A question is asked until all of its intervals are settled.
    """
    misses = [np.zeros(truth.size, dtype=int) for truth in truths]
    waiting = [np.ones(truth.size, dtype=bool) for truth in truths]
    for seen in range(1, rule.collections + 1):
        tally = collect(seen - 1)
        for place, question in enumerate(questions):
            if waiting[place].any():
                low, high = question(tally)
                misses[place] += (truths[place] < low) | (truths[place] > high)
                if seen in rule.looks:
                    waiting[place] &= ~rule.settles(misses[place], seen)
        if not any(one.any() for one in waiting):
            break
    return {
        type(question).__name__: missed[open_]
        for question, missed, open_ in zip(questions, misses, waiting, strict=True)
        if open_.any()
    }
