"""What an audit shows while it runs, writes, and prints; each mode has an exit code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from noisewright.audit.experiment import Experiment
from noisewright.audit.monitor import State
from noisewright.audit.monitor import watch as looks
from noisewright.audit.neighbours import keeps_runs
from noisewright.cli.audit_evidence import Evidence, exhibits_target
from noisewright.cli.audit_gallery import hang
from noisewright.cli.audit_muting import muted
from noisewright.cli.audit_request import Target
from noisewright.cli.audit_running import find
from noisewright.cli.audit_scope import CURVE, Scope
from noisewright.cli.audit_search import SearchOptions
from noisewright.cli.common import print_json, print_text, progress_of, say, status_of
from noisewright.cli.html import write_html
from noisewright.engine.register import LINK
from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.pages.audit_gallery import gallery_facts, gallery_page, gallery_text
from noisewright.pages.audit_text import told
from noisewright.pages.evidence import AUDIT, GALLERY, INCONCLUSIVE, REFUTED, embed_record
from noisewright.text import json_text, plain

EXIT_CODES: Final = {"refuted": REFUTED, "nothing can be said": INCONCLUSIVE}
"""A build can stop for a claim that is false; where nothing can be said, it is as if it had been refused."""


def audit_once(
    target: Target,
    scope: Scope,
    search: SearchOptions,
    html: str | None,
    evidence: Evidence,
    *,
    eureka: bool,
    as_json: bool,
) -> int:
    """One audit with all that was asked for."""
    with (
        _going_on(scope.keep),
        muted() as voice,
        progress_of("Sampling", quiet=as_json, unit="runs", stream=voice.err) as progress,
    ):
        finding = find(target, scope, search, eureka=eureka, progress=progress)
    page = None
    if html is not None:
        from noisewright.pages.audit_page import audit_page  # noqa: PLC0415  (matplotlib is slow to load)

        page = audit_page(finding.spectrum, finding.sections(), [evidence.section], became=finding.standing)
    document = {}
    if page is not None or as_json or evidence.register is not None:  # a plan takes a second
        document = evidence.seal(AUDIT, finding.to_dict(), page)
    if html is not None and page is not None:
        write_html(html, embed_record(page, document))
    if scope.keep is not None:
        say(
            f"samples are kept in {scope.keep}, where further questions cost no run that is there already; "
            "the folder is PRIVATE"
        )
    if as_json:
        print_json(document)
    else:
        print_text(told(finding.spectrum, finding.parts()))
    lost = evidence.register is not None and LINK not in document
    return EXIT_CODES.get(finding.standing, INCONCLUSIVE if lost else 0)


def watch(target: Target, scope: Scope, *, as_json: bool) -> int:
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
    with _going_on(scope.keep), muted() as voice:
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
    names: Sequence[str], scope: Scope, html: str | None, evidence: Evidence, *, as_json: bool
) -> None:
    """The gallery: its table, and its page if wanted."""
    with status_of("Auditing", quiet=as_json) as tell:
        hung = hang(names, scope, tell)
    evidence = evidence.about(exhibits_target(each.exhibit.name for each in hung))
    page = None if html is None else gallery_page(hung, scope.confidence, [evidence.section])
    document = evidence.seal(GALLERY, gallery_facts(hung, scope.confidence), page)
    if html is not None and page is not None:
        write_html(html, embed_record(page, document))
    if as_json:
        print_json(document)
    else:
        print_text(gallery_text(hung, scope.confidence))


@contextmanager
def _going_on(keep: str | None) -> Iterator[None]:
    """Say how an interrupted or failed audit goes on, where runs were kept that it can go on from."""
    before = _runs(keep)
    try:
        yield
    except (KeyboardInterrupt, BadMechanism) as end:
        # a failure without a new run may be that the folder is another audit's, which will fail again
        own = isinstance(end, KeyboardInterrupt) or _runs(keep) != before
        if keep is not None and keeps_runs(keep) and own:
            careful = "; where failures depend on the input they are outputs, and no bound holds without them"
            note = careful if isinstance(end, BadMechanism) else ""
            say(f"samples so far are kept in {keep}; run the same command to go on{note}")
        raise


def _runs(keep: str | None) -> set[Path]:
    return set() if keep is None else set(Path(keep).rglob("*.parquet"))
