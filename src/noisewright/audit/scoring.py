"""From runs to a tally: the score is learned on some runs and then applied to others, piece by piece."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.encoding import fit_encoder
from noisewright.audit.encoding.features import Features
from noisewright.audit.experiment import Experiment
from noisewright.audit.experiment.turns import SIDES
from noisewright.audit.folds import FEWEST, Budget
from noisewright.audit.outputs import Outputs
from noisewright.audit.scorer import Scorer
from noisewright.audit.scores import choose_score
from noisewright.audit.scores.counting import CountingScore
from noisewright.audit.scores.value import ValueScore
from noisewright.audit.sightings import Sightings
from noisewright.audit.tallies import AtomTally, ScoreTally, Tally
from noisewright.errors import BadMechanism

FEWEST_LEARNING = 20
LENIENCE = 2.0
"""How many times the seconds given an audit may take at least; it is refused if it would be more."""


@dataclass(frozen=True, eq=False)
class Learned:
    """A score that was learned from the first runs, and how it reads further ones.

    ``losses`` are those of all scores that were tried, on rows held out. ``seen`` remembers of every run that
    is read what an upper bound needs.
    """

    scorer: Scorer
    losses: Mapping[str, float]
    seen: Sightings

    @property
    def counts_atoms(self) -> bool:
        """Whether the score is a function of finitely many outputs."""
        return isinstance(self.scorer.score, CountingScore)

    @property
    def trained(self) -> bool:
        """Whether the score looks better on the runs it was learned from than on others."""
        return not isinstance(self.scorer.score.base, ValueScore)

    def tally(self, experiment: Experiment, count: int) -> Tally:
        """Further runs of both inputs, so many of each, scored."""
        pieces: dict[str, list[NDArray[np.generic]]] = {side: [] for side in SIDES}
        for side, part in experiment.by_turns(count):
            pieces[side].append(self._piece(side, part))
        left, right = (np.concatenate(pieces[side]) for side in SIDES)
        return self._tallied(left, right)

    def tally_of(self, left: Outputs, right: Outputs) -> Tally:
        """Runs that are there already, scored."""
        pieces = [self._piece(side, part) for side, part in zip(SIDES, (left, right), strict=True)]
        return self._tallied(*pieces)

    def _piece(self, side: str, outputs: Outputs) -> NDArray[np.generic]:
        """The code of each output where outputs are counted, else its score."""
        features = self.scorer.encoder.features(outputs)
        self.seen.add(side, outputs, features)
        if self.counts_atoms:
            assert features.atoms is not None
            return features.atoms
        return np.asarray(self.scorer.score.values(features), dtype=np.float64)

    def _tallied(self, left: NDArray[np.generic], right: NDArray[np.generic]) -> Tally:
        if not self.counts_atoms:
            return ScoreTally(np.asarray(left, np.float64), np.asarray(right, np.float64))
        assert self.scorer.encoder.atoms is not None
        every = np.arange(len(self.scorer.encoder.atoms), dtype=np.int64)
        scores = self.scorer.score.values(Features(np.empty((every.size, 0)), every))
        return AtomTally.of(scores, np.asarray(left, np.int64), np.asarray(right, np.int64))


def learning_runs(experiment: Experiment, budget: Budget) -> tuple[Outputs, Outputs]:
    """The first runs of both inputs: more of them where outputs are more than single numbers."""
    if budget.learning_ends is not None:
        _check_pace(experiment, budget)
    few, many, end = budget.learning(wide=False), budget.learning(wide=True), budget.learning_ends
    first = experiment.take("left", min(2 * FEWEST_LEARNING, few))  # however slow they are
    left = Outputs.joined([first, experiment.take("left", few - len(first), end)])
    if left.width != 1 and many > few:
        left = Outputs.joined([left, experiment.take("left", many - few, end)])
    return left, experiment.take("right", max(len(left), 1))


def _check_pace(experiment: Experiment, budget: Budget) -> None:
    """Refuse a time that the fewest runs would exceed by far: they would be drawn, and say nothing."""
    assert budget.seconds is not None
    each = experiment.seconds_a_run()
    if FEWEST * each > LENIENCE * budget.seconds:
        raise BadMechanism(
            f"a run takes about {each:.2g} seconds, and an audit needs {FEWEST} runs at least; give it "
            f"{math.ceil(FEWEST * each)} seconds or more"
        )


def learn(
    left: Outputs, right: Outputs, wanted: object, *, bits: bool, seed: int, keeps_values: bool
) -> Learned:
    """Encoder and score from the first runs."""
    if min(len(left), len(right)) < FEWEST_LEARNING:
        raise BadMechanism(
            f"{min(len(left), len(right))} runs are too few to learn what to look at; give the audit more "
            "samples or time"
        )
    encoder = fit_encoder(left, right, bits=bits)
    chosen = choose_score(encoder.features(left), encoder.features(right), encoder, wanted=wanted, seed=seed)
    return Learned(Scorer(encoder, chosen.score), chosen.losses, Sightings(encoder, keeps_values))
