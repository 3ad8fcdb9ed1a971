"""From runs to a tally: the score is learned on some runs and then applied to others, piece by piece."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.encoding import Encoder, fit_encoder
from noisewright.audit.encoding.features import Features
from noisewright.audit.experiment import Experiment
from noisewright.audit.folds import Budget, Fold
from noisewright.audit.outputs import Outputs
from noisewright.audit.scores import Chosen, choose_score
from noisewright.audit.scores.counting import CountingScore
from noisewright.audit.scores.value import ValueScore
from noisewright.audit.tallies import AtomTally, ScoreTally, Tally
from noisewright.domains import Floats
from noisewright.errors import BadMechanism

FEWEST_LEARNING = 20
SIDES = ("left", "right")


@dataclass(eq=False)
class Learned:
    """A score, what turns outputs into its features, and whether outputs are counted rather than scored.

    Where an upper bound will need them, ``kept`` holds plain values of one-dimensional outputs, and
    ``counted`` how often each of finitely many outputs came.
    """

    encoder: Encoder
    chosen: Chosen
    identified: bool
    """Whether each input gave one output only so far, and not the same."""
    keeps_values: bool
    only: dict[str, str | None]
    kept: dict[str, list[Floats]] = field(default_factory=lambda: {side: [] for side in SIDES})
    counted: dict[str, NDArray[np.int64]] = field(default_factory=dict)

    @property
    def counts_atoms(self) -> bool:
        """Whether the score is a function of finitely many outputs."""
        return isinstance(self.chosen.score, CountingScore)

    @property
    def counts_outputs(self) -> bool:
        """Whether atoms are whole outputs; bit patterns are coarser, and bound nothing from above."""
        return self.encoder.atoms is not None and self.encoder.exact

    @property
    def trained(self) -> bool:
        """Whether the score looks better on the runs it was learned from than on others."""
        return not isinstance(self.chosen.score, ValueScore)

    def tally(self, experiment: Experiment, fold: Fold) -> Tally:
        """Further runs of both inputs, scored."""
        left = self._scored(experiment, "left", fold)
        return self._tallied(left, self._scored(experiment, "right", Fold(len(left))))

    def tally_of(self, left: Outputs, right: Outputs) -> Tally:
        """Runs that are there already, scored."""
        pieces = [self._piece(side, part) for side, part in zip(SIDES, (left, right), strict=True)]
        return self._tallied(*pieces)

    def forget(self) -> None:
        """Drop what was kept for upper bounds: these runs' number was not fixed before they were seen."""
        self.kept = {side: [] for side in SIDES}
        self.counted = {}

    def atoms(self) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """How often each of finitely many outputs came so far, for either input; None if they are many."""
        return (self.counted["left"], self.counted["right"]) if self.counted else None

    def values(self) -> tuple[Floats, Floats]:
        """All plain values so far, of either input."""
        left, right = (np.concatenate(self.kept[side]) for side in SIDES)
        return left, right

    def _scored(self, experiment: Experiment, side: str, fold: Fold) -> NDArray[np.generic]:
        pieces = [self._piece(side, part) for part in experiment.stream(side, fold.count, fold.until)]
        if not pieces:
            raise BadMechanism("there was no time for a single run of a part of the audit; give it more time")
        return np.concatenate(pieces)

    def _piece(self, side: str, outputs: Outputs) -> NDArray[np.generic]:
        features = self.encoder.features(outputs)
        if self.identified:
            self.identified = _only(outputs) == self.only[side]
        if self.keeps_values:
            self.kept[side].append(_one_column(outputs))
        if self.counts_outputs:
            assert features.atoms is not None
            self._count(side, features.atoms)
        if self.counts_atoms:
            assert features.atoms is not None
            return features.atoms
        return np.asarray(self.chosen.score.values(features), dtype=np.float64)

    def _count(self, side: str, atoms: NDArray[np.int64]) -> None:
        assert self.encoder.atoms is not None
        counts = np.bincount(atoms, minlength=len(self.encoder.atoms))
        self.counted[side] = self.counted.get(side, 0) + counts

    def _tallied(self, left: NDArray[np.generic], right: NDArray[np.generic]) -> Tally:
        if not self.counts_atoms:
            return ScoreTally(np.asarray(left, np.float64), np.asarray(right, np.float64))
        assert self.encoder.atoms is not None
        every = np.arange(len(self.encoder.atoms), dtype=np.int64)
        scores = self.chosen.score.values(Features(np.empty((every.size, 0)), every))
        return AtomTally.of(scores, np.asarray(left, np.int64), np.asarray(right, np.int64))


def learning_runs(experiment: Experiment, budget: Budget) -> tuple[Outputs, Outputs]:
    """The first runs of both inputs: more of them where outputs are more than single numbers."""
    few, many = budget.learning(wide=False), budget.learning(wide=True)
    first = experiment.take("left", min(2 * FEWEST_LEARNING, few.count))  # however slow they are
    left = Outputs.joined([first, experiment.take("left", few.count - len(first), few.until)])
    if left.width != 1 and many.count > few.count:
        left = Outputs.joined([left, experiment.take("left", many.count - few.count, many.until)])
    return left, experiment.take("right", max(len(left), 1))


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
    only = {"left": _only(left), "right": _only(right)}
    told = None not in only.values() and only["left"] != only["right"]
    return Learned(encoder, chosen, told, keeps_values, only)


def _only(outputs: Outputs) -> str | None:
    """The text of the one output that all are, or None if they differ."""
    words = set(outputs[:FEWEST_LEARNING].as_words().tolist())
    if len(words) == 1:
        words = set(outputs.as_words().tolist())
    return str(words.pop()) if len(words) == 1 else None


def _one_column(outputs: Outputs) -> Floats:
    if outputs.width != 1 or outputs.numbers is None:
        raise BadMechanism(
            "an upper bound by half-lines or intervals needs outputs that are single numbers; leave out "
            "assume"
        )
    if bool(np.isnan(outputs.numbers).any()):
        raise BadMechanism(
            "an upper bound by half-lines or intervals needs numbers, and NaN is none; leave out assume"
        )
    return outputs.numbers[:, 0].copy()
