"""One transaction of a secret: charge the account, plan the noise, draw, and note what became known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike

from noisewright.domains import Cells, Floats
from noisewright.errors import BadLedger, GuaranteeBroken, InvalidParameter
from noisewright.progress import Progress
from noisewright.randomness import Source
from noisewright.release.algorithms.base import Algorithm, Facts, published_facts
from noisewright.release.basics.budgets import MutualInformation
from noisewright.release.basics.pool import Pool
from noisewright.release.basics.worlds import Worlds
from noisewright.release.bounded import Calibrated, Released, check_promises, publish
from noisewright.release.composition.account import LONGEST_TITLE, Account, Entry
from noisewright.release.composition.posterior import guarded_nats
from noisewright.release.composition.state import State
from noisewright.release.execution import run_worlds
from noisewright.release.execution.kept_worlds import algorithm_folder
from noisewright.release.noise import NoisePlan, plan_noise


@dataclass(frozen=True, eq=False)
class Request:
    """One release that is asked for: an algorithm with its budget, and what is public about the pool."""

    algorithm: Algorithm
    budget: MutualInformation
    facts: Facts

    @classmethod
    def of(cls, algorithm: Algorithm, budget: MutualInformation, pool: Pool, worlds: Worlds) -> Request:
        """Return a request about a pool and the public list of its worlds, checked before anything runs."""
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
        """Entry by which the account names and charges it."""
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
        """Return the vector of every world: the long work, in which the secret has no part.

        In the folder ``keep`` every algorithm has a folder of its own, whichever release asks for it.
        """
        kept = None if keep is None else algorithm_folder(keep, self.algorithm, worlds)
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
        """Plan noise that keeps the budget for whoever knows what the guarded ``weights`` stand for."""
        nats = guarded_nats(self.budget.nats)
        plan = plan_noise(outputs, nats, noise, weights)
        if plan.information_upper > nats:
            raise GuaranteeBroken("the noise was planned for fewer nats than its integers carry")
        return plan

    def publish(
        self, plan: NoisePlan, cells: Cells, worlds: Worlds, account: Account, *, simulated: bool
    ) -> Released:
        """Return what leaves; its noise was planned for who knows the earlier releases."""
        calibrated = Calibrated(self.budget, plan, spent=account.spent, total=account.total)
        return publish(self.algorithm, self.facts, worlds, calibrated, cells, simulated=simulated)


Drawn = tuple[Request, NoisePlan, Cells]


def afford(state: State, requests: Sequence[Request]) -> tuple[Account, Floats]:
    """Return the account after these releases, and the weights to plan them with."""
    return state.account.charge(*(request.entry for request in requests)), state.posterior.guarded_weights()


def draw(
    state: State, requests: Sequence[Request], outputs: Sequence[Floats], noise: str, source: Source
) -> tuple[State, list[Drawn]]:
    """Draw the cells of releases that were fixed together; returns the state once they are known, too.

    All are planned with what was known before any of them, so that none leans on another.
    """
    account, weights = afford(state, requests)
    posterior, drawn = state.posterior, list[Drawn]()
    for request, vectors in zip(requests, outputs, strict=True):
        plan = request.plan(vectors, noise, weights)
        cells = plan.draw(state.world, source.stream())
        posterior = posterior.after(plan, cells)
        drawn.append((request, plan, cells))
    return replace(state, account=account, posterior=posterior), drawn


def check_same_secret(found: State, expected: State) -> None:
    """Reject a file that was put in the place of the one that was opened: its worlds are not these."""
    if found.key != expected.key:
        raise BadLedger("the file of this secret was replaced; nothing was spent, open it again")
