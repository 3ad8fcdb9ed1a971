"""``noisewright tour``: run all verbs on public data, and write a page that links to theirs."""

from __future__ import annotations

import contextlib
import io
import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from noisewright.cli.option_types import ForceOption, JsonOption
from noisewright.cli.options import whole_option
from noisewright.cli.output import provenance
from noisewright.cli.terminal import LINE_WIDTH, line_width, print_json, print_text, say
from noisewright.errors import BadTable
from noisewright.report import Block, Details, Link, Listing, Provenance, Report, Section
from noisewright.report.terminal import command_lines
from noisewright.text import wrapped

REFUTED: Final = 3
"""The exit code of an audit that refutes a claim; that is a valid result."""

SHOWN: Final = 12
"""Lines of a verb's output that the terminal shows; the page has all of them."""

PUBLIC: Final = (
    "442 patients of the public diabetes study that comes with scikit-learn (Efron et al. 2004), made-up "
    "wake times, made-up vehicles and the iris table. Without scikit-learn the patients are made up, too, "
    "and have other means. All of it is public or made up, so true answers may be shown here beside reports. "
    "Noisewright never shows true answers of anybody's own data."
)


@dataclass(frozen=True)
class Stop:
    """One verb of the tour.

    Attributes:
        heading: Its topic.
        why: What the reader should look at.
        command: The command line after ``noisewright``.
        page: The name of its page without the ending; empty if it writes none.
        seeded: Whether it takes ``--seed``.
    """

    heading: str
    why: str
    command: str
    page: str = ""
    seeded: bool = False

    def arguments(self, seed: int | None) -> list[str]:
        """Return the words of its command line."""
        page = ["--html", f"{self.page}.html", "--force"] if self.page else []
        return [
            *shlex.split(self.command),
            *page,
            *(["--seed", str(seed)] if seed is not None and self.seeded else []),
        ]


STOPS: Final = (
    Stop(
        "A plan, before anybody is asked",
        "How precise estimates from 442 people at ε = 2 for each column will be.",
        "plan --people 442 --epsilon 4 --interval blood_pressure=50:150 --circle wake_time=24",
        "plan",
    ),
    Stop(
        "From true values to reports",
        "Each row becomes a report that says little about its owner. No mechanism is named, so each is "
        "chosen for the mean and the distribution.",
        "perturb clinic.csv --epsilon 4 --interval blood_pressure=50:150 --circle wake_time=24 "
        "-o reports.parquet",
        "reports", seeded=True,
    ),
    Stop(
        "Estimates from the reports",
        "The true mean pressure of the study is 94.65 mmHg, and the true mean direction of the times at "
        "which people wake is 6.25: see whether the intervals hold.",
        "estimate reports.parquet --bins 10",
        "estimates",
    ),
    Stop(
        "Counts of labels",
        "The true shares of the four bands in the study are 1.1, 64.5, 16.3 and 18.1 %.",
        "perturb clinic.csv --epsilon 2 --categories band=low,normal,raised,high -o bands.parquet --force",
        seeded=True,
    ),
    Stop("Estimated shares", "All four intervals hold at once in most tours.", "estimate bands.parquet",
         "bands"),
    Stop(
        "Choosing a mechanism",
        "Which one is best depends on what is asked: the error of one report, or a mean of many.",
        "compare --interval 50:150 --epsilon 1,2,4",
        "mechanisms",
    ),
    Stop("Inside one", "Its probabilities in words, its errors, and the proof.",
         "explain ogpm --interval 50:150 --epsilon 2", "ogpm"),
    Stop(
        "The best mechanism there is",
        "A linear program finds the law with the least variance of all that leave a mean unbiased.",
        "design --interval 50:150 --epsilon 2 --loss squared --unbiased --inputs 64 -o pressure.json --force",
        "design",
    ),
    Stop(
        "Answering in pairs",
        "People whose false answers tend to exclude each other are counted with less variance at the same ε.",
        "joint plan --users 10000 --epsilon 1 --colluders 5 --expected-share 0.1 --cap-colluding 3",
        "pairs",
    ),
    Stop(
        "Routes",
        "Three points of each route are reported, at ε = 4 for the whole route.",
        "routes perturb trips.geojson --epsilon 4 --per route --reports 3 "
        "--space 139.47,35.51,139.90,35.86 -o private.geojson --force",
        "routes", seeded=True,
    ),
    Stop("What they are worth", "How far private routes are from true ones.",
         "routes evaluate trips.geojson private.geojson", "evaluation"),
    Stop(
        "What a classifier loses",
        "A random forest gets randomized ages and body masses: how often does its answer stay the same?",
        "predict forest.joblib patients.csv --trust --sensitive age=0:100 --sensitive bmi=10:60 "
        "--ignore outcome --epsilon 0.5,1,2,4,8 --target 0.9",
        "prediction",
    ),
    Stop(
        "A classifier that saw nobody",
        "4,000 made-up patients answer one randomized question each; the answers of the last ones measure "
        "how good the result is.",
        "learn clients.csv --label outcome --epsilon 2 --interval age=0:100 --interval bmi=10:60 "
        "--interval blood_pressure=50:150 --interval triglycerides=2:8 --classes better,worse "
        "-o learned.json --force",
        "learning", seeded=True,
    ),
    Stop(
        "A model to publish",
        "Three clusters of flowers with a privacy card, and how successful attacks are.",
        "release iris.csv --algorithm kmeans --clusters 3 --budget 0.25 --worlds 128 --attack "
        "-o clusters.json --force",
        "release", seeded=True,
    ),
    Stop("Is it as private as it claims?",
         "An audit runs a mechanism as a black box. It can show that a claim is false, never that it holds.",
         "audit ogpm --interval 50:150 --claim 2 --samples 40000", "audit", seeded=True),
    Stop("An audit of a published mechanism", "Its code flips labels with the wrong probability.",
         "audit --gallery randomized-response-published --samples 40000", "gallery", seeded=True),
)  # fmt: skip


