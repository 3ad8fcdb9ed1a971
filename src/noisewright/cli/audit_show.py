"""What an audit shows while it runs, writes, and prints; each mode has an exit code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from noisewright.audit import Experiment, State, audit, audit_database
from noisewright.audit import watch as looks
from noisewright.audit.blackbox.silence import muted
from noisewright.audit.evidence import AUDIT, GALLERY, INCONCLUSIVE, REFUTED, Evidence
from noisewright.cli.audit_options import CURVE, QUERIES, Scope, SearchOptions
from noisewright.cli.audit_targets import AuditTarget, exhibits_target
from noisewright.cli.common import print_json, print_text, progress_of, say, status_of
from noisewright.cli.output import write_html
from noisewright.cli.terminal import guard
from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.io.register import LINK
from noisewright.progress import Progress
from noisewright.published.eureka.report import Beside
from noisewright.published.gallery.audits import audit_gallery
from noisewright.report import Report
from noisewright.report.record import embed_record
from noisewright.report.terminal import render_text
from noisewright.text import json_text, plain

EXIT_CODES: Final = {"refuted": REFUTED, "nothing can be said": INCONCLUSIVE}
"""A build can stop for a claim that is false; where nothing can be said, it is as if it had been refused."""


def show_audit(
    target: AuditTarget,
    scope: Scope,
    search: SearchOptions,
    evidence: Evidence,
    *,
    eureka: bool,
    html: str | None,
    as_json: bool,
) -> int:
    """Audit the pair, or search for the worst one and audit that; return the exit code.

    Args:
        target: What is audited, and on what.
        scope: How far the audit goes.
        search: How neighbours of a database are searched.
        evidence: Where the result comes from, and who signs it.
        eureka: Whether to print the published estimate, too.
        html: The file of the page, if one is asked for.
        as_json: Print JSON instead of text.
    """
    with (
        going_on(scope.keep),
        muted(guard) as voice,
        progress_of("Sampling", quiet=as_json, unit="runs", stream=voice.err) as progress,
    ):
        report = find(target, scope, search, eureka=eureka, progress=progress)
    document = show_sealed(report, AUDIT, evidence, html=html, as_json=as_json, keep=scope.keep)
    lost = evidence.register is not None and LINK not in document
    return EXIT_CODES.get(report.data["standing"], INCONCLUSIVE if lost else 0)


def find(
    target: AuditTarget, scope: Scope, search: SearchOptions, *, eureka: bool, progress: Progress | None
) -> Report:
    """Return the report of the audit that was asked for.

    Args:
        target: What is audited, and on what.
        scope: How far the audit goes.
        search: How neighbours of a database are searched.
        eureka: Whether to add the published estimate.
        progress: Called with the runs made so far and those wanted.
    """
    subject = target.subject
    running: dict[str, Any] = {
        "jobs": scope.jobs, "keep": scope.keep, "seed": scope.seed, "progress": progress,
    }  # fmt: skip
    if subject.database is None:
        asked = scope.request(claim=target.claim, **scope.budget(patient=target.patient))
        spectrum = audit(target.box, subject.left, subject.right, asked, names=subject.names, **running)
        if not eureka:
            return spectrum.report()
        beside = Beside.of(
            spectrum, target.box, subject.left, subject.right, jobs=scope.jobs, seed=scope.seed
        )
        return beside.beside(spectrum)
    if eureka:
        raise InvalidParameter("--eureka is for a pair; it would train classifiers for every neighbour")
    if search.relation == QUERIES and hasattr(subject.database, "to_csv"):
        raise InvalidParameter("a command or endpoint gets answers as JSON; give a JSON file with a list")
    samples = scope.search_samples(patient=target.patient)
    keywords = search.keywords(subject.database, subject.columns)
    asked = scope.request(claim=target.claim)
    return audit_database(
        target.box, subject.database, asked, samples=samples, **keywords, **running
    ).report()


def show_watch(target: AuditTarget, scope: Scope, *, as_json: bool) -> int:
    """Look again and again until the claim falls, the budget is spent, or somebody interrupts."""
    if target.claim is None:
        raise InvalidParameter("--watch monitors a claim; give one with --claim")
    if scope.bits or scope.assume is not None or scope.aim != CURVE:
        raise InvalidParameter("--bits, --assume and --aim do not go with --watch; leave them out")
    subject = target.subject
    experiment = Experiment(
        target.box, subject.left, subject.right, jobs=scope.jobs, keep=scope.keep, seed=scope.seed
    )
    state: State | None = None
    with going_on(scope.keep), muted(guard) as voice:
        for state in looks(
            experiment, target.claim, samples=scope.samples, seconds=scope.seconds,
            confidence=scope.confidence, epsilons=scope.epsilons, score=scope.score, seed=scope.seed or 0,
        ):  # fmt: skip
            print_text(json_text(state.to_dict()) if as_json else plain(state.sentence), voice.out)
            if state.refuted:
                break
    if state is None:
        raise BadMechanism("no run ended in time; give more --seconds")
    return REFUTED if state.refuted else 0


def show_gallery(
    names: Sequence[str], scope: Scope, evidence: Evidence, *, html: str | None, as_json: bool
) -> None:
    """Audit the gallery, or the exhibits that are named.

    Args:
        names: Exhibits; none for all.
        scope: How far each audit goes.
        evidence: Where the result comes from, and who signs it.
        html: The file of the page, if one is asked for.
        as_json: Print JSON instead of text.
    """
    asked = scope.request(**({} if scope.samples is None else {"samples": scope.samples}))
    with status_of("Auditing", quiet=as_json) as status:
        found = audit_gallery(names, asked, jobs=scope.jobs, seed=scope.seed, status=status)
    evidence = evidence.about(exhibits_target(each.exhibit.name for each in found.exhibits))
    show_sealed(found.report(), GALLERY, evidence, html=html, as_json=as_json)


def show_sealed(
    report: Report, kind: str, evidence: Evidence, *, html: str | None, as_json: bool, keep: str | None = None
) -> Mapping[str, Any]:
    """Print a report and write its page, as evidence; return the document that was sealed, if one was.

    Args:
        report: What is shown.
        kind: What it is, for those who verify it.
        evidence: Where the result comes from, and who signs it.
        html: The file of the page, if one is asked for.
        as_json: Print JSON instead of text.
        keep: The folder in which samples were kept.
    """
    page = None if html is None else evidence.render(report)
    document: Mapping[str, Any] = {}
    if page is not None or as_json or evidence.register is not None:
        document = evidence.seal(kind, report.data, page, say)
    if html is not None and page is not None:
        write_html(html, embed_record(page, document))
    if keep is not None:
        say(
            f"samples are kept in {keep}, where further questions cost no run that is there already; "
            "the folder is PRIVATE"
        )
    if as_json:
        print_json(document)
    else:
        print_text(render_text(report))
    return document


@contextmanager
def going_on(keep: str | None) -> Iterator[None]:
    """Say how an interrupted or failed audit goes on, where runs were kept that it can go on from."""
    before = _runs(keep)
    try:
        yield
    except (KeyboardInterrupt, BadMechanism) as end:
        # a failure without a new run may be that the folder is another audit's, which will fail again
        own = isinstance(end, KeyboardInterrupt) or _runs(keep) != before
        if keep is not None and own and _runs(keep):
            careful = "; where failures depend on the input they are outputs, and no bound holds without them"
            note = careful if isinstance(end, BadMechanism) else ""
            say(f"samples so far are kept in {keep}; run the same command to go on{note}")
        raise


def _runs(keep: str | None) -> set[Path]:
    return set() if keep is None else set(Path(keep).rglob("*.parquet"))
