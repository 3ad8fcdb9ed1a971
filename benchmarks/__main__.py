"""``make bench``: one command, one table."""

from __future__ import annotations

import argparse

from benchmarks import counting, estimating, files, perturbing, predicting, routing, scaling
from benchmarks.audit import cost as auditing
from benchmarks.learning import speed
from benchmarks.release import speed as releasing
from benchmarks.timing import show


def main() -> None:
    """Run all benchmarks and print one table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--rows", type=int, default=100_000_000, help="rows of the Parquet file that is streamed"
    )
    chosen = options.parse_args()
    show(
        [
            *perturbing.rows(),
            *estimating.rows(),
            *counting.rows(),
            *routing.rows(),
            *predicting.rows(),
            *speed.rows(),
            *releasing.rows(),
            *auditing.rows(),
            *files.rows(chosen.rows),
            *scaling.rows(),
        ]
    )


if __name__ == "__main__":
    main()
