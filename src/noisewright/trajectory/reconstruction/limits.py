"""Whether a speed limit that was given can be true.

A limit that is too low does harm twice: points that moved are taken for one stay, and the next stay is
sought too near. So it has to prove itself: the reports must be as likely under the limit, with its stays and
the best chance of jumps, as without any limit and with every report a stay of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

from noisewright.trajectory.reconstruction.journeys import Party
from noisewright.trajectory.reconstruction.likelihood import Likelihood
from noisewright.trajectory.reconstruction.model import Model

SAMPLE = 1 << 23
"""Numbers, one for each report and cell, from which a limit is judged."""

MOST_OF_ONE = 256
"""Reports of one person, at most, among them."""


def limit_holds(limited: Model, likelihood: Likelihood, parties: Sequence[Party]) -> bool:
    """Whether a fitted model with a speed limit explains the reports as well as one without."""
    sample = list(_sample(parties, SAMPLE // limited.grid.size))
    single = [party.by_reports() for party in sample]
    # places of a person, learned from the reports that are judged, would count for whoever has more stays
    limited, free = replace(limited, weight=inf), Model(limited.grid, limited.density)
    return limited.evidence(likelihood, sample) >= free.evidence(likelihood, single)


def _sample(parties: Sequence[Party], room: int) -> Iterator[Party]:
    """The first reports of people with several, spread over all of them."""
    people = [person for person in _people(parties) if sum(own.rows.size for own in person.journeys) > 1]
    every = -(-len(people) * MOST_OF_ONE // room)
    for person in people[:: max(every, 1)]:
        yield person.first_rows(MOST_OF_ONE)


def _people(parties: Sequence[Party]) -> Iterator[Party]:
    """One party for each person; a single stay may hold many reports."""
    for party in parties:
        if party.alone:
            yield party
        else:
            yield from (Party([journey], alone=True) for journey in party.journeys)
