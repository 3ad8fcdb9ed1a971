"""Attacking a release: play it many times with public chance, and try to tell who was in the half used."""

from __future__ import annotations

from typing import Final

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.estimate.intervals import CONFIDENCE
from noisewright.parameters import real
from noisewright.release.algorithms.base import Algorithm, Facts, Labels
from noisewright.release.attacks.base import Attack
from noisewright.release.attacks.bayes import BayesAttack
from noisewright.release.attacks.information import information_estimate
from noisewright.release.attacks.judging import Court
from noisewright.release.attacks.linear import LinearAttack
from noisewright.release.attacks.lira import Confidence, EmpiricalLira, GaussianLira
from noisewright.release.attacks.report import AttackReport
from noisewright.release.attacks.selection import Bonferroni, Split
from noisewright.release.attacks.trials import Trials, play
from noisewright.release.noise import NoisePlan
from noisewright.release.worlds import Worlds

MOST_SCORES: Final = 1 << 31
"""Scores of one attack that are held at once: 8 GiB."""


def attack(
    plan: NoisePlan,
    worlds: Worlds,
    algorithm: Algorithm,
    facts: Facts,
    rows: Floats,
    labels: Labels | None,
    promised: float,
    nats: float | None = None,
    trials: int = 1000,
    confidence: float = 0.99,
    seed: int | None = None,
) -> AttackReport:
    """Try to break a release: the optimal attack, a linear one, and LiRA where the algorithm has a score.

    ``promised`` is the success about any record that the release may allow at most, ``nats`` what it may tell
    at most (None: what its plan proves). Worlds and noise of the trials are drawn from public chance
    (``seed``), LiRA's shadows apart from the trials that judge it.
    """
    alpha, promised = 1 - CONFIDENCE.check(confidence), _promise(promised)
    split = Split(0.5)
    split.parts(trials)  # refuses too few before anything is drawn
    _check_size(trials, worlds.records)
    generator = np.random.default_rng(seed)
    shadows, judged = play(plan, trials, generator), play(plan, trials, generator)
    others = _others(plan, worlds, _confidence(plan, algorithm, facts, rows, labels), shadows)
    each = Bonferroni(2 * len(others) + 3).each(alpha)  # two for each attack, one for the information
    court = Court(judged, worlds, split, failure=each, shown=alpha)
    best, taken = court.judge_bayes(BayesAttack(plan, worlds))
    return AttackReport(
        attacks=(best, *(court.judge(other) for other in others)),
        promised=promised,
        information=information_estimate(taken, plan, each),
        information_upper=plan.information_upper if nats is None else nats,
        trials=trials,
        confidence=confidence,
    )


def _others(plan: NoisePlan, worlds: Worlds, confidence: Confidence | None, shadows: Trials) -> list[Attack]:
    """The attacks besides the optimal one; LiRA only if there is a score."""
    found: list[Attack] = [LinearAttack(plan, worlds)]
    if confidence is not None:
        found += [kind(confidence, shadows, worlds) for kind in (GaussianLira, EmpiricalLira)]
    return found


def _confidence(
    plan: NoisePlan, algorithm: Algorithm, facts: Facts, rows: Floats, labels: Labels | None
) -> Confidence | None:
    """The algorithm's own score of each record, as a function of released cells."""
    if algorithm.confidence(plan.vector(plan.cells[:1]), rows, labels, facts) is None:
        return None

    def confidence(cells: Cells) -> Floats:
        found = algorithm.confidence(plan.vector(cells), rows, labels, facts)
        if found is None or found.shape != (len(cells), len(rows)) or not np.isfinite(found).all():
            raise InvalidParameter(
                f"the confidence of {algorithm.title} must be a finite number for each vector and row; "
                f"return None if the algorithm has no such score"
            )
        return found

    return confidence


def _check_size(trials: int, records: int) -> None:
    """Refuse what would not fit into memory: every attack scores every record in every trial."""
    if trials * records > MOST_SCORES:
        raise InvalidParameter(
            f"{trials:,} trials of {records:,} records are too many scores to hold at once; take at most "
            f"{MOST_SCORES // records:,} trials"
        )


def _promise(success: float) -> float:
    promised = real("promised", success)
    if not 0.5 <= promised <= 1:
        raise InvalidParameter(f"promised must be a success from 0.5 to 1, got {promised:g}")
    return promised
