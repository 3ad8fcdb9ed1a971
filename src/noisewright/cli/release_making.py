"""Making the release that was asked for: from public halves, from any half, or from a kept secret."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from noisewright.cli.release_request import ReleaseRequest
from noisewright.cli.release_table import PoolTable
from noisewright.errors import InvalidParameter
from noisewright.release.attacks import AttackReport
from noisewright.release.budget import MutualInformation
from noisewright.release.card import Card
from noisewright.release.composition import Secret
from noisewright.release.release import Release
from noisewright.release.search import default_grid
from noisewright.release.unbounded_release import UnboundedRelease

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Made:
    """A release with its card, and what attacks on it achieved if any were asked for."""

    released: Any
    card: Card
    report: AttackReport | None = None
    left_out: tuple[str, ...] = ()


def make(request: ReleaseRequest, table: PoolTable, progress: Progress | None = None) -> Made:
    """Make a release of a pool in the way that was asked for."""
    if request.failure is not None:
        return _unbounded(request, table, request.failure, progress)
    if isinstance(request.budget, MutualInformation) and request.secret is not None:
        return _from_secret(request, table, request.budget, progress)
    return _once(request, table, progress)


def _once(request: ReleaseRequest, table: PoolTable, progress: Progress | None) -> Made:
    release = Release(
        request.algorithm, request.budget, noise=request.noise, worlds=request.worlds,
        grid=default_grid(request.algorithm) if request.search else None,
        random_state=request.seed, jobs=request.jobs, keep=request.keep, progress=progress,
    ).fit(table, table.labels)  # fmt: skip
    report = release.attack(seed=request.seed) if request.attack else None
    return Made(release.released_, release.card_, report, table.left_out)


def _unbounded(request: ReleaseRequest, table: PoolTable, failure: float, progress: Progress | None) -> Made:
    release = UnboundedRelease(
        request.algorithm, request.budget, noise=request.noise, failure=failure,
        random_state=request.seed, jobs=request.jobs, keep=request.keep, progress=progress,
    ).fit(table, table.labels)  # fmt: skip
    report = release.attack(seed=request.seed, worlds=request.worlds) if request.attack else None
    return Made(release.released_, release.card_, report, table.left_out)


def _from_secret(
    request: ReleaseRequest, table: PoolTable, budget: MutualInformation, progress: Progress | None
) -> Made:
    secret = _secret(request, table)
    released = secret.release(
        request.algorithm, budget, request.noise, jobs=request.jobs, progress=progress, keep=request.keep
    )
    card = Card.of(released, noise=request.noise)
    return Made(released, card, left_out=table.left_out)


def _secret(request: ReleaseRequest, table: PoolTable) -> Secret:
    """The secret of the file, or a new one in a new file."""
    path, total = request.secret, request.total
    assert path is not None
    if path.exists():
        secret = Secret.open(path, table, table.labels, source=request.source)
        if total is not None and total.nats != secret.account.total:
            raise InvalidParameter(
                f"{path} has a total of {secret.account.total:g} nats, which cannot be changed; leave out "
                "--total"
            )
        return secret
    if total is None:
        raise InvalidParameter(
            f"{path} does not exist yet; give --total, what all releases from it may tell together"
        )
    secret = Secret(table, table.labels, total=total, worlds=request.worlds, source=request.source)
    secret.save(path)
    return secret
