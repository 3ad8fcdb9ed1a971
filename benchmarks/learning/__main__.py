"""The command line of the experiments; what they show stands in ``__init__.py``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules

import benchmarks.learning as package
from noisewright.errors import NoisewrightError


def main(arguments: Sequence[str] | None = None) -> None:
    """Hand the arguments to the experiment of the first name: the module with its own ``main(arguments)``.

    An experiment that checks a rule returns 1 where it is broken, and that is the exit status.
    """
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.learning",
        description=package.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("experiment", choices=experiments())
    options.add_argument("options", nargs=argparse.REMAINDER, help="of the experiment; see its --help")
    chosen = options.parse_args(arguments)
    try:
        if import_module(f"benchmarks.learning.{chosen.experiment}").main(chosen.options):
            sys.exit(1)
    except NoisewrightError as refusal:
        print(f"benchmarks.learning {chosen.experiment}: {refusal}", file=sys.stderr)
        sys.exit(2)


def experiments() -> list[str]:
    """The modules of this folder that are experiments, not parts of one."""
    known = "advice bounds channels diabetes functional local phonemes servers tables variation".split()  # noqa: SIM905
    return sorted(set(known) & {module.name for module in iter_modules(package.__path__)})


if __name__ == "__main__":
    main()
