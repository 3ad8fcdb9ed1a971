"""One release as it was asked for: options checked, and the pool read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from noisewright.cli.release_algorithms import LABELLED, SEARCHED, AlgorithmOptions, read_algorithm
from noisewright.cli.release_budget import TOTAL, read_budget, read_nats
from noisewright.cli.release_table import PoolTable, read_pool_table
from noisewright.errors import BadTable, InvalidParameter
from noisewright.parameters import whole
from noisewright.randomness import SeededSource
from noisewright.release.algorithms import Ridge, Scaled
from noisewright.release.algorithms.base import Algorithm
from noisewright.release.budget import Budget, MutualInformation
from noisewright.release.noise import SHAPES
from noisewright.release.worlds import LEAST_RECORDS, MOST_WORLDS

WORLDS: Final = 1024
MOST_SEED: Final = (1 << 62) - 1


@dataclass(frozen=True)
class ReleaseRequest:
    """What is to be released, from which columns, and within which budget."""

    algorithm: Algorithm
    budget: Budget
    columns: tuple[str, ...]
    label: str | None
    noise: str = "optimal"
    worlds: int | None = None
    search: bool = False
    attack: bool = False
    failure: float | None = None
    secret: Path | None = None
    total: MutualInformation | None = None
    jobs: int | None = None
    keep: str | None = None
    seed: int | None = None

    @classmethod
    def of(
        cls,
        name: str,
        options: AlgorithmOptions,
        *,
        budget: str | None,
        success: str | None,
        total: str | None,
        label: str | None,
        search: bool,
        **others: Any,
    ) -> ReleaseRequest:
        """Read the options and refuse what has no meaning, before any file is opened."""
        algorithm = read_algorithm(name, options)
        if label is None and algorithm.needs_labels:
            raise InvalidParameter(f"--algorithm {name} learns from labels; name their column with --label")
        if label is not None and name not in LABELLED and others.get("secret") is None:
            raise InvalidParameter(
                f"--label is not for --algorithm {name}; columns of text are left out anyway"
            )
        if search and name not in SEARCHED:
            raise InvalidParameter(
                f"--search is for --algorithm {', '.join(SEARCHED)}; {name} has nothing to search"
            )
        whole_of = None if total is None else read_nats("--total", total, TOTAL)
        return cls(
            algorithm, read_budget(budget, success), label=label, total=whole_of, search=search, **others
        )

    def __post_init__(self) -> None:
        if self.noise not in SHAPES:
            raise InvalidParameter(f"--noise must be one of {', '.join(SHAPES)}; got {self.noise!r}")
        if whole("--worlds", self.halves, 2, MOST_WORLDS) % 2:
            raise InvalidParameter(f"--worlds must be even, got {self.worlds}: halves come in pairs")
        if self.seed is not None:
            whole("--seed", self.seed, 0, MOST_SEED)
        self._check_modes()

    def _check_modes(self) -> None:
        """Refuse options of one way to release beside another."""
        if self.failure is not None and self.secret is not None:
            raise InvalidParameter("--unbounded and --secret exclude each other")
        if self.total is not None and self.secret is None:
            raise InvalidParameter(
                "--total is what all releases from one --secret may tell; name its file, too"
            )
        other = "--unbounded" if self.failure is not None else "--secret"
        if self.failure is None and self.secret is None:
            return
        attacked = self.attack and self.secret is not None  # a posterior is no fair start for an attack
        given = {"--search": self.search, "--attack": attacked}
        for option, wanted in given.items():
            if wanted:
                raise InvalidParameter(f"{option} does not go with {other}; leave one of them out")
        if self.secret is not None and not isinstance(self.budget, MutualInformation):
            raise InvalidParameter("releases from one --secret add up in nats: give --budget, not --success")

    def read(self, data: Path) -> PoolTable:
        """The pool of a file."""
        predictor = self.algorithm.algorithm if isinstance(self.algorithm, Scaled) else self.algorithm
        table = read_pool_table(data, self.columns, self.label, numeric_label=isinstance(predictor, Ridge))
        if len(table.rows) < LEAST_RECORDS:
            raise BadTable(f"{data} has {len(table.rows)} rows; a release needs at least {LEAST_RECORDS}")
        return table

    @property
    def halves(self) -> int:
        """How many public halves there are, where nothing else says so."""
        return WORLDS if self.worlds is None else self.worlds

    @property
    def source(self) -> SeededSource | None:
        """Where secret and noise come from; None is private."""
        return None if self.seed is None else SeededSource(self.seed)
