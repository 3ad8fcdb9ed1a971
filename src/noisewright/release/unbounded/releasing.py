"""Releasing from a hidden half that may be any half of the pool, at a stated failure probability.

The finite list of public worlds is the default and has an exact proof. Here no list is public, so a blind
guess at many members is right as rarely as it can be; the price is that the variance of the output is not
known and must be bounded from a simulation, by a limit that fails with a small probability.
"""

from __future__ import annotations

import warnings
from os import PathLike
from typing import Final

from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.guarantees import PACPrivacy
from noisewright.parameters import real
from noisewright.randomness import SecureSource, Source
from noisewright.release.algorithms.base import Algorithm, Facts, Labels
from noisewright.release.bounded_means import limit_named
from noisewright.release.budget import Budget, MutualInformation
from noisewright.release.meaning import information_for
from noisewright.release.running import Progress
from noisewright.release.running.one_world import Task
from noisewright.release.unbounded.halves import hidden_half
from noisewright.release.unbounded.hidden import HiddenRun, carried
from noisewright.release.unbounded.plan import LimitedPlan, plan_limited
from noisewright.release.unbounded.result import UnboundedReleased
from noisewright.release.unbounded.simulating import Simulation, simulate
from noisewright.release.unbounded.stopping import UNPROVED, UnprovedRule, stopped_variances

RULES: Final = ("proved", "paper")
LARGEST_FAILURE: Final = 0.05


def release_unbounded(
    algorithm: Algorithm,
    facts: Facts,
    rows: Floats,
    labels: Labels | None,
    budget: Budget,
    *,
    trials: int = 2048,
    pilot: int = 256,
    clip: tuple[ArrayLike, ArrayLike] | None = None,
    failure: float = 1e-6,
    limit: str = "betting",
    rule: str = "proved",
    shape: str = "optimal",
    jobs: int | None = None,
    progress: Progress | None = None,
    keep: str | PathLike[str] | None = None,
    seed: int | None = None,
    source: Source | None = None,
) -> UnboundedReleased:
    """Run an algorithm on one hidden half of the pool, drawn from all of them, and noise what it gives.

    1. ``pilot`` public halves give a centre, directions, and how far to clip. (Or ``clip`` does, a public
       range of the outputs; the limits grow with its width, so it should be tight.)
    2. ``trials`` fresh public halves give an upper limit on the variance along each direction
       (``limit="betting"`` or ``"bernstein"``); all of them hold together with probability 1 − ``failure``.
    3. Noise for those limits; then one run on the hidden half, clipped and noised. It has a process of its
       own, in which nothing it prints, logs or leaves in memory is heard, so the algorithm must be one that
       can be sent there, and must give the same there: that is tried on a public half first.

    With probability at least 1 − ``failure`` over the simulation, the release carries at most the budget
    about the half. If the simulation was that unlucky the budget is **not** kept, and all that is left is
    ``information_certain``. A ``seed`` repeats the simulation: trying several and keeping the most
    convenient one voids the failure probability. ``source`` draws the half and the noise; None is private.

    ``keep`` names a folder from which an interrupted simulation goes on, with the seed that it began with.
    **It will hold exact outputs of private data**, though none of the hidden half. It repeats the simulation
    as a seed does: who has seen what came of it must not choose ``clip`` or ``limit`` anew.

    ``rule="paper"`` takes the variances at which the published stopping rule is content: it warns, and gives
    no guarantee.

    >>> import numpy as np
    >>> from noisewright.release.algorithms import Mean
    >>> rows = np.random.default_rng(0).normal(size=(100, 2))
    >>> facts = Mean().facts(rows, None)
    >>> found = release_unbounded(Mean(), facts, rows, None, MutualInformation(1 / 4), trials=512, pilot=64)
    >>> found.guarantee, found.failure, found.vector.shape
    (PACPrivacy(mutual_information=0.25), 1e-06, (2,))
    """
    nats, checked = _nats(budget), _checked(rule, failure, limit)
    task = Task(algorithm, facts, rows, labels)
    packed = carried(task)  # refused here, before long work
    found = simulate(
        task,
        pilot=pilot,
        trials=trials,
        clip=clip,
        turned=shape != "paper",  # as published, along the coordinates
        jobs=jobs,
        progress=progress,
        seed=seed,
        keep=keep,
    )
    plan = plan_limited(found.frame, _moments(found, rule, checked, limit), nats, shape)
    source = source or SecureSource()
    with HiddenRun(packed, task, plan.frame.centre.size) as run:
        run.rehearse(*found.example)
        vector = _draw(run, plan, len(rows), source)
    return UnboundedReleased(
        algorithm=algorithm,
        facts=facts,
        vector=vector,
        model=algorithm.model(vector, facts),
        guarantee=PACPrivacy(nats) if rule == "proved" else None,
        failure=checked if rule == "proved" else None,
        plan=plan,
        trials=trials,
        clipped_share=found.clipped_share,
        simulated=not source.private,
    )


def _moments(found: Simulation, rule: str, failure: float, limit: str) -> Floats:
    if rule == "proved":
        return found.moment_limits(failure, limit_named(limit))
    warnings.warn(UNPROVED, UnprovedRule, stacklevel=3)
    moments, _ = stopped_variances(found.coordinates)
    return moments


def _draw(run: HiddenRun, plan: LimitedPlan, records: int, source: Source) -> Floats:
    """The only step that touches the secret: which half, what it gave, and the noise."""
    stream = source.stream()
    half = hidden_half(records, stream)
    output = run.output(half.member, half.seed, instead=plan.frame.centre)
    return plan.vector(plan.draw(output, stream))


def _nats(budget: Budget) -> float:
    """A budget in nats; for a membership success, the nats that keep it for every record."""
    return budget.nats if isinstance(budget, MutualInformation) else information_for(budget.rate)


def _checked(rule: str, failure: float, limit: str) -> float:
    if rule not in RULES:
        raise InvalidParameter(f"rule must be one of {', '.join(RULES)}, got {rule!r}")
    limit_named(limit)
    failure = real("failure", failure)
    if not 0 < failure <= LARGEST_FAILURE:
        raise InvalidParameter(
            f"failure must be a probability above 0 and at most {LARGEST_FAILURE}, got {failure:g}"
        )
    return failure
