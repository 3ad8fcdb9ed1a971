"""``noisewright release``: publish a model or a statistic of data you hold, with its privacy card."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from noisewright.cli.option_types import ForceOption, HtmlOption, JsonOption
from noisewright.cli.options import read_list, whole_option
from noisewright.cli.output import check_folder, check_html, check_output, show
from noisewright.cli.terminal import progress_of, say
from noisewright.errors import InvalidParameter

if TYPE_CHECKING:
    from noisewright.release.basics.pool_file import PoolTable
    from noisewright.release.publication import Publication

MODELS: Final = (".json",)
SAVED: Final = "a release is written as JSON, so its name"
FAILURE: Final = 1e-6
UNDONE: Final = "anyone can undo noise that comes from --seed"
NAMED: Final = 12
"""Largest number of class names in one line."""


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
            metavar="NATS", help="Most that the release may reveal about which world was used: 0.25 or 1/4."
        ),
    ] = None,
    success: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE",
            help="Instead of --budget: how often the best attack on one record may be right, such as 58.8%.",
        ),
    ] = None,
    label: Annotated[str | None, typer.Option(metavar="NAME", help="The column to predict.")] = None,
    columns: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="The features; default: all numeric columns except the label."),
    ] = None,
    clusters: Annotated[int | None, whole_option(help="For kmeans: number of clusters.")] = None,
    components: Annotated[int | None, whole_option(help="For pca: number of components.")] = None,
    regularization: Annotated[
        float | None, typer.Option(metavar="C", help="C of svm and logistic, alpha of ridge.")
    ] = None,
    levels: Annotated[
        str | None, typer.Option(metavar="0.25,0.5,...", help="For quantiles: levels between 0 and 1.")
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
        bool, typer.Option("--search", help="Choose the regularization with the best result after the noise.")
    ] = False,
    worlds: Annotated[
        int | None,
        whole_option(
            help="Number of public worlds (random halves of DATA), one of which is used; even, default: "
            "1024. With --unbounded: length of the list for --attack. A --secret keeps its number."
        ),
    ] = None,
    unbounded: Annotated[
        bool, typer.Option("--unbounded", help="Draw from all halves of DATA; the proof may then fail.")
    ] = False,
    failure: Annotated[
        float | None,
        typer.Option(
            metavar="P", help=f"With --unbounded: probability that the proof fails; default: {FAILURE:g}."
        ),
    ] = None,
    secret: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Release from the world in a private file, made with --total; releases add up there. Give "
            "the same --columns and --label every time, the label from the first release on.",
        ),
    ] = None,
    total: Annotated[
        str | None,
        typer.Option(metavar="NATS", help="Most that all releases from a new --secret may reveal together."),
    ] = None,
    jobs: Annotated[int | None, whole_option(help="Number of processes that run worlds in parallel.")] = None,
    keep: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Keep finished worlds, to continue after an interruption. PRIVATE: holds outputs.",
        ),
    ] = None,
    attack: Annotated[
        bool, typer.Option("--attack", help="Attack the release, and report the results.")
    ] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the release as JSON, for noisewright apply."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        whole_option(help="Repeatable secret and noise for tests. The result is then NOT PRIVATE."),
    ] = None,
    replace: ForceOption = False,
    html: HtmlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Publish a model or a statistic of a table, with noise and a proof of how much it reveals.

    Runs the algorithm in many public worlds, each a random half of DATA, draws one world in secret, and
    publishes its output with enough noise to hide which world it was. That somebody is in DATA at all is NOT
    hidden. Prints the privacy card.

    noisewright release iris.csv --algorithm kmeans --clusters 3 --budget 1/4 -o model.json --html card.html
    """
    check_release()
    from noisewright.cli.release_options import (  # noqa: PLC0415  (scikit-learn is slow to load)
        TOTAL,
        UNSCALED,
        check_choice,
        named_options,
        read_algorithm,
        read_budget,
        read_nats,
    )
    from noisewright.release.publication import ReleaseRequest, release_table  # noqa: PLC0415

    chosen = read_algorithm(
        algorithm, scale or "none", clusters=clusters, components=components,
        regularization=regularization, levels=levels, range=range_, clip=clip or None,
    )  # fmt: skip
    check_choice(algorithm, chosen, label=label, search=search, secret=secret is not None)
    whole_total = None if total is None else read_nats("--total", total, TOTAL)
    if secret is not None and budget is None and success is not None:
        raise InvalidParameter("releases from one --secret add up in nats: give --budget, not --success")
    request = ReleaseRequest(
        chosen, read_budget(budget, success), read_list("--columns", columns), label, worlds=worlds,
        search=search, attack=attack, unbounded=unbounded, failure=failure, secret=secret,
        total=whole_total, jobs=jobs, keep=keep, seed=seed,
    )  # fmt: skip
    check_html(html, replace=replace)
    check_folder(keep, "the finished worlds")
    if output is not None:
        check_output(output, MODELS, SAVED, [data, *([] if secret is None else [secret])], replace=replace)
    table = request.read(data)
    if table.left_out:
        say(f"columns left out: {', '.join(table.left_out)}")
    if scale is None and algorithm in UNSCALED:
        hint_scale(table)
    running = progress_of("Running", quiet=as_json, unit="worlds")
    with resumable(keep), named_options(algorithm), running as progress:
        found = release_table(table, request, progress)
    if found.card.simulated:
        say(f"this release is NOT PRIVATE: {UNDONE}; use it for tests only")
    if output is not None:
        from noisewright.release.model_file import save  # noqa: PLC0415  (slow to load)

        say(f"the release is in {save(output, found.released, found.card, label=label)}")
    # No digest: the table holds true records, and whoever guesses them could confirm it.
    show(found.report(), html=html, as_json=as_json)
    tell_owner(found, keep)


def check_release() -> None:
    """Raise an error if scikit-learn is not installed."""
    import noisewright.release  # noqa: F401, PLC0415  (its import says what is missing)


@contextmanager
def resumable(keep: str | None) -> Iterator[None]:
    """Say how to continue interrupted work; not after the release, which would then be another one."""
    try:
        yield
    except KeyboardInterrupt:
        if keep is not None:
            say(f"finished worlds are kept in {keep}; run the same command to continue")
        raise


def hint_scale(table: PoolTable) -> None:
    """Warn about columns of very different spread, which will not count equally."""
    from noisewright.release.basics.pool_file import APART, spread_apart  # noqa: PLC0415  (slow to load)

    if spread_apart(table.rows):
        say(
            f"some columns are more than {APART} times as wide as others and will drown them; --scale "
            "standard makes them count equally (--scale none leaves them as they are)"
        )


def tell_owner(found: Publication, keep: str | None) -> None:
    """Print what only the owner of the data should know: on stderr, and in no file."""
    classes = found.released.facts.classes
    if classes is not None:
        names = ", ".join(map(str, classes[:NAMED])) + (", …" if len(classes) > NAMED else "")
        say(f"these {len(classes)} class names are published unchanged: {names}")
    if found.search is not None:
        for line in str(found.search).splitlines():
            say(f"for you alone: {line}")
    expected = found.expected_utility()
    if expected is not None:
        say(f"for you alone: {expected}")
        say(
            f"(by {expected.releases} simulated releases; these figures are exact about your data: do not "
            "publish them)"
        )
    if keep is not None:
        say(f"the folder {keep} is PRIVATE, it holds outputs without noise; delete it now")
