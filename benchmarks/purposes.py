"""Which mechanism for what: variances of means on real columns, and widths of bins, exact or simulated.

    python -m benchmarks.purposes means --data FOLDER   # FOLDER holds stroke/, bank_churn/ and diabetes/
    python -m benchmarks.purposes bins                  # ten bins: SW against the bin as a label

*means*: the variance of one report as an estimate of the mean of the column, exact, over that of the law with
the least worst-case variance; below 1 is better. *bins*: the mean width of 95 % intervals and how often they
hold, of whole years from 0 to 99 spread evenly.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from noisewright import Bins, Integers, Interval
from noisewright.design import optimal_law
from noisewright.design.purpose import mean_law
from noisewright.domains import Floats
from noisewright.estimate import distribution, frequencies
from noisewright.mechanisms import PM, SW, Hybrid, NumericMechanism, best_oracle
from noisewright.randomness import SeededSource

EPSILONS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
UNIT = Interval(0, 1)
MOST = 4000
COLUMNS = (
    ("stroke/healthcare-dataset-stroke-data.csv", "age", 0, 99),
    ("stroke/healthcare-dataset-stroke-data.csv", "avg_glucose_level", 40, 300),
    ("stroke/healthcare-dataset-stroke-data.csv", "bmi", 10, 100),
    ("bank_churn/Churn_Modelling.csv", "Age", 18, 99),
    ("bank_churn/Churn_Modelling.csv", "CreditScore", 300, 850),
    ("bank_churn/Churn_Modelling.csv", "Balance", 0, 300_000),
    ("bank_churn/Churn_Modelling.csv", "EstimatedSalary", 0, 200_000),
    ("bank_churn/Churn_Modelling.csv", "Tenure", 0, 10),
    ("diabetes/Healthcare-Diabetes.csv", "Pregnancies", 0, 20),
    ("diabetes/Healthcare-Diabetes.csv", "Insulin", 0, 1000),
    ("diabetes/Healthcare-Diabetes.csv", "BloodPressure", 0, 150),
    ("diabetes/Healthcare-Diabetes.csv", "Age", 18, 99),
)
"""Columns with ranges that one would declare without looking at them."""


def main() -> None:
    """Run one of the two comparisons and print its table."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("experiment", choices=("means", "bins"))
    options.add_argument("--data", type=Path, help="folder that holds the tables")
    options.add_argument("--repeats", type=int, default=20, help="collections to average over")
    chosen = options.parse_args()
    if chosen.experiment == "bins":
        bins(chosen.repeats)
    elif chosen.data is None:
        options.error("means needs --data")
    else:
        means(chosen.data)


def means(folder: Path) -> None:
    """Variances of means, averaged over real columns."""
    columns = list(_columns(folder))
    print(f"{len(columns)} columns; geometric mean over columns (and the worst over the best of all)")
    print(f"{'ε':>5}  {'least worst':>16}  {'--for mean':>16}  {'PM':>16}  {'Hybrid':>16}  {'SW':>16}")
    for epsilon in EPSILONS:
        law = mean_law(UNIT, epsilon)
        assert law is not None
        worst = optimal_law(UNIT, epsilon, "squared", unbiased=True)
        assert isinstance(worst, NumericMechanism)
        rivals = [worst, law, PM(UNIT, epsilon), Hybrid(UNIT, epsilon), SW(UNIT, epsilon)]
        table = np.array([[_variance(each, values) for each in rivals] for values in columns])
        ratios = np.exp(np.log(table / table[:, :1]).mean(axis=0))
        regrets = (table / table.min(axis=1, keepdims=True)).max(axis=0)
        cells = [f"{ratio:.3f} ({regret:.2f})" for ratio, regret in zip(ratios, regrets, strict=True)]
        print(f"{epsilon:5g}  " + "  ".join(f"{cell:>16}" for cell in cells))


def _columns(folder: Path) -> Iterator[Floats]:
    """Each column on the unit interval."""
    for file, name, low, high in COLUMNS:
        with (folder / file).open(encoding="utf-8") as lines:
            texts = [row[name] for row in csv.DictReader(lines)][:MOST]
        values = np.array([float(text) for text in texts if text not in ("", "N/A")])
        yield np.clip((values - low) / (high - low), 0.0, 1.0)


def _variance(mechanism: NumericMechanism, values: Floats) -> float:
    ends = np.asarray(mechanism.law([0.0, 1.0]).mean())
    spread = float(np.mean(mechanism.law(values).variance())) / float(ends[1] - ends[0]) ** 2
    return spread + float(values.var())


def bins(repeats: int) -> None:
    """Ten bins of whole years, told as labels and by SW."""
    print("  people    ε            oracle   label: width   held   SW: width   held")
    years, ten = Integers(0, 99), np.full(10, 0.1)
    for people in (20_000, 200_000):
        for epsilon in (1.0, 4.0):
            oracle = best_oracle(Bins(years, 10), epsilon).mechanism
            wave = SW(years, epsilon)
            found: dict[str, list[tuple[float, float]]] = {"label": [], "wave": []}
            for seed in range(repeats):
                truth = np.random.default_rng(seed).integers(0, 100, people).astype(np.float64)
                shares = frequencies(oracle.perturb(truth, SeededSource(2 * seed)), oracle)
                found["label"].append(_kept(shares.low, shares.high, ten))
                bars = distribution(wave.perturb(truth, SeededSource(2 * seed + 1)), wave, 10)
                found["wave"].append(_kept(bars.low, bars.high, ten))
            label, wide = (np.mean(each, axis=0) for each in found.values())
            print(
                f"{people:8,}  {epsilon:3g}  {type(oracle).__name__:>16}  {label[0]:13.4f}  {label[1]:5.3f}  "
                f"{wide[0]:10.4f}  {wide[1]:5.3f}",
                flush=True,
            )


def _kept(low: Floats, high: Floats, truth: Floats) -> tuple[float, float]:
    return float(np.mean(high - low)), float(np.mean((low <= truth) & (truth <= high)))


if __name__ == "__main__":
    main()
