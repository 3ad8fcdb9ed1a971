r"""A release from a file in one call: the request, its checks, and the result.

>>> import tempfile
>>> from pathlib import Path
>>> from noisewright.release.algorithms import Mean
>>> from noisewright.release.basics.budgets import MutualInformation
>>> with tempfile.TemporaryDirectory() as folder:
...     path = Path(folder) / "people.csv"
...     _ = path.write_text("age\n" + "\n".join(map(str, range(20, 60))))
...     found = release_file(path, Mean(), MutualInformation(1 / 4), worlds=32)
>>> found.card.records, found.released.vector.shape
(40, (1,))
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from noisewright.errors import BadLedger, BadTable, InvalidParameter, NoisewrightError
from noisewright.parameters import real, whole
from noisewright.progress import Progress
from noisewright.randomness import SeededSource
from noisewright.release.algorithms import Ridge, Scaled, algorithm_for
from noisewright.release.attacks import AttackReport
from noisewright.release.basics.budgets import Budget, MutualInformation, check_budget
from noisewright.release.basics.pool import Confidential
from noisewright.release.basics.pool_file import PoolTable, read_pool_table
from noisewright.release.basics.worlds import LEAST_RECORDS, MOST_WORLDS, Worlds
from noisewright.release.bounded import Released
from noisewright.release.card import Card
from noisewright.release.composition import Secret
from noisewright.release.execution import Task, run_worlds
from noisewright.release.noise import SHAPES
from noisewright.release.release import Release
from noisewright.release.report import publication_report
from noisewright.release.search import SearchResult, default_grid
from noisewright.release.search.expected_utility import ExpectedUtility, expected_utility
from noisewright.release.unbounded import UnboundedReleased
from noisewright.release.unbounded.release import LARGEST_FAILURE
from noisewright.release.unbounded_release import UnboundedRelease
from noisewright.report import Report, Reportable
from noisewright.report.terminal import render_text
from noisewright.text import plain

WORLDS: Final = 1024
FAILURE: Final = 1e-6
MOST_SEED: Final = (1 << 62) - 1
SQLITE: Final = b"SQLite format 3\0"
"""The first bytes of the file of a secret."""

EXTRA_WORLDS: Final = 32
"""Public worlds in which an unbounded release, which has no list of its own, is evaluated for its owner."""


@dataclass(frozen=True)
class ReleaseRequest:
    """A request: what to release, from which columns, within which budget; checked before a file is opened.

    Attributes:
        algorithm: What to release, as for :class:`~noisewright.release.Release`.
        budget: Most that the release may reveal, in nats or as the success of an attack.
        columns: Features; if empty, all columns of numbers except the label.
        label: Column to predict; None if there is none.
        noise: Shape of the noise: "optimal", "paper" or "isotropic".
        worlds: Number of public worlds, even; None for 1024, or the number that a secret was drawn from. For
            an unbounded release, the length of the attack's list.
        search: Whether to choose the regularization with the best utility after the noise.
        attack: Whether to attack the release and report the results.
        unbounded: Whether the secret world may be any half of the pool; the proof may then fail.
        failure: Probability that the proof of an unbounded release fails, at most 0.05; None for 10⁻⁶.
        secret: Private file with the secret world; None draws one for this release alone. Releases from one
            secret add up in nats; give the same columns and label every time.
        total: Nats that all releases from a new secret may reveal together; None for an existing secret.
        jobs: Number of workers, as joblib counts them; None leaves it to joblib.
        keep: Private folder for finished worlds, from which interrupted work continues; None keeps nothing.
        seed: None is private. Any whole number makes the release repeatable and NOT PRIVATE.
    """

    algorithm: Any
    budget: Budget
    columns: tuple[str, ...] = ()
    label: str | None = None
    noise: str = "optimal"
    worlds: int | None = None
    search: bool = False
    attack: bool = False
    unbounded: bool = False
    failure: float | None = None
    secret: str | os.PathLike[str] | None = None
    total: MutualInformation | None = None
    jobs: int | None = None
    keep: str | os.PathLike[str] | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "algorithm", algorithm_for(self.algorithm))
        check_budget(self.budget)
        if self.noise not in SHAPES:
            raise InvalidParameter(f"must be one of {', '.join(SHAPES)}; got {self.noise!r}", field="noise")
        if whole("worlds", self.world_count, 2, MOST_WORLDS) % 2:
            raise InvalidParameter(f"must be even, got {self.worlds}: worlds come in pairs", field="worlds")
        if self.seed is not None:
            whole("seed", self.seed, 0, MOST_SEED)
        self._check_modes()

    def _check_modes(self) -> None:
        """Reject options of one kind of release combined with another kind."""
        if self.failure is not None and not self.unbounded:
            raise InvalidParameter("failure=… is for unbounded=True; other proofs do not fail")
        if self.failure is not None and not 0 < real("failure", self.failure) <= LARGEST_FAILURE:
            raise InvalidParameter(
                f"must be a probability above 0 and at most {LARGEST_FAILURE}; got {self.failure:g}",
                field="failure",
            )
        if self.unbounded and self.secret is not None:
            raise InvalidParameter("unbounded=True and secret=… exclude each other")
        if self.total is not None and self.secret is None:
            raise InvalidParameter(
                "total=… is the limit of all releases from one secret=…; name its file, too"
            )
        if not self.unbounded and self.secret is None:
            return
        other = "unbounded=True" if self.unbounded else "secret=…"
        attacked = self.attack and self.secret is not None  # an attack has to start from a uniform prior
        for option, wanted in {"search=True": self.search, "attack=True": attacked}.items():
            if wanted:
                raise InvalidParameter(f"{option} does not go with {other}; leave one of them out")
        if self.secret is not None and not isinstance(self.budget, MutualInformation):
            raise InvalidParameter("releases from one secret=… add up in nats: give a MutualInformation")

    def read(self, path: str | os.PathLike[str]) -> PoolTable:
        """Read the pool of a file.

        Args:
            path: A CSV, Parquet or Arrow file.
        """
        predictor = self.algorithm.algorithm if isinstance(self.algorithm, Scaled) else self.algorithm
        numeric = isinstance(predictor, Ridge)
        table = read_pool_table(Path(path), self.columns, self.label, numeric_label=numeric)
        if len(table.rows) < LEAST_RECORDS:
            raise BadTable(f"{path} has {len(table.rows)} rows; a release needs at least {LEAST_RECORDS}")
        return table

    @property
    def world_count(self) -> int:
        """Number of public worlds: as requested, or the default."""
        return WORLDS if self.worlds is None else self.worlds

    @property
    def source(self) -> SeededSource | None:
        """Source of the secret and of the noise; None is private."""
        return None if self.seed is None else SeededSource(self.seed)


@dataclass(frozen=True, eq=False)
class Publication(Confidential, Reportable):
    """A release with its card, and the results of attacks on it and of a search before it.

    The report may be published, except for its section on attacks. The rest is exact about the data, so the
    object is not pickled or copied.

    Attributes:
        released: The release.
        card: Its privacy card.
        table: The pool that it was released from.
        attacks: Results of attacks; None if none were tried.
        search: Result of a search for parameters; None without a search.
    """

    released: Released | UnboundedReleased = field(repr=False)
    card: Card
    table: PoolTable = field(repr=False)
    attacks: AttackReport | None = None
    search: SearchResult | None = field(default=None, repr=False)

    @property
    def numbers(self) -> list[tuple[str, float]]:
        """The released numbers, each with its name."""
        names = self.released.algorithm.coordinates(self.released.facts)
        return list(zip(map(plain, names), self.released.vector.tolist(), strict=True))

    def expected_utility(self) -> ExpectedUtility | None:
        """Estimate the utility of releases like this one; only for the owner of the data.

        An unbounded release is simulated in a few more worlds. None if the algorithm has no measure of
        utility.
        """
        made = self.released
        task = Task(made.algorithm, made.facts, self.table.rows, self.table.labels)
        if isinstance(made, Released):
            return expected_utility(task, made.plan, made.worlds)
        worlds = Worlds(made.facts.records, EXTRA_WORLDS)
        try:
            plan = made.plan.over(run_worlds(task, worlds))
        except NoisewrightError:  # the release is done; a failure of extra worlds must not stop it
            return None
        return expected_utility(task, plan, worlds)

    def to_dict(self) -> dict[str, Any]:
        """Return the publication in plain JSON values."""
        return {
            "card": self.card.to_dict(),
            "released": [{"name": name, "value": value} for name, value in self.numbers],
            "attack": None if self.attacks is None else self.attacks.to_dict(),
            "left_out": list(self.table.left_out),
        }

    def report(self) -> Report:
        """Describe the publication as a document."""
        return publication_report(self)

    def __str__(self) -> str:
        return render_text(self.report())


def release_file(
    path: str | os.PathLike[str],
    algorithm: Any,
    budget: Budget,
    *,
    progress: Progress | None = None,
    **asked: Any,
) -> Publication:
    """Release a model or a statistic of the table in a file.

    Args:
        path: A CSV, Parquet or Arrow file: the pool of records.
        algorithm: What to release, as for :class:`~noisewright.release.Release`.
        budget: Most that the release may reveal.
        progress: Called with the number of finished worlds and the number of all.
        asked: Further fields of :class:`ReleaseRequest`, such as ``label="species"`` or ``attack=True``.
    """
    request = ReleaseRequest(algorithm, budget, **asked)
    return release_table(request.read(path), request, progress)


def release_table(table: PoolTable, request: ReleaseRequest, progress: Progress | None = None) -> Publication:
    """Release what a request asks for, from a table in memory.

    Args:
        table: The pool, as :meth:`ReleaseRequest.read` returns it.
        request: What is asked for.
        progress: Called with the number of finished worlds and the number of all.
    """
    make: Callable[..., Publication] = _bounded
    if request.unbounded:
        make = _unbounded
    elif request.secret is not None:
        make = _from_secret
    return make(request, table, progress)


def _bounded(request: ReleaseRequest, table: PoolTable, progress: Progress | None) -> Publication:
    release = Release(
        request.algorithm, request.budget, noise=request.noise, worlds=request.world_count,
        grid=default_grid(request.algorithm) if request.search else None,
        random_state=request.seed, jobs=request.jobs, keep=request.keep, progress=progress,
    ).fit(table, table.labels)  # fmt: skip
    attacks = release.attack(seed=request.seed) if request.attack else None
    search = release.search_ if request.search else None
    return Publication(release.released_, release.card_, table, attacks, search)


def _unbounded(request: ReleaseRequest, table: PoolTable, progress: Progress | None) -> Publication:
    release = UnboundedRelease(
        request.algorithm, request.budget, noise=request.noise,
        failure=FAILURE if request.failure is None else request.failure,
        random_state=request.seed, jobs=request.jobs, keep=request.keep, progress=progress,
    ).fit(table, table.labels)  # fmt: skip
    attacks = release.attack(seed=request.seed, worlds=request.world_count) if request.attack else None
    return Publication(release.released_, release.card_, table, attacks)


def _from_secret(request: ReleaseRequest, table: PoolTable, progress: Progress | None) -> Publication:
    assert request.secret is not None
    path = Path(request.secret)
    new = not path.exists()
    secret = _draw_secret(request, table, path) if new else _open_secret(request, table, path)
    released = secret.release(
        request.algorithm,
        request.budget,  # type: ignore[arg-type]  # in nats, as the request checked
        request.noise,
        jobs=request.jobs,
        progress=progress,
        keep=request.keep,
    )
    card = Card.of(released, noise=request.noise)
    if new:  # only now, and charged: if the first release is rejected, no file is left behind
        secret.save(path)
    return Publication(released, card, table)


def _open_secret(request: ReleaseRequest, table: PoolTable, path: Path) -> Secret:
    """Return the secret of a file; its total and worlds cannot be changed."""
    if path.is_file() and os.access(path, os.R_OK):
        with path.open("rb") as file:
            if file.read(len(SQLITE)) != SQLITE:
                raise BadLedger(f"{path} is not a secret file; name a new one with total=…")
    secret = Secret.open(path, table, table.labels, source=request.source)
    if request.total is not None and request.total.nats != secret.account.total:
        raise InvalidParameter(
            f"{path} has a total of {secret.account.total:g} nats, which cannot be changed; leave out "
            "total=…, or name a new file"
        )
    if request.worlds is not None and request.worlds != secret.worlds.count:
        raise InvalidParameter(
            f"{path} was drawn from {secret.worlds.count} worlds, which cannot be changed; leave out worlds=…"
        )
    return secret


def _draw_secret(request: ReleaseRequest, table: PoolTable, path: Path) -> Secret:
    """Return a new secret for a file that does not exist yet."""
    if request.total is None:
        raise InvalidParameter(
            f"{path} does not exist yet; give total=…, the limit of all releases from it together"
        )
    if not path.absolute().parent.is_dir():
        raise BadTable(f"cannot write {path}: the folder {path.absolute().parent} does not exist")
    return Secret(table, table.labels, total=request.total, worlds=request.world_count, source=request.source)
