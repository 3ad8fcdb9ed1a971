"""Relative differential privacy: how private a mechanism is for the databases it will really see.

Nobody can try all databases. Relative privacy (Lu et al. 2024, def. 9) asks for those of a given set and all
that arise from them by removing one person. Its spectrum is the largest over these pairs, so a lower bound
for any one pair is a lower bound for all, however the pair was chosen, as long as it is bounded on samples
that had no part in the choice. An upper bound would need every pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from noisewright.audit.blackbox import black_box
from noisewright.audit.claim import Claim
from noisewright.audit.neighbours.databases import is_one_database
from noisewright.audit.neighbours.drawing import Progress
from noisewright.audit.neighbours.kept_seed import kept_seed
from noisewright.audit.neighbours.one_database import Auditor
from noisewright.audit.neighbours.proposals import MOST_PEOPLE, Relation
from noisewright.audit.neighbours.relative_spectrum import RelativeSpectrum
from noisewright.errors import InvalidParameter
from noisewright.parameters import real, whole

SAMPLES: Final = 2_000_000
"""Samples for each database unless the user says otherwise."""


def audit_relative(
    mechanism: Any,
    databases: Any,
    *,
    claim: Claim | str | float | None = None,
    samples: int = SAMPLES,
    confidence: float = 0.95,
    relation: Relation = "remove",
    top: int = 1,
    most: int = MOST_PEOPLE,
    vectorized: bool = False,
    timeout: float = 60.0,
    jobs: int | None = None,
    keep: str | Path | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> RelativeSpectrum:
    """Find the person who is worst off in some databases, and bound from below how much they give away.

    ``databases`` is a list of databases, or one array or table. Half of the ``samples`` for each go into
    screening all of its neighbours, the rest into bounds for the ``top`` that looked worst; of more than
    ``most`` rows, so many are screened by chance. Further ``options`` (``score``, ``bits``, ``epsilons``) are
    those of an audit of one pair. What is stated holds at
    ``confidence`` for these databases and the relation; it is a lower bound, and no upper bound is implied.

    >>> import numpy as np
    >>> def release(data, count, generator):
    ...     return data.sum() + generator.laplace(size=count)
    >>> found = audit_relative(release, np.array([0.1, 0.2, 2.0]), samples=30_000, vectorized=True, seed=1)
    >>> found.worst, 1 < found.epsilon_lower() < 2
    ('database 1: row 2 removed', True)
    """
    level = real("confidence", confidence)
    if not 0.5 <= level < 1:
        raise InvalidParameter(f"confidence must be at least 0.5 and below 1, got {level:g}")
    folder = None if keep is None else Path(keep)
    auditor = Auditor(
        box=black_box(mechanism, vectorized=vectorized, timeout=timeout),
        relation=relation,
        claim=Claim.of(claim),
        samples=whole("samples", samples, 1, 1 << 50),
        top=whole("top", top, 1, 1000),
        entropy=kept_seed(folder, seed),
        most=most,
        jobs=jobs,
        keep=folder,
        progress=progress,
        options=options,
    )
    found = RelativeSpectrum((), level, auditor)
    for database in _several(databases):
        found = found.add(database)
    return found


def _several(databases: Any) -> Sequence[Any]:
    """One database by itself, or a list of them; a list of records might be either and is not guessed at."""
    if is_one_database(databases):
        return [databases]
    if isinstance(databases, list | tuple) and databases and all(map(_is_database, databases)):
        return databases
    raise InvalidParameter(
        "databases must be an array, a table or a list of databases; wrap a list of records: [records]"
    )


def _is_database(thing: Any) -> bool:
    return is_one_database(thing) or isinstance(thing, list)
