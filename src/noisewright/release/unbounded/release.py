"""A release from a secret world that may be any half of the pool, with a stated failure probability.

The finite list of public worlds is the default and has an exact proof. Here no list is public, so a blind
guess at many members is right as rarely as possible. The price is that the variance of the output is unknown
and must be bounded from a simulation, by a limit that fails with a small probability.

**The published stopping rule** is available under its own name only (``rule="paper"``). "The estimates moved
by no more than 10⁻⁶ since the last look" says how slowly an average moves, not how far it is from the truth.
No bound follows from it, so no guarantee is given with it (``docs/theory/release.md``, section 32, has
figures).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.guarantees import PACPrivacy
from noisewright.parameters import Parameter, one_of
from noisewright.progress import Progress
from noisewright.randomness import SIMULATED, SecureSource, Source
from noisewright.release.algorithms.base import Algorithm, Facts
from noisewright.release.basics.budgets import Budget, MutualInformation, information_for
from noisewright.release.basics.pool import Confidential
from noisewright.release.execution import Task
from noisewright.release.unbounded.plan import LimitedPlan, plan_limited
from noisewright.release.unbounded.secret_run import SecretRun, draw_secret_world, pack_algorithm
from noisewright.release.unbounded.simulation import simulate
from noisewright.statistics.bounded_means import limit_named

RULES: Final = ("proved", "paper")
LARGEST_FAILURE: Final = 0.05
FAILURE: Final = Parameter(
    name="failure",
    meaning="probability that the simulation behind the proof misleads it",
    above=0,
    at_most=LARGEST_FAILURE,
    usual=(1e-9, 1e-6, 1e-3),
)
PRECISION: Final = 1e-6
EVERY: Final = 10

UNPROVED: Final = (
    'rule="paper" stops when the variance estimates move by less than 1e-6: that proves nothing, and leaves '
    "too little noise in about 60 % of runs (50 to 70 %, depending on the outputs), so this release has no "
    "guarantee; leave out rule to get one"
)


class UnprovedRule(UserWarning):
    """Noise was chosen by a rule from which no bound follows; nothing is guaranteed."""


@dataclass(frozen=True, eq=False)
class UnboundedReleased(Confidential):
    """A released vector and its model, with a guarantee that fails with probability ``failure`` at most.

    ``vector`` and ``model`` may be published. ``plan`` and ``facts`` are exact functions of the pool: they
    reveal nothing about the secret world, but must still stay private, so it is not pickled or copied.

    Attributes:
        algorithm: What was run.
        facts: What the algorithm takes as public about the pool; its reference is exact.
        vector: Noised output.
        model: Model built from the vector.
        guarantee: Proved guarantee; None if the noise was chosen by a rule that proves nothing.
        failure: Probability that the simulation misled the proof; None if nothing is proved.
        plan: Noise and the limits it was planned for.
        trials: Number of simulated worlds behind the limits.
        clipped_share: Share of simulated outputs that were clipped.
        simulated: Whether somebody who knows a seed can undo the noise.
    """

    algorithm: Algorithm
    facts: Facts = field(repr=False)
    vector: Floats
    model: Any
    guarantee: PACPrivacy | None
    failure: float | None
    plan: LimitedPlan = field(repr=False)
    trials: int
    clipped_share: float
    simulated: bool

    @property
    def information_upper(self) -> float | None:
        """Nats about the secret world, except with probability ``failure``; None if nothing is proved."""
        return None if self.guarantee is None else self.plan.information_upper

    @property
    def information_certain(self) -> float:
        """Nats about the secret world that hold with certainty, by clipping alone: usually far more."""
        return self.plan.information_certain

    def explain(self) -> str:
        """Return the promise and its limits in plain sentences."""
        return f"({SIMULATED}) {self._promise()}" if self.simulated else self._promise()

    def _promise(self) -> str:
        if self.guarantee is None:
            return (
                "Nothing is promised: the noise follows a published rule that stops when its estimates move "
                "little, which proves nothing about them."
            )
        return (
            f"With probability at least 1 − {self.failure:g} over a simulation of {self.trials:,} public "
            f"worlds, the release carries at most {self.guarantee.mutual_information:g} nats about which "
            f"world (half of the pool) was used. If the simulation failed, this bound does not hold, and "
            f"only that of clipping is left: {self.information_certain:.3g} nats. "
            f"{self.guarantee.explain()} Membership in the pool itself is not protected."
        )


def release_unbounded(
    task: Task,
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
    """Run an algorithm in one secret world, drawn from all halves of the pool, and publish it with noise.

    1. ``pilot`` public worlds give a centre, directions, and how far to clip.
    2. ``trials`` fresh public worlds give an upper limit on the variance along each direction; all limits
       hold together with probability 1 − ``failure``.
    3. The noise is planned for those limits. Then the algorithm runs once in the secret world, and its output
       is clipped and noised. That run has its own process, so that nothing it prints, logs or leaves in
       memory is seen. So the algorithm must be picklable and return the same there: a public world is tried
       first.

    With probability at least 1 − ``failure`` over the simulation, the release carries at most the budget
    about the secret world. If the simulation failed, the budget is **not** kept, and only
    ``information_certain`` is left.

    Args:
        task: Algorithm to run, and the pool.
        budget: Most that the release may reveal; a success is kept by the nats that imply it for every
            record.
        trials: Number of public worlds for the limits, at least 2.
        pilot: Number of public worlds for the frame, at least 4.
        clip: Public range of the outputs, (low, high); the limits grow with its width, so it should be tight.
            None lets the pilot set one.
        failure: Probability that the simulation misleads the proof, above 0 and at most 0.05.
        limit: Limit on a variance, "betting" or "bernstein".
        rule: "proved", or "paper": the variances at which the published rule stops, with a warning and
            without a guarantee.
        shape: Shape of the noise: "optimal", "paper" or "isotropic".
        jobs: Number of workers, as joblib counts them; None leaves it to joblib.
        progress: Called with the number of finished public worlds and the number of all.
        keep: Folder from which an interrupted simulation continues with the same seed; None keeps nothing.
            **It will hold exact outputs of private data**, though none of the secret world. It repeats the
            simulation as a seed does: after seeing a result, do not choose ``clip`` or ``limit`` again.
        seed: Seed of the simulation; None draws a new one. Trying several and keeping the most convenient one
            voids the failure probability.
        source: Source of the secret world and of the noise; None is private.

    >>> import numpy as np
    >>> from noisewright.release.algorithms import Mean
    >>> rows = np.random.default_rng(0).normal(size=(100, 2))
    >>> task = Task(Mean(), Mean().facts(rows, None), rows)
    >>> found = release_unbounded(task, MutualInformation(1 / 4), trials=512, pilot=64)
    >>> found.guarantee, found.failure, found.vector.shape
    (PACPrivacy(mutual_information=0.25), 1e-06, (2,))
    """
    nats = budget.nats if isinstance(budget, MutualInformation) else information_for(budget.rate)
    proved, bound = one_of("rule", rule, RULES) == "proved", limit_named(limit)
    failure = FAILURE.check(failure)
    packed = pack_algorithm(task)  # checked here, before long work
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
    if proved:
        moments = found.moment_limits(failure, bound)
    else:
        warnings.warn(UNPROVED, UnprovedRule, stacklevel=2)
        moments, _ = stopped_variances(found.coordinates)
    plan = plan_limited(found.frame, moments, nats, shape)
    source = source or SecureSource()
    with SecretRun(packed, task, plan.frame.centre.size) as run:
        run.rehearse(*found.example)
        stream = source.stream()  # from here on the secret is in use
        world = draw_secret_world(len(task.rows), stream)
        output = run.output(world.member, world.seed, instead=plan.frame.centre)
        vector = plan.vector(plan.draw(output, stream))
    return UnboundedReleased(
        algorithm=task.algorithm,
        facts=task.facts,
        vector=vector,
        model=task.algorithm.model(vector, task.facts),
        guarantee=PACPrivacy(nats) if proved else None,
        failure=failure if proved else None,
        plan=plan,
        trials=trials,
        clipped_share=found.clipped_share,
        simulated=not source.private,
    )


def stopped_variances(
    outputs: Floats, precision: float = PRECISION, every: int = EVERY
) -> tuple[Floats, int]:
    """Return the variance of each column when the published rule stops, and the number of trials.

    Args:
        outputs: Simulated outputs, (trials, numbers).
        precision: Largest change of a variance between two looks at which the rule stops.
        every: Number of trials between two looks.

    >>> variances, trials = stopped_variances(np.random.default_rng(1).normal(0, 0.01, (2000, 1)))
    >>> trials, variances.round(6).tolist()
    (90, [7.1e-05])
    """
    looks = np.arange(every, len(outputs) + 1, every)
    centred = outputs - outputs[0]  # keeps the sums of squares exact where the spread is small
    sums, squares = np.cumsum(centred, axis=0)[looks - 1], np.cumsum(centred**2, axis=0)[looks - 1]
    estimates = np.maximum(squares - sums**2 / looks[:, None], 0.0) / (looks[:, None] - 1)
    calm = (np.abs(np.diff(estimates, axis=0)) <= precision).all(axis=1)
    if not calm.any():
        raise InvalidParameter(
            f"the published rule did not stop in {len(outputs):,} trials; allow more of them with trials"
        )
    look = int(np.argmax(calm)) + 1  # Sridhar et al. 2024, sec. 7
    return estimates[look], int(looks[look])
