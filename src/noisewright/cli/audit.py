"""``noisewright audit``: test a mechanism, ours or a vendor's, against its privacy claim by running it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

import typer

from noisewright.cli.option_types import (
    CategoriesOption,
    CircleOption,
    ForceOption,
    HeaderOption,
    HtmlOption,
    IntegersOption,
    IntervalOption,
    JsonOption,
    TokenOption,
)
from noisewright.cli.options import read_headers, whole_option
from noisewright.cli.output import check_html, provenance
from noisewright.errors import InvalidParameter

TIMEOUT: Final = 60.0


def audit(
    targets: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TARGET",
            help="module:function (its code is run; the current folder is searched, too), one of our "
            "mechanisms by name, or @file from noisewright design; with --gallery, names of exhibits.",
        ),
    ] = None,
    command: Annotated[
        str | None,
        typer.Option(
            metavar="'TOOL --in {input}'",
            help="Audit a program: it gets a file and prints one output, or {count} outputs, one per line.",
        ),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(
            metavar="https://…",
            help="Audit an endpoint: it gets a file, or a value as JSON, and answers with an output.",
        ),
    ] = None,
    gallery: Annotated[
        bool,
        typer.Option("--gallery", help="Audit the mechanisms known from the literature, right and wrong."),
    ] = False,
    pair: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="LEFT RIGHT",
            help="Two files that differ in one person: CSV, Parquet, Arrow or JSON. A function gets a NumPy "
            "array if all columns are numbers and an Arrow table if not; a command gets the path.",
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="One file: the worst pair is searched among its neighbours, and among databases made up "
            "from its rows.",
        ),
    ] = None,
    left: Annotated[
        str | None, typer.Option(metavar="V", help="Instead of files: one input, as JSON or text.")
    ] = None,
    right: Annotated[str | None, typer.Option(metavar="V", help="The other input.")] = None,
    relation: Annotated[
        str | None,
        typer.Option(
            metavar="remove | change | queries",
            help="With --database: what a neighbour differs in. [remove: a row is removed]",
        ),
    ] = None,
    beyond: Annotated[
        bool | None,
        typer.Option(
            "--beyond/--no-beyond",
            help="With --database: also search made-up databases of extreme rows and random halves "
            "(default), or only neighbours of the database itself.",
        ),
    ] = None,
    bounds: Annotated[
        str | None,
        typer.Option(
            metavar="LOW:HIGH | NAME=LOW:HIGH,…",
            help="With --database: the range of made-up rows, for all columns of numbers or for some. [the "
            "range seen in the data]",
        ),
    ] = None,
    claim: Annotated[
        str | None,
        typer.Option(metavar="epsilon=E,delta=D", help="The claim to test; without delta, δ is 0."),
    ] = None,
    samples: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Runs over both inputs, such as 2e6. [2e5; 60 seconds of a command or endpoint; with "
            "--database 2e6, or 2e4 of a command or endpoint]",
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", help="Instead of --samples: how long to run the mechanism.")
    ] = None,
    epsilon: Annotated[
        str | None, typer.Option(metavar="LOW:HIGH", help="The range of ε of the curve, such as 0:4.")
    ] = None,
    confidence: Annotated[
        float,
        typer.Option(
            metavar="P", help="Confidence of all bounds together, with --gallery over all exhibits."
        ),
    ] = 0.95,
    assume: Annotated[
        str | None,
        typer.Option(
            metavar="monotone",
            help="Assume that the likelihood ratio rises or falls with the output; gives an upper bound.",
        ),
    ] = None,
    bits: Annotated[
        bool, typer.Option("--bits", help="Also examine the bit patterns of floating-point outputs.")
    ] = False,
    score: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The score that tells outputs apart: auto, value, counting, bins, grain, sides, linear, "
            "additive, boosting or network.",
        ),
    ] = "auto",
    vectorized: Annotated[
        bool, typer.Option("--vectorized", help="The function takes (data, count) and returns all outputs.")
    ] = False,
    interval: IntervalOption = None,
    integers: IntegersOption = None,
    circle: CircleOption = None,
    categories: CategoriesOption = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Monitor the claim: one line per look, each valid at any moment.")
    ] = False,
    eureka: Annotated[
        bool, typer.Option("--eureka", help="Print the published estimate (Lu et al. 2024) beside ours.")
    ] = False,
    keep: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Keep the runs: further audits cost no run, or only a search. PRIVATE."
        ),
    ] = None,
    jobs: Annotated[int | None, whole_option(help="Processes that run the mechanism side by side.")] = None,
    timeout: Annotated[
        float | None, typer.Option(metavar="S", help="Seconds that one run may take. [60]")
    ] = None,
    token_env: TokenOption = None,
    header: HeaderOption = None,
    seed: Annotated[int | None, whole_option(help="Seed of the audit's own randomness, for tests.")] = None,
    sign: Annotated[
        str | None,
        typer.Option(
            metavar="KEY",
            help="Sign page and JSON with an Ed25519 key, from: openssl genpkey -algorithm ed25519 -out KEY.",
        ),
    ] = None,
    register: Annotated[
        str | None,
        typer.Option(metavar="FILE.jsonl", help="Add the result to a register of audits, a chained file."),
    ] = None,
    html: HtmlOption = None,
    replace: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Audit a mechanism: test its privacy claim by running it and comparing its outputs.

    The exit code is 0 if the claim is not refuted or there is none, 3 if it is shown to be false, and 2 if
    the audit was refused or can say nothing about the claim. Text that the audited code prints is not shown.

    noisewright audit mymodule:release --database people.csv --claim epsilon=1,delta=1e-6 --html audit.html

    noisewright audit mymodule:release --pair a.csv b.csv --claim epsilon=1

    noisewright audit --command './tool --in {input}' --pair a.csv b.csv --seconds 60

    noisewright audit ogpm --interval 0:1 --claim 1

    noisewright audit --gallery
    """
    check_html(html, replace=replace)
    from noisewright.audit.basics.claim import Claim  # noqa: PLC0415  (scikit-learn is slow to load)
    from noisewright.audit.blackbox.base import muted  # noqa: PLC0415
    from noisewright.audit.blackbox.functions import current_folder  # noqa: PLC0415
    from noisewright.audit.evidence import Evidence  # noqa: PLC0415
    from noisewright.cli.audit_run import AuditRun, SearchOptions  # noqa: PLC0415
    from noisewright.cli.audit_target import (  # noqa: PLC0415
        InputOptions,
        TargetOptions,
        describe_target,
        read_target,
    )

    run = AuditRun.of(
        samples, epsilon, seconds=seconds, confidence=confidence, score=score, assume=assume, bits=bits,
        jobs=jobs, keep=keep, seed=seed,
    )  # fmt: skip
    if sign is not None and html is None and register is None and not as_json:
        raise InvalidParameter("--sign signs what is written; add --html FILE, --register FILE or --json")
    evidence = Evidence.of(provenance(), sign, register)
    inputs, search = InputOptions(pair, database, left, right), SearchOptions(relation, beyond, bounds)
    if gallery:
        refuse_beside("--gallery", {
            "--command": command, "--url": url, "--claim": claim, "--watch": watch, "--keep": keep,
            "an input": inputs.given, "--eureka": eureka, "--seconds": seconds, "--vectorized": vectorized,
            "--interval": interval, "--integers": integers, "--circle": circle, "--categories": categories,
            "--timeout": timeout, "--token-env": token_env, "--header": header, "--register": register,
            **search.typed(),
        })  # fmt: skip
        run.show_gallery(targets or [], evidence, html=html, as_json=as_json)
        return
    search.check(searched=database is not None)
    if targets and len(targets) > 1:
        raise InvalidParameter(f"one TARGET is audited at a time; got {len(targets)}")
    options = TargetOptions(
        targets[0] if targets else None, command, url, interval, integers, circle, categories,
        vectorized, TIMEOUT if timeout is None else timeout, token_env, read_headers(header),
    )  # fmt: skip
    with current_folder():
        with muted():  # the module of a function is run by its import
            target = read_target(options, inputs, None if claim is None else Claim.parse(claim))
        if watch:
            refuse_beside("--watch", {
                "--html": html, "--database": database, "--eureka": eureka, "--sign": sign,
                "--register": register, "--bits": bits, "--assume": assume,
            })  # fmt: skip
            code = run.show_watch(target, as_json=as_json)
        else:
            evidence = evidence.about(describe_target(options, target.box), inputs.files)
            code = run.show_audit(target, search, evidence, eureka=eureka, html=html, as_json=as_json)
    if code:
        raise typer.Exit(code)


def refuse_beside(option: str, others: Mapping[str, object]) -> None:
    """Refuse options that mean nothing beside another one."""
    for name, value in others.items():
        if value not in (None, False):
            raise InvalidParameter(f"{name} does not go with {option}; leave one of them out")
