"""Relative differential privacy: how private a mechanism is for the databases it will really see.

Nobody can try all databases. Relative privacy (Lu et al. 2024, def. 9) asks for those of a given set and all
that arise from them by removing one person. Its spectrum is the largest over these pairs, so a lower bound
for any one pair is a lower bound for all, however the pair was chosen, as long as it is bounded on samples
that had no part in the choice. An upper bound would need every pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Final

from numpy.typing import ArrayLike

from noisewright.audit.asking import Question
from noisewright.audit.blackbox import black_box
from noisewright.audit.claim import Claimed
from noisewright.audit.experiment import Progress
from noisewright.audit.folds import run_count
from noisewright.audit.neighbours.databases import is_one_database
from noisewright.audit.neighbours.keeping import kept_seed
from noisewright.audit.neighbours.one_database import Auditor
from noisewright.audit.neighbours.proposals import MOST_PEOPLE, Relation
from noisewright.audit.neighbours.relative_spectrum import RelativeSpectrum
from noisewright.audit.neighbours.rows import Label, Range
from noisewright.errors import InvalidParameter
from noisewright.parameters import whole

SAMPLES: Final = 2_000_000
"""Samples for each database unless the user says otherwise."""


def audit_relative(
    mechanism: Any,
    databases: Any,
    *,
    claim: Claimed | None = None,
    samples: float = SAMPLES,
    epsilons: ArrayLike | None = None,
    confidence: float = 0.95,
    relation: Relation = "remove",
    beyond: bool = False,
    bounds: Mapping[Label, Range] | Range | None = None,
    sensitivity: float = 1.0,
    times: int = 4,
    most: int = MOST_PEOPLE,
    top: int = 1,
    score: Any = "auto",
    assume: str | None = None,
    aim: str = "curve",
    bits: bool = False,
    vectorized: bool = False,
    timeout: float = 60.0,
    jobs: int | None = None,
    keep: str | PathLike[str] | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> RelativeSpectrum:
    """Find the person who is worst off in some databases, and bound from below how much they give away.

    ``databases`` is a list of databases, or one array or table. Half of the ``samples`` for each go into
    screening all of its neighbours (:func:`find_pair` tells how ``relation``, ``beyond``, ``bounds``,
    ``sensitivity``, ``times`` and ``most`` choose them), the rest into bounds for the ``top`` that looked
    worst, each audited like one pair. What is stated holds at ``confidence`` for these databases and the
    relation; it is a lower bound, and no upper bound is implied: one that ``assume`` buys is for the worst
    pair only. ``keep`` keeps all runs, those of the screening too: the same question again costs none.

    >>> import numpy as np
    >>> def release(data, count, generator):
    ...     return data.sum() + generator.laplace(size=count)
    >>> found = audit_relative(release, np.array([0.1, 0.2, 2.0]), samples=30_000, vectorized=True, seed=1)
    >>> found.worst, 1 < found.epsilon_lower() < 2
    ('database 1: row 2 removed', True)
    """
    asked = Question.of(
        claim=claim, epsilons=epsilons, confidence=confidence, score=score, assume=assume, aim=aim, bits=bits
    )
    several, folder = _several(databases), None if keep is None else Path(keep)
    auditor = Auditor(
        box=black_box(mechanism, vectorized=vectorized, timeout=timeout),
        asked=asked,
        samples=run_count(samples, fewest=1),
        top=whole("top", top, 1, 1000),
        entropy=kept_seed(folder, seed),
        databases=len(several),
        jobs=jobs,
        keep=folder,
        progress=progress,
        search={
            "relation": relation, "beyond": beyond, "bounds": bounds, "sensitivity": sensitivity,
            "times": times, "most": most,
        },
    )  # fmt: skip
    found = RelativeSpectrum((), asked.confidence, auditor)
    for database in several:
        found = found.add(database)
    return found


def audit_database(mechanism: Any, database: Any, *, beyond: bool = True, **options: Any) -> RelativeSpectrum:
    """Find a worst pair near a database and ``beyond`` it, and bound what it gives away.

    Databases of extreme rows and random halves of the people are searched besides the neighbours of the
    database itself, so the pair may be one that nobody handed over: what it shows is true of the mechanism,
    and need not be of these people. ``options`` are the other keywords of :func:`audit_relative`.

    >>> import numpy as np
    >>> def release(data, count, generator):
    ...     return np.clip(data, 0, 1).sum() + generator.laplace(size=count)
    >>> data = np.array([0.1, 0.2, 0.1])
    >>> found = audit_database(release, data, bounds=(0, 1), samples=40_000, vectorized=True, seed=1)
    >>> found.made_up, 0.5 < found.epsilon_lower() < 1
    (True, True)
    """
    return audit_relative(mechanism, [database], beyond=beyond, **options)


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
