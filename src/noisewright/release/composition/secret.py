"""A secret: one secret world of a pool, and the releases that are made from it one after the other.

A release is one transaction: charge the account, plan the noise, draw, and update the posterior.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NoReturn

from noisewright.domains import Cells, Floats
from noisewright.errors import BadLedger, GuaranteeBroken, InvalidParameter
from noisewright.guarantees import PACPrivacy
from noisewright.progress import Progress
from noisewright.randomness import SecureSource, Source
from noisewright.release.algorithms.base import Algorithm
from noisewright.release.algorithms.catalogue import algorithm_for
from noisewright.release.basics.budgets import MutualInformation
from noisewright.release.basics.pool import Pool, read_pool
from noisewright.release.basics.worlds import Worlds, worlds_for
from noisewright.release.bounded.release import Calibrated, Released, check_promises, publish
from noisewright.release.composition.account import LONGEST_TITLE, Account, Entry
from noisewright.release.composition.posterior import guarded_nats
from noisewright.release.composition.storage import InFile, InMemory, State, fingerprint
from noisewright.release.execution import Task, run_worlds
from noisewright.release.execution.kept_worlds import algorithm_folder
from noisewright.release.noise import NoisePlan, plan_noise

Asked = tuple[Any, MutualInformation]
"""An algorithm, or anything that :func:`algorithm_for` accepts, and the budget of its release."""

Request = tuple[Task, MutualInformation]
"""The same after checks: the algorithm with the pool of the secret."""

PUBLIC_SEED: Final = 0
"""The seed of the worlds; always the same, so that kept worlds of a pool can be used for all its secrets."""


class Secret:
    """One secret world of a pool, drawn once, and all releases that are made from it.

    The theorem of this package bounds what all releases together reveal about the world.

    Args:
        rows: Records of the pool, (records, features), an array or a data frame.
        labels: One label for each record; None if there are none.
        total: Nats that all releases together may reveal about which world was used.
        worlds: Number of public worlds, even, or a list of them made for the same records.
        source: Source of the secret and of all noise; None is private. A seeded one makes the secret a
            simulation, and everything released from it says so.
        names: Names of the columns; None takes those of the table.

    >>> import numpy as np
    >>> from noisewright.release.algorithms import Mean
    >>> rows = np.random.default_rng(1).normal(size=(40, 2))
    >>> secret = Secret(rows, total=MutualInformation(1.0), worlds=64)
    >>> secret.release(Mean(), MutualInformation(0.25)).vector.shape
    (2,)
    >>> secret.account.left
    0.75
    >>> secret.release(Mean(), MutualInformation(0.8))
    Traceback (most recent call last):
    ...
    noisewright.errors.BudgetSpent: this secret has 0.75 nats left of 1.0, and ... asks for 0.8; ...
    """

    def __init__(
        self,
        rows: Any,
        labels: Any = None,
        *,
        total: MutualInformation,
        worlds: int | Worlds = 1024,
        source: Source | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        if not isinstance(total, MutualInformation):
            raise InvalidParameter(
                "must be a MutualInformation, for example MutualInformation(1)", field="total"
            )
        pool, source = _pool(rows, labels, names), _check_source(source)
        listed = worlds_for(worlds, len(pool.rows), PUBLIC_SEED)
        check_promises(total.nats, listed)
        self._settle(pool, source, InMemory(State.draw(pool, listed, total.nats, source)))

    def _settle(self, pool: Pool, source: Source, storage: InMemory | InFile) -> None:
        self._pool, self._source, self._storage = pool, source, storage

    # -- release -------------------------------------------------------------------------------------

    def release(
        self,
        algorithm: Any,
        budget: MutualInformation,
        noise: str = "optimal",
        *,
        jobs: int | None = None,
        progress: Progress | None = None,
        keep: str | os.PathLike[str] | None = None,
    ) -> Released:
        """Make one release; the algorithm and its budget may depend on all releases before it.

        Every release has fresh noise and costs its budget, even if the same was released before.

        Args:
            algorithm: What to release, as for :class:`~noisewright.release.Release`.
            budget: Nats that this release may reveal beyond the earlier ones.
            noise: Shape of the noise: "optimal", "paper" or "isotropic".
            jobs: Number of workers, as joblib counts them; None leaves it to joblib.
            progress: Called with the number of finished worlds and the number of all.
            keep: Folder for finished worlds, from which interrupted work continues; several releases may
                share it. **It will hold exact outputs of private data**: delete it when the releases are
                done.
        """
        asked = [(algorithm, budget)]
        return self.release_together(asked, noise, jobs=jobs, progress=progress, keep=keep)[0]

    def release_together(
        self,
        asked: Iterable[Asked],
        noise: str = "optimal",
        *,
        jobs: int | None = None,
        progress: Progress | None = None,
        keep: str | os.PathLike[str] | None = None,
    ) -> list[Released]:
        """Make several releases that are fixed beforehand, all or none; their budgets add up.

        Args:
            asked: Pairs of an algorithm and its budget.
            noise: Shape of the noise: "optimal", "paper" or "isotropic".
            jobs: Number of workers, as joblib counts them; None leaves it to joblib.
            progress: Called with the number of finished worlds and the number of all.
            keep: Folder for finished worlds, as for :meth:`release`.
        """
        before, pool = self._storage.state, self._pool
        worlds = before.worlds
        requests = [_request(algorithm_for(thing), budget, pool, worlds) for thing, budget in asked]
        afford(before, requests)  # checked here, before long work, and again in the transaction
        outputs = [
            run_worlds(
                task,
                worlds,
                jobs=jobs,
                progress=progress,
                keep=algorithm_folder(keep, task.algorithm, worlds),
            )
            for task, _ in requests
        ]
        with self._storage.transaction() as transaction:
            if transaction.state.key != before.key:  # these are not the worlds that ran
                raise BadLedger("the file of this secret was replaced; nothing was spent, open it again")
            transaction.state, drawn = draw(transaction.state, requests, outputs, noise, self._source)
            account = transaction.state.account
        # Only here, after the account is charged on disk, is a release returned.
        return [
            publish(
                task.algorithm,
                task.facts,
                worlds,
                Calibrated(budget, plan, spent=account.spent, total=account.total),
                cells,
                simulated=before.simulated,
            )
            for (task, budget), (plan, cells) in zip(requests, drawn, strict=True)
        ]

    # -- reading -------------------------------------------------------------------------------------

    @property
    def account(self) -> Account:
        """The releases so far, their costs, and the nats left."""
        return self._storage.state.account

    @property
    def guarantee(self) -> PACPrivacy:
        """The guarantee of all releases so far together."""
        return PACPrivacy(self.account.spent)

    @property
    def worlds(self) -> Worlds:
        """The public list of worlds."""
        return self._storage.state.worlds

    @property
    def simulated(self) -> bool:
        """Whether somebody who knows a seed can undo all noise."""
        return self._storage.state.simulated

    def __repr__(self) -> str:
        return f"<Secret with {self.account.left!r} nats left of {self.account.total!r}>"

    # -- storage -------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Move the secret into a new private file, where it stays from now on; return its path.

        The file holds no data, but it names the secret world: it is worth as much as the data.

        Args:
            path: New file, which only its owner may read.
        """
        if not isinstance(self._storage, InMemory):
            raise BadLedger("this secret is in a file already; a second one would double its budget")
        self._storage = self._storage.move(Path(path).resolve())
        return self._storage.path

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        rows: Any,
        labels: Any = None,
        *,
        source: Source | None = None,
        names: Sequence[str] | None = None,
    ) -> Secret:
        """Return the secret of a file, with the data that it was drawn for; reject other data.

        Args:
            path: File that :meth:`save` made.
            rows: Records of the pool for which the secret was drawn.
            labels: Their labels.
            source: Source of the noise; None is private, and a private secret takes no other.
            names: Names of the columns; None takes those of the table.
        """
        pool, source = _pool(rows, labels, names), _check_source(source)
        storage = InFile(Path(path).resolve())
        state = storage.state
        if fingerprint(pool, state.key) != state.fingerprint:
            raise BadLedger(
                f"{path} is the secret of other rows or labels; give those that it was drawn for, with the "
                "same `label` and `columns`"
            )
        if not source.private and not state.simulated:
            raise InvalidParameter("a private secret takes no seeded source; leave the source out")
        secret = cls.__new__(cls)
        secret._settle(pool, source, storage)
        return secret

    def __reduce__(self) -> NoReturn:
        raise InvalidParameter("a secret cannot be copied, that would double its budget; save it and open it")


