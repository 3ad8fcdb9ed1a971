"""One release that is asked for: an algorithm with its budget, and what is public about the data."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike

from noisewright.domains import Cells, Floats
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.release.algorithms.base import Algorithm, Facts
from noisewright.release.budget import MutualInformation
from noisewright.release.composition.account import LONGEST_TITLE, Account, Entry
from noisewright.release.composition.posterior import guarded_nats
from noisewright.release.noise import NoisePlan, plan_noise
from noisewright.release.pool import Pool, published_facts
from noisewright.release.releasing import Calibrated, Released, check_promises, publish
from noisewright.release.running import Progress, run_worlds
from noisewright.release.search.trying import folder
from noisewright.release.worlds import Worlds


@dataclass(frozen=True, eq=False)
class Request:
    """What to release and how much it may tell; checked before anything runs."""

    algorithm: Algorithm
    budget: MutualInformation
    facts: Facts

    @classmethod
    def of(cls, algorithm: Algorithm, budget: MutualInformation, pool: Pool, worlds: Worlds) -> Request:
        """A request about a pool and the public list of its halves, or a refusal."""
        if not isinstance(budget, MutualInformation):  # bounds on success rates do not add up
            raise InvalidParameter(
                f"the budget of a release from a secret is a MutualInformation, not {type(budget).__name__}"
            )
        check_promises(budget.nats, worlds)
        if algorithm.needs_labels and pool.labels is None:
            raise InvalidParameter(f"{algorithm.title} needs labels; give them when the secret is drawn")
        return cls(algorithm, budget, published_facts(algorithm, pool))

    @property
    def entry(self) -> Entry:
        """How the account names and charges it."""
        return Entry(self.algorithm.title[:LONGEST_TITLE], self.budget.nats)

    def outputs(
        self,
        pool: Pool,
        worlds: Worlds,
        *,
        jobs: int | None = None,
        progress: Progress | None = None,
        keep: str | PathLike[str] | None = None,
    ) -> Floats:
        """The vector of every world: the long work, in which the secret has no part.

        In the folder ``keep`` every algorithm has a folder of its own, whichever release asks for it.
        """
        kept = None if keep is None else folder(keep, self.algorithm, worlds)
        return run_worlds(
            self.algorithm,
            self.facts,
            pool.rows,
            pool.labels,
            worlds,
            jobs=jobs,
            progress=progress,
            keep=kept,
        )

    def plan(self, outputs: Floats, noise: str, weights: Floats) -> NoisePlan:
        """Noise that keeps the budget for whoever knows what :meth:`Posterior.guarded` weights stand for."""
        nats = guarded_nats(self.budget.nats)
        plan = plan_noise(outputs, nats, noise, weights)
        if plan.information_upper > nats:
            raise GuaranteeBroken("the noise was planned for fewer nats than its integers carry")
        return plan

    def released(
        self, plan: NoisePlan, cells: Cells, worlds: Worlds, account: Account, *, simulated: bool
    ) -> Released:
        """What leaves. Its noise was planned for who knows the earlier releases, so it vouches for all."""
        calibrated = Calibrated(self.budget, plan, spent=account.spent, total=account.total)
        return publish(self.algorithm, self.facts, worlds, calibrated, cells, simulated=simulated)