def tour(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for the report and its files.")] = Path(
        "tour-report"
    ),
    seed: Annotated[
        int | None, whole_option(help="Repeatable noise, for tests. The reports are then NOT PRIVATE.")
    ] = None,
    replace: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Take a tour on public data.

    Plan, randomize a table, estimate, compare, design, follow routes, predict what a classifier loses, learn
    one from randomized answers, release a model with a privacy card, and audit two mechanisms.

    noisewright tour --out tour-report
    """
    if out.is_dir() and any(out.iterdir()) and not replace:
        raise BadTable(f"{out} is a folder with files in it; choose another, or pass --force to replace them")
    taken = take_tour(out, seed, (lambda *_: None) if as_json else _show, provenance())
    if seed is not None:
        say("this tour is NOT PRIVATE: anyone can undo noise that comes from --seed; use it for tests only")
    if as_json:
        print_json(taken)
    else:
        print_text(f"Report: {out / 'index.html'}")


def take_tour(
    out: Path,
    seed: int | None = None,
    progress: Callable[[Stop, str], None] = lambda *_: None,
    made: Provenance | None = None,
) -> dict[str, Any]:
    """Run every stop in a folder and write ``index.html`` there; return the commands and their output.

    Args:
        out: The folder; it is made if it does not exist.
        seed: The seed of noise for tests; default: real noise.
        progress: Called after each stop with the stop and its output.
        made: The provenance of the page.
    """
    from noisewright.cli.main import main  # noqa: PLC0415  (it imports this verb)
    from noisewright.cli.tour_data import write_data  # noqa: PLC0415  (slow to load)
    from noisewright.io.file_access import write_text, writing  # noqa: PLC0415
    from noisewright.report.html import render_page  # noqa: PLC0415
    from noisewright.report.plots import new_figure  # noqa: PLC0415

    started, stops, sections = time.monotonic(), [], []
    new_figure(1, 1)  # refuses before any work where matplotlib is absent
    if out.exists() and not out.is_dir():
        raise BadTable(f"cannot write to {out}: it is a file, not a folder")
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    write_data(out)
    width = LINE_WIDTH.set(line_width())
    with contextlib.chdir(out):
        for stop in STOPS:
            arguments, printed, refused = stop.arguments(seed), io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(refused):
                code = main(arguments)
            output = printed.getvalue() or refused.getvalue()  # an extra that is missing says so
            progress(stop, output)
            command = shlex.join(["noisewright", *arguments])
            stops.append({"heading": stop.heading, "command": command, "exit": code, "output": output})
            sections.append(
                Section(stop.heading, _blocks(stop, command, output, written=code in (0, REFUTED)))
            )
    LINE_WIDTH.reset(width)
    index = write_text(out / "index.html", render_page(replace(_report(sections, seed), provenance=made)))
    return {
        "report": str(index),
        "seconds": round(time.monotonic() - started, 3),
        "private": seed is None,
        "stops": stops,
    }


def _blocks(stop: Stop, command: str, output: str, *, written: bool) -> list[Block]:
    blocks: list[Block] = [stop.why, Listing(command, "The command")]
    printed = Listing(output, "What it printed")
    if not (written and stop.page):
        return [*blocks, printed]
    link = Link("The whole page of this stop", f"{stop.page}.html")
    return [*blocks, link, Details("What it printed", [printed])]


def _report(sections: list[Section], seed: int | None) -> Report:
    return Report(
        title="A tour of Noisewright",
        lead="From a table of true values to reports, estimates, designs and proofs, on public data. "
        "Every stop is one command, which can be repeated in this folder.",
        cautions=[] if seed is None else ["The noise of this tour was simulated with a seeded stream: NOT "
                                          "PRIVATE, for tests and research only."],
        sections=[Section("The data", [PUBLIC]), *sections],
        verb="tour",
        data={},
    )  # fmt: skip


def _show(stop: Stop, output: str) -> None:
    """Print one stop: its topic, its command, and the beginning of its output."""
    lines = output.splitlines()
    more = [f"… {len(lines) - SHOWN} lines more on the page"] if len(lines) > SHOWN else []
    print_text(stop.heading)
    room = line_width() - 4
    first, *others = command_lines(f"noisewright {stop.command}", room)
    for line in [*wrapped(stop.why, room), f"$ {first}", *others]:
        print_text(f"  {line}")
    for line in [*lines[:SHOWN], *more, ""]:
        print_text(line)
