"""The score that tells the two inputs apart best on rows kept back from fitting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.encoding import Encoder, Features
from noisewright.audit.scores.classifiers import (
    AdditiveScore,
    BoostingScore,
    ForeignScore,
    LinearScore,
    NetworkScore,
    SidesScore,
    is_classifier,
)
from noisewright.audit.scores.giveaways import with_giveaways
from noisewright.audit.scores.score import Score, log_losses
from noisewright.audit.scores.univariate import GRAIN, BinnedScore, CountingScore, GrainScore, ValueScore
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import shown

SCORES: Mapping[str, Callable[..., Score]] = {
    "value": ValueScore.fit,
    "counting": CountingScore.fit,
    "bins": BinnedScore.fit,
    "grain": GrainScore.fit,
    "sides": SidesScore.fit,
    "linear": LinearScore.fit,
    "additive": AdditiveScore.fit,
    "boosting": BoostingScore.fit,
    "network": NetworkScore.fit,
}

HELD_OUT = 0.25
"""Share of the fitting rows that candidates are judged on; half of it turns scores into chances."""

MOST_HELD_OUT = 500_000
FEWEST_HELD_OUT = 20
FEW_ROWS = 20_000
"""Up to so many fitting rows any score is fitted again on all of them."""

CLEARLY = {"bins": 3.0}
"""Standard errors by which a less simple candidate must do better; one, where nothing is said. The output
itself has nothing to learn, so that bins which are only luckier cost more than they bring."""

MANY_ATOMS = 64
"""With more different outputs than this, counts are rough enough for other scores to compete."""

Fit = Callable[[Features, Features], Score]

Sides = tuple[Features, Features]


@dataclass(frozen=True)
class Chosen:
    """The score, and the held-out log-loss in nats of every candidate (ln 2 = 0.693 is guessing).

    Attributes:
        score: The score that is taken.
        losses: The held-out log-loss of every candidate by name, in nats.
    """

    score: Score
    losses: dict[str, float]


def choose_score(
    left: Features, right: Features, encoder: Encoder, wanted: Any = "auto", seed: int = 0
) -> Chosen:
    """For getting the best score that the fitting rows can give: candidates are judged on rows kept back.

    No score wins everywhere. Candidates stand in order of simplicity, and a later one is taken only where its
    log-loss is clearly smaller. Where ``wanted`` names one (or is a classifier), there is no choice.

    Args:
        left: Features of the fitting rows of the left input.
        right: Those of the right input.
        encoder: What made them of outputs.
        wanted: "auto", the name of a score, or a scikit-learn classifier, which leave no choice.
        seed: The chance of candidates that need some.

    >>> rows = np.random.default_rng(1).laplace(size=(2000, 1))
    >>> from noisewright.audit.encoding import fit_encoder
    >>> from noisewright.audit.basics.outputs import Outputs
    >>> encoder = fit_encoder(Outputs(rows), Outputs(rows + 1))
    >>> choose_score(Features(rows), Features(rows + 1), encoder).score.title
    'the output itself'
    """
    candidates = _candidates(encoder, wanted, seed)
    training, calibrating, judging = _split_rows(left, right)
    scores = {name: fit(*training) for name, fit in candidates.items()}
    if len(judging[0]) < FEWEST_HELD_OUT:  # too few rows to judge: the simplest
        name = next(iter(scores))
        return Chosen(candidates[name](left, right), {})
    losses = {name: log_losses(score, calibrating, judging) for name, score in scores.items()}
    best = _best(losses)
    again = scores[best].cheap or min(len(left), len(right)) <= FEW_ROWS
    score = candidates[best](left, right) if again else scores[best]
    if isinstance(wanted, str) and wanted == "auto" and not isinstance(score, CountingScore):
        held_out = left[len(training[0]) :], right[len(training[1]) :]
        score = with_giveaways(score, left, right, encoder, held_out)
    return Chosen(score, {name: float(loss.mean()) for name, loss in losses.items()})


def check_wanted(wanted: Any) -> None:
    """Refuse what is neither the name of a score nor a classifier.

    Args:
        wanted: The name of a score, "auto", or a scikit-learn classifier.
    """
    known = wanted == "auto" or wanted in SCORES if isinstance(wanted, str) else is_classifier(wanted)
    if not known:
        raise InvalidParameter(
            f"must be auto, {', '.join(SCORES)} or a scikit-learn classifier, got {shown(wanted)}",
            field="score",
        )


def _candidates(encoder: Encoder, wanted: Any, seed: int) -> dict[str, Fit]:
    check_wanted(wanted)
    if not isinstance(wanted, str):
        return {type(wanted).__name__: lambda left, right: ForeignScore.fit(wanted, left, right)}
    names = _suitable(encoder) if wanted == "auto" else [wanted]
    return {name: partial(SCORES[name], encoder=encoder, seed=seed) for name in names}


def _suitable(encoder: Encoder) -> Iterator[str]:
    """Candidates in order of simplicity."""
    if encoder.atoms is not None and encoder.exact:
        yield "counting"
    if encoder.width == 1:
        yield from ("value", "bins")
    if GRAIN in encoder.columns:
        yield from ("grain", "counting")
    few = encoder.atoms is not None and len(encoder.atoms) <= MANY_ATOMS
    if encoder.width != 1 and not few:
        yield from ("sides", "linear", "additive")
        if len(encoder.columns) > 1:
            yield from ("boosting", "network")


def _split_rows(left: Features, right: Features) -> tuple[Sides, Sides, Sides]:
    """Rows to train on, to turn scores into chances, and to judge by; slices, so that nothing is copied."""
    rows = min(len(left), len(right))
    half = min(int(rows * HELD_OUT), MOST_HELD_OUT) // 2
    sides = left, right
    training = tuple(side[: len(side) - 2 * half] for side in sides)
    calibrating = tuple(side[len(side) - 2 * half : len(side) - half] for side in sides)
    judging = tuple(side[len(side) - half :] for side in sides)
    return training, calibrating, judging  # type: ignore[return-value]


def _best(losses: Mapping[str, Floats]) -> str:
    """The first candidate that no later one clearly beats."""
    names = list(losses)
    best = names[0]
    for name in names[1:]:
        gain = losses[best] - losses[name]
        if gain.mean() > CLEARLY.get(name, 1.0) * gain.std() / np.sqrt(len(gain)):
            best = name
    return best


# -- a score on outputs --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Scorer:
    """Says of any output of the black box whether an event {score > threshold} happened."""

    encoder: Encoder
    score: Score

    def holds(self, outputs: Outputs, threshold: float, *, above: bool) -> NDArray[np.bool_]:
        """Return whether {score > threshold} holds for each output, or else {score ≤ threshold}."""
        at_most = self.score.values(self.encoder.features(outputs)) <= threshold
        return np.asarray(at_most != above, dtype=np.bool_)

    def words(self, threshold: float, *, above: bool, nan: bool = False) -> str:
        """The same event in words; if some outputs are no numbers (``nan``), they are named where it holds.

        They stand below all numbers, so that "at most 0.3" holds for them and "above 0.3" does not.
        """
        said = self.score.event(threshold, above)
        if not nan or not isinstance(self.score.base, ValueScore | BinnedScore):
            return said
        holds = bool(self.holds(Outputs(np.array([[np.nan]])), threshold, above=above)[0])
        return f"{said}, or no number (NaN)" if holds else said
