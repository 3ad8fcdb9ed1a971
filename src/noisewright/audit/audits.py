"""The audits: of one pair of inputs, and of databases whose worst neighbour is searched for first.

Nobody can try all databases. Relative privacy (Lu et al. 2024, def. 9) is about those of a given set and all
that arise from them by removing one person. Its spectrum is the largest over these pairs. So a lower bound
for any one pair is a lower bound for all, however the pair was chosen, if the runs that bound it had no part
in the choice. An upper bound would need every pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from os import PathLike
from pathlib import Path
from typing import Any, Final

from noisewright.audit.basics.budget import run_count
from noisewright.audit.blackbox import black_box
from noisewright.audit.experiment import Experiment
from noisewright.audit.neighbours.databases import is_one_database
from noisewright.audit.neighbours.draws import stored_seed
from noisewright.audit.neighbours.proposals import SearchRequest
from noisewright.audit.neighbours.relative_spectrum import Auditor, RelativeSpectrum
from noisewright.audit.spectrum import AuditRequest, Spectrum
from noisewright.audit.spectrum.pair import spectrum_of, two_names
from noisewright.errors import InvalidParameter
from noisewright.parameters import whole
from noisewright.progress import Progress

INPUTS: Final = ("the left input", "the right input")

SEARCHED_SAMPLES: Final = 2_000_000
"""Default number of runs for each database that is searched."""


def audit(
    mechanism: Any,
    left: Any,
    right: Any,
    request: AuditRequest | None = None,
    *,
    vectorized: bool = False,
    timeout: float = 60.0,
    jobs: int | None = None,
    keep: str | PathLike[str] | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    names: tuple[str, str] = INPUTS,
    **options: Any,
) -> Spectrum:
    """Return the privacy spectrum of a black box for two inputs, with bounds that hold at a confidence.

    Args:
        mechanism: A function of the input, one of our mechanisms, a command line with ``{input}``, a web
            address, or a :class:`BlackBox`.
        left: One input, such as a data set.
        right: Its neighbour, such as the data set without one person.
        request: The question; None builds it from ``options`` alone.
        vectorized: Whether a function takes a count as well, and returns that many outputs at once.
        timeout: Seconds that one call, or one output of a command or an address, may take.
        jobs: Processes that run the mechanism; -1 for all cores. None leaves it to joblib: this one alone,
            unless ``joblib.parallel_config`` names workers.
        keep: A private folder in which runs are kept, so that a further question costs none. None keeps none.
        seed: The seed of the audit's own randomness; None draws a fresh one.
        progress: Called with the runs made so far and those wanted.
        names: What the two inputs are called in sentences; never their values.
        options: Fields of :class:`AuditRequest` by name: ``claim``, ``samples``, ``seconds``, ``epsilons``,
            ``confidence``, ``score``, ``assume``, ``aim``, ``bits``. They replace those of ``request``.

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> def release(total, count): return total + rng.laplace(scale=1.0, size=count)
    >>> found = audit(release, 0.0, 1.0, claim="epsilon=0.5", samples=40_000, vectorized=True, jobs=1, seed=1)
    >>> found.verdict, 0.5 < found.epsilon_lower() < 1
    ('false', True)
    """
    asked, called = AuditRequest.of(request, **options), two_names(names)
    budget = asked.budget()
    box = black_box(mechanism, vectorized=vectorized, timeout=timeout)
    experiment = Experiment(box, left, right, jobs=jobs, keep=keep, seed=seed, progress=progress)
    return spectrum_of(experiment, budget, asked, called, seed=seed or 0)


def audit_pair(
    experiment: Experiment,
    samples: float | None = None,
    request: AuditRequest | None = None,
    *,
    seed: int = 0,
    names: tuple[str, str] = INPUTS,
    **options: Any,
) -> Spectrum:
    """Return the privacy spectrum of a pair that an existing experiment draws from.

    Args:
        experiment: Two inputs and a black box; the audit goes on after the outputs drawn so far.
        samples: Runs over both inputs; None leaves it to ``request`` and ``options``.
        request: The question; None builds it from ``options`` alone.
        seed: The seed of learning, by default 0; the experiment has its own for drawing.
        names: What the two inputs are called in sentences; never their values.
        options: Fields of :class:`AuditRequest` by name. They replace those of ``request``.
    """
    if samples is not None:
        options["samples"] = samples
    asked = AuditRequest.of(request, **options)
    return spectrum_of(experiment, asked.budget(), asked, two_names(names), seed=seed)


def audit_relative(
    mechanism: Any,
    databases: Any,
    request: AuditRequest | None = None,
    *,
    samples: float = SEARCHED_SAMPLES,
    top: int = 1,
    beyond: bool = False,
    vectorized: bool = False,
    timeout: float = 60.0,
    jobs: int | None = None,
    keep: str | PathLike[str] | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> RelativeSpectrum:
    """Find the most exposed person of some databases, and bound from below how much they give away.

    Half of the runs screen all neighbours of each database. The rest bound those that looked worst, each
    audited like one pair. The result holds at the confidence that was asked for, for these databases and the
    relation. It is a lower bound, and no upper bound is implied: one that an assumption buys is for the worst
    pair only.

    Args:
        mechanism: As in :func:`audit`.
        databases: A list of databases, or one array or table.
        request: The question about each pair; None builds it from ``options`` alone. Its budget is not used.
        samples: Runs for each database, the search included.
        top: How many of the pairs that looked worst are bounded; they share the failure probability.
        beyond: Whether to search made-up databases, too: extreme rows and random halves.
        vectorized: As in :func:`audit`.
        timeout: As in :func:`audit`.
        jobs: As in :func:`audit`.
        keep: A private folder in which all runs are kept, those of the screening included.
        seed: As in :func:`audit`.
        progress: Called with the runs made so far and those wanted, over all databases.
        options: Fields of :class:`AuditRequest` (but ``seconds``) and of :class:`SearchRequest` by name:
            ``relation``, ``bounds``, ``sensitivity``, ``times``, ``most``.

    >>> import numpy as np
    >>> def release(data, count, generator):
    ...     return data.sum() + generator.laplace(size=count)
    >>> found = audit_relative(release, np.array([0.1, 0.2, 2.0]), samples=30_000, vectorized=True, seed=1)
    >>> found.worst, 1 < found.epsilon_lower() < 2
    ('database 1: row 2 removed', True)
    """
    searched = {each.name: options.pop(each.name) for each in fields(SearchRequest) if each.name in options}
    if "seconds" in options:
        raise InvalidParameter("a search is planned in runs; give samples, not seconds")
    asked = AuditRequest.of(request, **options)
    several, folder = _several(databases), None if keep is None else Path(keep)
    auditor = Auditor(
        box=black_box(mechanism, vectorized=vectorized, timeout=timeout),
        asked=asked,
        samples=run_count(samples, fewest=1),
        top=whole("top", top, 1, 1000),
        entropy=stored_seed(folder, seed),
        databases=len(several),
        jobs=jobs,
        keep=folder,
        progress=progress,
        search=SearchRequest(beyond=beyond, **searched),
    )
    found = RelativeSpectrum((), asked.confidence, auditor)
    for database in several:
        found = found.add(database)
    return found


def audit_database(
    mechanism: Any, database: Any, request: AuditRequest | None = None, *, beyond: bool = True, **options: Any
) -> RelativeSpectrum:
    """Find a worst pair near a database and beyond it, and bound what it gives away.

    Besides the neighbours of the database itself, made-up databases are searched: of extreme rows, and of
    random halves of the people. So the worst pair may be made up. It then shows what the mechanism gives
    away on some data, not necessarily on these people.

    Args:
        mechanism: As in :func:`audit`.
        database: An array, a list of records, an Arrow or pandas table, or a dictionary of columns.
        request: The question about each pair; None builds it from ``options`` alone.
        beyond: Whether to search made-up databases.
        options: The other keywords of :func:`audit_relative`.

    >>> import numpy as np
    >>> def release(data, count, generator):
    ...     return np.clip(data, 0, 1).sum() + generator.laplace(size=count)
    >>> data = np.array([0.1, 0.2, 0.1])
    >>> found = audit_database(release, data, bounds=(0, 1), samples=40_000, vectorized=True, seed=1)
    >>> found.made_up, 0.5 < found.epsilon_lower() < 1
    (True, True)
    """
    return audit_relative(mechanism, [database], request, beyond=beyond, **options)


def _several(databases: Any) -> Sequence[Any]:
    """Return a list of databases, also for one alone; a list of records could be either and is refused."""
    if is_one_database(databases):
        return [databases]
    several = list(databases) if isinstance(databases, list | tuple) else []
    if several and all(is_one_database(each) or isinstance(each, list) for each in several):
        return several
    raise InvalidParameter(
        "must be an array, a table or a list of databases; wrap a list of records: [records]",
        field="databases",
    )
