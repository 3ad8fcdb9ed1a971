"""One release: a secret world is drawn, its cells get their noise, and only that leaves."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from noisewright.domains import Cells, Floats
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.guarantees import PACPrivacy
from noisewright.mechanisms.joint.drawing_lots import uniform_below
from noisewright.randomness import SecureSource, Source, Stream
from noisewright.release.algorithms.base import Algorithm, Facts
from noisewright.release.attacks import SuccessCertificate, calibrate_success
from noisewright.release.budget import Budget, MutualInformation
from noisewright.release.confidential import Confidential
from noisewright.release.noise import NoisePlan, plan_noise
from noisewright.release.worlds import Worlds


@dataclass(frozen=True, eq=False)
class Calibrated:
    """A plan for the noise that keeps a budget; ``certificate`` where it was calibrated on attacks.

    One of several releases from the same secret keeps its budget *beyond what the earlier ones told*, and
    alone promises no less than all of them: ``spent`` are their nats with its own, ``total`` what they may
    come to.
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
    """What came out, and what is promised about it.

    ``vector`` and ``model`` may leave. ``plan`` and ``facts`` may not, so the whole is not pickled or copied.
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
        """What is proved about the release."""
        return self.calibrated.guarantee

    @property
    def plan(self) -> NoisePlan:
        """The noise: exact about the pool, so nothing to publish."""
        return self.calibrated.plan

    @property
    def certificate(self) -> SuccessCertificate | None:
        """How well the best attack does, if the noise was calibrated on it."""
        return self.calibrated.certificate


def calibrate(outputs: Floats, worlds: Worlds, budget: Budget, shape: str, seed: int) -> Calibrated:
    """The least noise of a shape that keeps a budget over these worlds; ``seed`` is for public chance."""
    if isinstance(budget, MutualInformation):
        check_promises(budget.nats, worlds)
        plan = plan_noise(outputs, budget.nats, shape)
        if plan.information_upper > budget.nats:
            raise GuaranteeBroken("the noise was planned for fewer nats than its integers carry")
        return Calibrated(budget, plan)
    return Calibrated(budget, *calibrate_success(outputs, worlds, budget, shape=shape, seed=seed))


def check_promises(nats: float, worlds: Worlds) -> None:
    """Refuse nats that tell everything: which of so many worlds was used."""
    if nats >= math.log(worlds.count):
        raise InvalidParameter(
            f"a budget of {nats:g} nats promises nothing: {math.log(worlds.count):.2f} nats tell which of "
            f"{worlds.count} worlds was used; take fewer nats, or more worlds"
        )


def worlds_for(worlds: int | Worlds, records: int, seed: int) -> Worlds:
    """Fresh worlds for a pool, or the given ones if they fit it."""
    if not isinstance(worlds, Worlds):
        return Worlds(records, worlds, seed)
    if worlds.records != records:
        raise InvalidParameter(
            f"these worlds are halves of {worlds.records} records, but X has {records}; make them for X"
        )
    return worlds


def draw_world(worlds: Worlds, stream: Stream) -> int:
    """The secret: one world, each equally likely."""
    return int(uniform_below(worlds.count, 1, stream)[0])


def publish(
    algorithm: Algorithm,
    facts: Facts,
    worlds: Worlds,
    calibrated: Calibrated,
    cells: Cells,
    *,
    simulated: bool,
) -> Released:
    """Noised cells as a model: everything from here on is post-processing."""
    vector = calibrated.plan.vector(cells)
    return Released(
        algorithm, facts, vector, algorithm.model(vector, facts), worlds, calibrated, simulated=simulated
    )


def release_once(
    algorithm: Algorithm,
    facts: Facts,
    worlds: Worlds,
    calibrated: Calibrated,
    source: Source | None = None,
) -> Released:
    """Draw a secret world, noise its output, forget the world."""
    source = source or SecureSource()
    stream = source.stream()
    cells = calibrated.plan.draw(draw_world(worlds, stream), stream)
    return publish(algorithm, facts, worlds, calibrated, cells, simulated=not source.private)
