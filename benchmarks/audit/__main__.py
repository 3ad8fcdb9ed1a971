"""The command line of the experiments; what they show stands in ``__init__.py``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import benchmarks.audit as package
from benchmarks.command import run

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
    return run(package, EXPERIMENTS, arguments)


if __name__ == "__main__":
    sys.exit(main())
