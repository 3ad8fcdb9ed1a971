"""The command line of the case studies; what they show stands in ``__init__.py``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import benchmarks.classifiers as package
from benchmarks.classifiers import bank, mnist, stroke
from benchmarks.classifiers.results import Study
from benchmarks.classifiers.study import Settings
from benchmarks.classifiers.text import in_words
from noisewright.errors import NoisewrightError

STUDIES: dict[str, Callable[[Path, Settings], Study]] = {
    "stroke": stroke.run,
    "bank": bank.run,
    "mnist": mnist.run,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the studies that are asked for, print them, and write the page."""
    options = _options()
    chosen = options.parse_args(arguments)
    try:
        settings = Settings(records=chosen.records, effort=chosen.effort, seed=chosen.seed)
        _run(chosen, settings)
    except NoisewrightError as refusal:
        options.exit(2, f"benchmarks.classifiers: {refusal}\n")


def _run(chosen: argparse.Namespace, settings: Settings) -> None:
    if chosen.html is not None:
        from noisewright.cli.output import check_html

        check_html(chosen.html, replace=True)
    names = list(STUDIES) if chosen.study == "all" else [chosen.study]
    studies = []
    for name in names:
        print(f"{name} …", file=sys.stderr)
        studies.append(STUDIES[name](chosen.data, settings))
        if not chosen.json:
            print(in_words(studies[-1]), flush=True)
    if chosen.json:
        print(
            json.dumps([study.to_dict() for study in studies], ensure_ascii=False, allow_nan=False, indent=2)
        )
    if chosen.html is not None:
        from benchmarks.classifiers.page import case_page
        from noisewright.io.file_access import write_text

        print(f"the page is in {write_text(chosen.html, case_page(studies))}", file=sys.stderr)


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.classifiers",
        description=package.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("study", choices=[*STUDIES, "all"])
    options.add_argument(
        "--data", type=Path, required=True, help="folder that holds stroke/, bank_churn/, mnist/"
    )
    options.add_argument("--html", metavar="FILE", help="write one self-contained page, too")
    options.add_argument("--json", action="store_true", help="print strict JSON in place of tables")
    options.add_argument(
        "--records", type=int, default=Settings.records, help="records of each average and worst case"
    )
    options.add_argument(
        "--effort", type=float, default=1.0, help="multiplies the queries of the network's bounds"
    )
    options.add_argument("--seed", type=int, default=7, help="of all simulated reports and queries")
    return options


if __name__ == "__main__":
    main()
