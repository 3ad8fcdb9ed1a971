"""The command line of the experiments; what they show stands in ``__init__.py``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

import benchmarks.audit as package
from noisewright.errors import NoisewrightError

EXPERIMENTS = (
    "accuracy",
    "cost",
    "dimensions",
    "finite",
    "floating",
    "gallery",
    "monitor",
    "relative",
    "sniper",
    "validity",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Hand the arguments to the experiment of the first name; its exit status is ours."""
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.audit",
        description=package.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("experiment", choices=EXPERIMENTS)
    options.add_argument("options", nargs=argparse.REMAINDER, help="of the experiment; see its --help")
    chosen = options.parse_args(arguments)
    try:
        return int(import_module(f"benchmarks.audit.{chosen.experiment}").main(chosen.options))
    except NoisewrightError as refusal:
        print(f"benchmarks.audit {chosen.experiment}: {refusal}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
