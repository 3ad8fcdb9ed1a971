"""``noisewright release``: publish a model or a statistic of data you hold, with its privacy card."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from noisewright.cli.common import progress_of, say
from noisewright.cli.html import HtmlOption, check_html
from noisewright.cli.learn_files import check_output
from noisewright.cli.one_domain import JsonOption
from noisewright.cli.predict_options import read_list
from noisewright.cli.targets import ForceOption
from noisewright.errors import InvalidParameter

MODELS: Final = (".json",)
SAVED: Final = "a release is written as JSON, so its name"
FAILURE: Final = 1e-6


def release(
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="A CSV, Parquet or Arrow file: the pool of records.")
    ],
    algorithm: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="kmeans, svm, logistic, ridge, naive_bayes, forest, pca, mean, histogram or quantiles.",
        ),
    ],
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="NATS", help="What the release may tell about which half was used: 0.25 or 1/4."
        ),
    ] = None,
    success: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE",
            help="Instead of --budget: how often the best attack on one record may be right, such as 58.8%.",
        ),
    ] = None,
    label: Annotated[
        str | None, typer.Option(metavar="NAME", help="The column that is to be predicted.")
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="The features; otherwise all columns of numbers but the label."),
    ] = None,
    clusters: Annotated[int | None, typer.Option(help="For kmeans: how many.")] = None,
    components: Annotated[int | None, typer.Option(help="For pca: how many.")] = None,
    regularization: Annotated[
        float | None, typer.Option(metavar="C", help="C of svm and logistic, alpha of ridge.")
    ] = None,
    trees: Annotated[int | None, typer.Option(help="For forest: how many.")] = None,
    depth: Annotated[int | None, typer.Option(help="For forest: the levels of a tree.")] = None,
    bins: Annotated[int | None, typer.Option(help="For histogram: cells of each column.")] = None,
    levels: Annotated[
        str | None, typer.Option(metavar="0.25,0.5,...", help="For quantiles: which ones.")
    ] = None,
    range_: Annotated[
        str | None,
        typer.Option(
            "--range",
            metavar="LOW:HIGH",
            help="Public ends of the values, for histogram, quantiles and forest (without --scale minmax).",
        ),
    ] = None,
    clip: Annotated[
        bool, typer.Option("--clip", help="For histogram: count values outside --range in the outer cells.")
    ] = False,
    scale: Annotated[
        str | None,
        typer.Option(
            metavar="none | minmax | standard",
            help="Scale columns first; the scaler gets noise like the rest.",
        ),
    ] = None,
    search: Annotated[
        bool, typer.Option("--search", help="Choose the regularization that is best after the noise.")
    ] = False,
    noise: Annotated[
        str, typer.Option(metavar="optimal | paper | isotropic", help="How noise is spread over directions.")
    ] = "optimal",
    worlds: Annotated[
        int | None,
        typer.Option(
            help="Public halves, one of which is used; an even number, 1024 otherwise. With --unbounded only "
            "the list of --attack. A --secret keeps those it was made with."
        ),
    ] = None,
    unbounded: Annotated[
        bool, typer.Option("--unbounded", help="Draw the half from all halves; the proof may then fail.")
    ] = False,
    failure: Annotated[
        float | None,
        typer.Option(
            metavar="P", help=f"With --unbounded: how likely the proof fails; {FAILURE:g} otherwise."
        ),
    ] = None,
    secret: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Release from the half in a private file, made with --total; releases add up there. Give "
            "the same --columns and --label every time, the label from the first release on.",
        ),
    ] = None,
    total: Annotated[
        str | None,
        typer.Option(metavar="NATS", help="What all releases from a new --secret may tell together."),
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes that run worlds side by side.")] = None,
    keep: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Keep finished worlds, to go on after an interruption. PRIVATE: holds outputs.",
        ),
    ] = None,
    attack: Annotated[
        bool, typer.Option("--attack", help="Try to break the release, and report how far that gets.")
    ] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the release as JSON, for noisewright apply."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="Repeatable secret and noise for tests. The result is then NOT PRIVATE."),
    ] = None,
    force: ForceOption = False,
    html: HtmlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Publish a model or a statistic of a table, with noise and a proof of what it tells.

    Runs the algorithm on many public halves of DATA, draws one half in secret, and publishes its output with
    enough noise to hide which half it was. That somebody is in DATA at all is NOT hidden. Prints the privacy
    card.

    noisewright release iris.csv --algorithm kmeans --clusters 3 --budget 1/4 -o model.json --html card.html
    """
    check_release()
    from noisewright.cli import release_showing as showing  # noqa: PLC0415  (scikit-learn is slow)
    from noisewright.cli.release_algorithms import UNSCALED, AlgorithmOptions  # noqa: PLC0415
    from noisewright.cli.release_making import make  # noqa: PLC0415
    from noisewright.cli.release_request import ReleaseRequest  # noqa: PLC0415

    options = AlgorithmOptions(
        clusters, components, regularization, trees, depth, bins, levels, range_, clip or None,
        "none" if scale is None else scale,
    )  # fmt: skip
    request = ReleaseRequest.of(
        algorithm, options, budget=budget, success=success, total=total, label=label,
        columns=read_list("--columns", columns), noise=noise, worlds=worlds, search=search, attack=attack,
        failure=read_failure(failure, unbounded=unbounded), secret=secret, jobs=jobs, keep=keep, seed=seed,
    )  # fmt: skip
    check_html(html, replace=force)
    check_keep(keep)
    if output is not None:
        check_output(output, MODELS, SAVED, [data, *([] if secret is None else [secret])], replace=force)
    with showing.in_words(showing.words_for(clusters)):
        table = request.read(data)
        if table.left_out:
            say(f"columns left out: {', '.join(table.left_out)}")
        if scale is None and algorithm in UNSCALED:
            showing.hint_scale(table)
        with showing.going_on(keep), progress_of("Running", quiet=as_json, unit="worlds") as progress:
            made = make(request, table, progress)
        showing.write(made, output, html, label)
        showing.show(made, as_json=as_json)
        showing.tell_owner(made, table, keep)


def check_release() -> None:
    """Refuse where scikit-learn is absent."""
    import noisewright.release  # noqa: F401, PLC0415  (says itself what is missing)


def check_keep(keep: str | None) -> None:
    """Refuse a file where a folder for finished worlds is wanted."""
    if keep is not None and Path(keep).exists() and not Path(keep).is_dir():
        raise InvalidParameter(f"--keep {keep} is a file; name a folder for the finished worlds")


def read_failure(failure: float | None, *, unbounded: bool) -> float | None:
    """How likely the proof of an unbounded release may fail; None for a release that needs no such thing.

    >>> read_failure(None, unbounded=True)
    1e-06
    """
    if not unbounded and failure is not None:
        raise InvalidParameter("--failure is for --unbounded; other proofs do not fail")
    if failure is not None and not 0 < failure <= 0.05:
        raise InvalidParameter(f"--failure must be a probability above 0 and at most 0.05; got {failure:g}")
    return (FAILURE if failure is None else failure) if unbounded else None
