"""The command line of a package of experiments: the first name says which, the rest is for it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from noisewright.errors import NoisewrightError


def run(package: ModuleType, experiments: Sequence[str], arguments: Sequence[str] | None = None) -> int:
    """Hand the arguments to the experiment of the first name; its exit status is ours."""
    name = package.__name__
    options = argparse.ArgumentParser(
        prog=f"python -m {name}",
        description=package.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("experiment", choices=experiments)
    options.add_argument("options", nargs=argparse.REMAINDER, help="of the experiment; see its --help")
    chosen = options.parse_args(arguments)
    try:
        return int(import_module(f"{name}.{chosen.experiment}").main(chosen.options))
    except NoisewrightError as refusal:
        print(f"{name} {chosen.experiment}: {refusal}", file=sys.stderr)
        return 2