def _check_source(source: Source | None) -> Source:
    if source is not None and not isinstance(source, Source):
        raise InvalidParameter(f"must be a SecureSource, not {type(source).__name__}", field="source")
    return SecureSource() if source is None else source


def _pool(rows: Any, labels: Any, names: Sequence[str] | None) -> Pool:
    """Return the pool, with ``names`` in place of the table's own column names."""
    pool = read_pool(rows, labels)
    if names is None:
        return pool
    if len(names) != pool.rows.shape[1]:
        raise InvalidParameter(f"must be one for each of the {pool.rows.shape[1]} columns", field="names")
    return replace(pool, names=tuple(map(str, names)))


def _request(algorithm: Algorithm, budget: MutualInformation, pool: Pool, worlds: Worlds) -> Request:
    """Return a requested release, checked before anything runs."""
    if not isinstance(budget, MutualInformation):  # bounds on success rates do not add up
        raise InvalidParameter(
            f"the budget of a release from a secret is a MutualInformation, not {type(budget).__name__}"
        )
    check_promises(budget.nats, worlds)
    if algorithm.needs_labels and pool.labels is None:
        raise InvalidParameter(f"{algorithm.title} needs labels; give them when the secret is drawn")
    return Task.of(algorithm, pool), budget


def afford(state: State, requests: Iterable[Request]) -> tuple[Account, Floats]:
    """Return the account after these releases, and the weights for planning their noise."""
    entries = (Entry(task.algorithm.title[:LONGEST_TITLE], budget.nats) for task, budget in requests)
    return state.account.charge(*entries), state.posterior.guarded_weights()


def draw(
    state: State, requests: Sequence[Request], outputs: Sequence[Floats], noise: str, source: Source
) -> tuple[State, list[tuple[NoisePlan, Cells]]]:
    """Plan and draw releases that were fixed together; return them with the state after them.

    All are planned with the posterior before any of them, so that none depends on another.
    """
    account, weights = afford(state, requests)
    posterior, drawn = state.posterior, []
    for (_, budget), vectors in zip(requests, outputs, strict=True):
        nats = guarded_nats(budget.nats)
        plan = plan_noise(vectors, nats, noise, weights)
        if plan.information_upper > nats:
            raise GuaranteeBroken("the noise was planned for fewer nats than its integers carry")
        cells = plan.draw(state.world, source.stream())
        posterior = posterior.after(plan, cells)
        drawn.append((plan, cells))
    return replace(state, account=account, posterior=posterior), drawn
