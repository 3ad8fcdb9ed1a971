"""The run of an audit: its options as typed, its progress, and the page and text it writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np

from noisewright.audit import Experiment, State, audit, audit_database
from noisewright.audit import watch as looks
from noisewright.audit.audits import SEARCHED_SAMPLES
from noisewright.audit.basics.budget import MOST
from noisewright.audit.blackbox.base import muted
from noisewright.audit.evidence import AUDIT, GALLERY, INCONCLUSIVE, REFUTED, Evidence
from noisewright.audit.neighbours import Relation
from noisewright.audit.scores import SCORES
from noisewright.audit.spectrum import AuditRequest
from noisewright.cli.audit_target import AuditTarget, Subject, read_bounds
from noisewright.cli.options import read_ends, read_whole
from noisewright.cli.output import check_folder, write_html
from noisewright.cli.terminal import guard, print_json, print_report, print_text, progress_of, say, status_of
from noisewright.domains import Floats
from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.io.register import LINK
from noisewright.parameters import one_of, whole
from noisewright.progress import Progress
from noisewright.published.eureka.report import Beside
from noisewright.published.gallery.audits import audit_gallery
from noisewright.report import Report, Section
from noisewright.report.provenance import Target
from noisewright.report.record import embed_record
from noisewright.text import json_text, plain

PATIENCE: Final = 60.0
"""Default budget in seconds for a command or an endpoint, whose runs are slow."""

FEW_SEARCHED: Final = 20_000
"""Default number of runs of a search through a command or an endpoint."""

POINTS: Final = 121
HIGHEST: Final = 32.0
MOST_SEED: Final = (1 << 62) - 1
RANGE: Final = "--epsilon wants a range such as 0:4"
COUNT: Final = "--samples wants a number of runs over both inputs, such as 2e6"
QUERIES: Final = "queries"

EXIT_CODES: Final = {"refuted": REFUTED, "nothing can be said": INCONCLUSIVE}
"""A build can stop for a claim that is false; if nothing can be said, the code is that of a refusal."""


@dataclass(frozen=True)
class SearchOptions:
    """The options of a search; None for those that were not typed."""

    relation: str | None = None
    beyond: bool | None = None
    bounds: str | None = None

    def __post_init__(self) -> None:
        if self.relation is not None:
            one_of("relation", self.relation, get_args(Relation))
        if self.bounds is not None:
            read_bounds(self.bounds)

    def typed(self) -> dict[str, bool]:
        """Return the options that were given."""
        return {f"--{name}": True for name, value in vars(self).items() if value is not None}

    def check(self, *, searched: bool) -> None:
        """Refuse options that mean nothing: without a database, or beside each other."""
        if not searched and self.typed():
            option = next(iter(self.typed()))
            raise InvalidParameter(f"{option} is for the search of a --database; leave it out for a pair")
        if self.relation == QUERIES and self.bounds is not None:
            raise InvalidParameter("--bounds are for rows; --relation queries has answers instead")
        if self.beyond is False and self.bounds is not None and self.relation != "change":
            raise InvalidParameter(
                "--bounds is for rows that the search makes up, and --no-beyond makes up none; leave one out"
            )

    def keywords(self, subject: Subject) -> dict[str, Any]:
        """Return what ``audit_database`` takes."""
        found = {name: value for name, value in vars(self).items() if value is not None}
        if self.bounds is not None:
            found["bounds"] = subject.labelled(read_bounds(self.bounds))
        return found


@dataclass(frozen=True)
class AuditRun:
    """The budget of an audit, and how it is run.

    Attributes:
        request: The question, except for the claim and the number of runs.
        samples: The number of runs, if it was given; pairs, searches and monitors each have their fewest.
        jobs: Processes that run the mechanism.
        keep: The folder in which runs are kept.
        seed: The seed of the audit's own randomness.
    """

    request: AuditRequest
    samples: int | None
    jobs: int | None
    keep: str | None
    seed: int | None

    @classmethod
    def of(
        cls,
        samples: str | None,
        epsilon: str | None,
        *,
        jobs: int | None,
        keep: str | None,
        seed: int | None,
        **asked: Any,
    ) -> AuditRun:
        """Read the options, and refuse senseless ones before anything is run.

        Args:
            samples: A number of runs, as it was typed.
            epsilon: The range of ε of the curve, as it was typed.
            jobs: Processes that run the mechanism.
            keep: The folder in which runs are kept.
            seed: The seed of the audit's own randomness.
            asked: Further fields of the request.
        """
        if samples is not None and asked["seconds"] is not None:
            raise InvalidParameter("--samples and --seconds are two budgets; give one of them")
        if asked["assume"] is not None:
            one_of("assume", asked["assume"], ["monotone"])
        one_of("score", asked["score"], ["auto", *SCORES])
        runs = None if samples is None else read_count(samples)
        request = AuditRequest(epsilons=None if epsilon is None else read_range(epsilon), **asked)
        if jobs is not None:
            whole("jobs", jobs, 1, 4096)
        if seed is not None:
            whole("seed", seed, 0, MOST_SEED)
        check_folder(keep, "the runs")
        return cls(request, runs, jobs, keep, seed)

    def show_audit(
        self,
        target: AuditTarget,
        search: SearchOptions,
        evidence: Evidence,
        *,
        eureka: bool,
        html: str | None,
        as_json: bool,
    ) -> int:
        """Audit the pair, or search for the worst one and audit that; return the exit code.

        Args:
            target: The thing to audit, and its inputs.
            search: How neighbours of a database are searched.
            evidence: The provenance of the result, and its key.
            eureka: Whether to print the published estimate, too.
            html: The file of the page, if one is asked for.
            as_json: Print JSON instead of text.
        """
        with (
            going_on(self.keep),
            muted(guard) as voice,
            progress_of("Sampling", quiet=as_json, unit="runs", stream=voice.err) as progress,
        ):
            report = self._find(target, search, eureka=eureka, progress=progress)
        if target.built is not None:
            subject = Section("The mechanism", [target.built])
            report = replace(report, sections=[subject, *report.sections])
        document = show_sealed(report, AUDIT, evidence, html=html, as_json=as_json, keep=self.keep)
        lost = evidence.register is not None and LINK not in document
        return EXIT_CODES.get(report.data["standing"], INCONCLUSIVE if lost else 0)

    def _find(
        self, target: AuditTarget, search: SearchOptions, *, eureka: bool, progress: Progress | None
    ) -> Report:
        """Return the report of the audit that was asked for."""
        subject, asked = target.subject, AuditRequest.of(self.request, claim=target.claim)
        running: dict[str, Any] = {"jobs": self.jobs, "keep": self.keep, "seed": self.seed}
        running["progress"] = progress
        if subject.database is None:
            asked = AuditRequest.of(asked, samples=self.samples)
            if target.patient and self.samples is None and asked.seconds is None:
                asked = AuditRequest.of(asked, seconds=PATIENCE)
            spectrum = audit(target.box, subject.left, subject.right, asked, names=subject.names, **running)
            if not eureka:
                return spectrum.report()
            beside = Beside.of(
                spectrum, target.box, subject.left, subject.right, jobs=self.jobs, seed=self.seed
            )
            return beside.beside(spectrum)
        if eureka:
            raise InvalidParameter("--eureka is for a pair; it would train classifiers for every neighbour")
        if search.relation == QUERIES and hasattr(subject.database, "to_csv"):
            raise InvalidParameter("a command or endpoint gets answers as JSON; give a JSON file with a list")
        if asked.seconds is not None:
            raise InvalidParameter(
                "a search of a --database is planned in runs; give --samples, not --seconds"
            )
        usual = FEW_SEARCHED if target.patient else SEARCHED_SAMPLES
        return audit_database(
            target.box,
            subject.database,
            asked,
            samples=self.samples or usual,
            **search.keywords(subject),
            **running,
        ).report()

    def show_watch(self, target: AuditTarget, *, as_json: bool) -> int:
        """Look repeatedly until the claim is refuted, the budget is spent, or somebody interrupts."""
        if target.claim is None:
            raise InvalidParameter("--watch monitors a claim; give one with --claim")
        subject, asked = target.subject, self.request
        experiment = Experiment(
            target.box, subject.left, subject.right, jobs=self.jobs, keep=self.keep, seed=self.seed
        )
        state: State | None = None
        with going_on(self.keep), muted(guard) as voice:
            for state in looks(
                experiment, target.claim, samples=self.samples, seconds=asked.seconds,
                confidence=asked.confidence, epsilons=asked.grid, score=asked.score, seed=self.seed or 0,
            ):  # fmt: skip
                print_text(json_text(state.to_dict()) if as_json else plain(state.sentence), voice.out)
                if state.refuted:
                    break
        if state is None:
            raise BadMechanism("no run ended in time; give more --seconds")
        return REFUTED if state.refuted else 0

    def show_gallery(
        self, names: Sequence[str], evidence: Evidence, *, html: str | None, as_json: bool
    ) -> None:
        """Audit the gallery, or the exhibits that are named.

        Args:
            names: Exhibits; none for all.
            evidence: The provenance of the result, and its key.
            html: The file of the page, if one is asked for.
            as_json: Print JSON instead of text.
        """
        with status_of("Auditing", quiet=as_json) as status:
            asked = AuditRequest.of(self.request, samples=self.samples)
            found = audit_gallery(names, asked, jobs=self.jobs, seed=self.seed, status=status)
        # the code of exhibits is that of this version
        target = Target("gallery", ", ".join(each.exhibit.name for each in found.exhibits))
        show_sealed(found.report(), GALLERY, evidence.about(target), html=html, as_json=as_json)


def show_sealed(
    report: Report, kind: str, evidence: Evidence, *, html: str | None, as_json: bool, keep: str | None = None
) -> Mapping[str, Any]:
    """Print a report and write its page, as evidence; return the document that was sealed, if one was.

    Args:
        report: The report to show.
        kind: The kind of document, for verification.
        evidence: The provenance of the result, and its key.
        html: The file of the page, if one is asked for.
        as_json: Print JSON instead of text.
        keep: The folder in which runs were kept.
    """
    page = None if html is None else evidence.render(report)
    document: Mapping[str, Any] = {}
    if page is not None or as_json or evidence.register is not None:
        document = evidence.seal(kind, report.data, page, say)
    if html is not None and page is not None:
        write_html(html, embed_record(page, document))
    if keep is not None:
        say(f"runs are kept in {keep}, so that further questions need not repeat them; the folder is PRIVATE")
    if as_json:
        print_json(document)
    else:
        print_report(report)
    return document


@contextmanager
def going_on(keep: str | None) -> Iterator[None]:
    """Say how an interrupted or failed audit can go on, if runs were kept."""
    before = _runs(keep)
    try:
        yield
    except (KeyboardInterrupt, BadMechanism) as end:
        # without a new run the folder may be another audit's, which will fail again
        own = isinstance(end, KeyboardInterrupt) or _runs(keep) != before
        if keep is not None and own and _runs(keep):
            careful = "; if failures depend on the input they are outputs, and no bound holds without them"
            note = careful if isinstance(end, BadMechanism) else ""
            say(f"runs so far are kept in {keep}; run the same command to go on{note}")
        raise


def _runs(keep: str | None) -> set[Path]:
    return set() if keep is None else set(Path(keep).rglob("*.parquet"))


def read_count(text: str) -> int:
    """Return a number of runs, which may have an exponent.

    >>> read_count("2e6"), read_count("4_000")
    (2000000, 4000)
    """
    count = read_whole(text, text, COUNT)
    if not 1 <= count <= MOST:
        raise InvalidParameter(f"{COUNT}, and no more than {MOST:.0e}; got {text!r}")
    return count


def read_range(text: str) -> Floats:
    """Return the grid of ε between two ends.

    >>> read_range("0:4")[[0, 60, -1]].tolist()
    [0.0, 2.0, 4.0]
    """
    if ":" not in text:
        raise InvalidParameter(
            f"--epsilon is the range of the curve, such as 0:4, and not one number; got {text!r}. One of our "
            "mechanisms is built for the epsilon of --claim"
        )
    low, high = read_ends(text, text, RANGE)
    if not 0 <= low < high <= HIGHEST:
        raise InvalidParameter(f"{RANGE}, from 0 up to {HIGHEST:g}; got {text!r}")
    return np.linspace(low, high, POINTS)
