"""Making the release that was asked for: from public halves, from any half, or from a kept secret."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noisewright.cli.release_request import ReleaseRequest
from noisewright.cli.release_table import PoolTable
from noisewright.cli.targets import check_new_file
from noisewright.errors import InvalidParameter
from noisewright.release.attacks import AttackReport
from noisewright.release.budget import MutualInformation
from noisewright.release.card import Card
from noisewright.release.composition import Secret
from noisewright.release.release import Release
from noisewright.release.search import SearchResult, default_grid
from noisewright.release.unbounded_release import UnboundedRelease

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Made:
    """A release with its card, and what attacks on it and a search before it found if they were asked for."""

    released: Any
    card: Card
    report: AttackReport | None = None
    left_out: tuple[str, ...] = ()
    search: SearchResult | None = None


def make(request: ReleaseRequest, table: PoolTable, progress: Progress | None = None) -> Made:
    """Make a release of a pool in the way that was asked for."""
    if request.failure is not None:
        return _unbounded(request, table, request.failure, progress)
    if isinstance(request.budget, MutualInformation) and request.secret is not None:
        return _from_secret(request, table, request.budget, progress)
    return _once(request, table, progress)


def _once(request: ReleaseRequest, table: PoolTable, progress: Progress | None) -> Made:
    release = Release(
        request.algorithm, request.budget, noise=request.noise, worlds=request.halves,
        grid=default_grid(request.algorithm) if request.search else None,
        random_state=request.seed, jobs=request.jobs, keep=request.keep, progress=progress,
    ).fit(table, table.labels)  # fmt: skip
    report = release.attack(seed=request.seed) if request.attack else None
    search = release.search_ if request.search else None
    return Made(release.released_, release.card_, report, table.left_out, search)


def _unbounded(request: ReleaseRequest, table: PoolTable, failure: float, progress: Progress | None) -> Made:
    release = UnboundedRelease(
        request.algorithm, request.budget, noise=request.noise, failure=failure,
        random_state=request.seed, jobs=request.jobs, keep=request.keep, progress=progress,
    ).fit(table, table.labels)  # fmt: skip
    report = release.attack(seed=request.seed, worlds=request.halves) if request.attack else None
    return Made(release.released_, release.card_, report, table.left_out)


def _from_secret(
    request: ReleaseRequest, table: PoolTable, budget: MutualInformation, progress: Progress | None
) -> Made:
    path = request.secret
    assert path is not None
    new = not path.exists()
    secret = _drawn(request, table, path) if new else _opened(request, table, path)
    released = secret.release(
        request.algorithm, budget, request.noise, jobs=request.jobs, progress=progress, keep=request.keep
    )
    card = Card.of(released, noise=request.noise)
    if new:  # only now, and charged: a first release that is refused leaves no file behind
        secret.save(path)
    return Made(released, card, left_out=table.left_out)


def _opened(request: ReleaseRequest, table: PoolTable, path: Path) -> Secret:
    """The secret of a file; what it was made with cannot be changed."""
    secret = Secret.open(path, table, table.labels, source=request.source)
    if request.total is not None and request.total.nats != secret.account.total:
        raise InvalidParameter(
            f"{path} has a total of {secret.account.total:g} nats, which cannot be changed; leave out "
            "--total, or name a new file"
        )
    if request.worlds is not None and request.worlds != secret.worlds.count:
        raise InvalidParameter(
            f"{path} was drawn from {secret.worlds.count} worlds, which cannot be changed; leave out --worlds"
        )
    return secret


def _drawn(request: ReleaseRequest, table: PoolTable, path: Path) -> Secret:
    """A new secret for a file that does not exist yet."""
    if request.total is None:
        raise InvalidParameter(
            f"{path} does not exist yet; give --total, what all releases from it may tell together"
        )
    check_new_file(path, replace=False)
    return Secret(table, table.labels, total=request.total, worlds=request.halves, source=request.source)
