"""One release from a public list: a secret world is drawn, and its cells are published with noise."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from noisewright.domains import Cells, Floats
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.guarantees import PACPrivacy
from noisewright.randomness import SecureSource, Source
from noisewright.release.algorithms.base import Algorithm, Facts
from noisewright.release.attacks import SuccessCertificate, calibrate_success
from noisewright.release.basics.budgets import Budget, MutualInformation
from noisewright.release.basics.pool import Confidential
from noisewright.release.basics.worlds import Worlds, draw_world
from noisewright.release.noise import NoisePlan, plan_noise


@dataclass(frozen=True, eq=False)
class Calibrated:
    """A plan for the noise that keeps a budget.

    One of several releases from the same secret keeps its budget *beyond what the earlier ones revealed*; its
    own guarantee is that of all of them together.

    Attributes:
        budget: Most that the release may reveal.
        plan: Noise that keeps the budget.
        certificate: Success of the best attack, if the noise was calibrated on it; otherwise None.
        spent: Nats of this and all earlier releases from the same secret; None for a single release.
        total: Nats that all releases from the same secret may add up to; None for a single release.
    """

    budget: Budget
    plan: NoisePlan = field(repr=False)
    certificate: SuccessCertificate | None = None
    spent: float | None = None
    total: float | None = None

    @property
    def guarantee(self) -> PACPrivacy:
        """The nats that a release carries at most: as budgeted, or as the plan proves."""
        if self.spent is not None:
            return PACPrivacy(self.spent)
        if isinstance(self.budget, MutualInformation):
            return PACPrivacy(self.budget.nats)
        return PACPrivacy(self.plan.information_upper)


@dataclass(frozen=True, eq=False)
class Released(Confidential):
    """A released vector and model, with the promise about it.

    ``vector`` and ``model`` may be published. ``plan`` and ``facts`` may not, so pickling and copying fail.

    Attributes:
        algorithm: What was run.
        facts: What the algorithm takes as public about the pool; its reference is exact.
        vector: Noised output.
        model: Model built from the vector.
        worlds: Public list of worlds, one of which was used.
        calibrated: Noise and the budget that it keeps.
        simulated: Whether somebody who knows a seed can undo the noise.
    """

    algorithm: Algorithm
    facts: Facts = field(repr=False)
    vector: Floats
    model: Any
    worlds: Worlds = field(repr=False)
    calibrated: Calibrated
    simulated: bool

    @property
    def guarantee(self) -> PACPrivacy:
        """The proved guarantee of the release."""
        return self.calibrated.guarantee

    @property
    def plan(self) -> NoisePlan:
        """The plan of the noise; exact about the pool, so not for publication."""
        return self.calibrated.plan

    @property
    def certificate(self) -> SuccessCertificate | None:
        """How well the best attack does, if the noise was calibrated on it."""
        return self.calibrated.certificate


def calibrate(outputs: Floats, worlds: Worlds, budget: Budget, shape: str, seed: int) -> Calibrated:
    """Return the least noise of a shape that keeps a budget over these worlds.

    Args:
        outputs: Output of every world, (worlds, numbers).
        worlds: Public list of worlds.
        budget: Most that a release may reveal.
        shape: One of ``noise.SHAPES``.
        seed: Public seed of simulated attacks; not used for a budget in nats.
    """
    if isinstance(budget, MutualInformation):
        check_promises(budget.nats, worlds)
        plan = plan_noise(outputs, budget.nats, shape)
        if plan.information_upper > budget.nats:
            raise GuaranteeBroken("the noise was planned for fewer nats than its integers carry")
        return Calibrated(budget, plan)
    return Calibrated(budget, *calibrate_success(outputs, worlds, budget, shape=shape, seed=seed))


def check_promises(nats: float, worlds: Worlds) -> None:
    """Reject nats that are enough to identify the world."""
    if nats >= math.log(worlds.count):
        raise InvalidParameter(
            f"a budget of {nats:g} nats promises nothing: {math.log(worlds.count):.2f} nats show which of "
            f"{worlds.count} worlds was used; take fewer nats, or more worlds"
        )


def publish(
    algorithm: Algorithm,
    facts: Facts,
    worlds: Worlds,
    calibrated: Calibrated,
    cells: Cells,
    *,
    simulated: bool,
) -> Released:
    """Return noised cells as a release: everything from here on is post-processing.

    Args:
        algorithm: What was run.
        facts: What it takes as public about the pool.
        worlds: Public list of worlds.
        calibrated: Plan by which the cells were noised.
        cells: Noised cells of the secret world.
        simulated: Whether the noise came from a seed.
    """
    vector = calibrated.plan.vector(cells)
    return Released(
        algorithm, facts, vector, algorithm.model(vector, facts), worlds, calibrated, simulated=simulated
    )


def release_once(
    algorithm: Algorithm, facts: Facts, worlds: Worlds, calibrated: Calibrated, source: Source | None = None
) -> Released:
    """Draw a secret world, add noise to its output, and forget the world.

    Args:
        algorithm: What was run.
        facts: What it takes as public about the pool.
        worlds: Public list of worlds.
        calibrated: Plan for the noise, which holds the outputs of all worlds.
        source: Source of the secret and of the noise; None is private, a seeded one makes a simulation.
    """
    source = source or SecureSource()
    stream = source.stream()
    cells = calibrated.plan.draw(draw_world(worlds, stream), stream)
    return publish(algorithm, facts, worlds, calibrated, cells, simulated=not source.private)
