"""Stroke prediction (section 7.2.1, appendix C.4): age and BMI are sensitive, two models, pure LDP."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from benchmarks.classifiers.channels import PURE
from benchmarks.classifiers.data import Table, read_stroke
from benchmarks.classifiers.findings import as_they_computed_it, tight, too_high
from benchmarks.classifiers.maps import map_of
from benchmarks.classifiers.readings import OneNumber
from benchmarks.classifiers.results import Figure, Study
from benchmarks.classifiers.study import Settings
from benchmarks.classifiers.two_models import Both, TwoModels
from noisewright.errors import BadTable
from noisewright.text import percent

SENSITIVE = ("age", "bmi")
ACCEPTED = 0.03
"""Share of changed answers at which the authors' search still takes a box."""

NAMED = {"age": 0.79, "hypertension": 1.0, "bmi": 0.48}
"""The record of figure 6: age 79, hypertension, BMI 24 (divided by 50)."""

OTHERS = ("SW", "k-RR")
WORDS = (
    f"The published search takes a box in which up to {percent(ACCEPTED)} of uniformly drawn answers change."
)


def run(folder: Path, settings: Settings) -> Study:
    """All figures of this table: 6, and 9 to 12."""
    started = time.monotonic()
    table = read_stroke(folder)
    rows, named = table.inside(SENSITIVE), find(table)
    models = TwoModels.train(table, SENSITIVE, ACCEPTED, settings)
    at_named = models.measure(table.values[[named]], PURE)
    at_first = models.measure(table.values[:1], OTHERS)
    on_many = models.sample(rows, PURE)
    by_text = models.by_the_text(on_many)
    readings = tuple(OneNumber(models.regression, at_named[0], "PM", 1.0, settings).readings())
    title = f"Record {named + 1}: age 79, BMI 24, hypertension"
    return Study(
        name="stroke",
        title="Stroke prediction: age and BMI randomized",
        facts=(
            (
                "records",
                f"{len(table):,}, of which {len(table) - rows.size} with a BMI above 50 are left out",
            ),
            ("randomized", "age and BMI, ε each, so 2ε for a record"),
            *models.facts(),
        ),
        findings=(
            f"Stroke, {as_they_computed_it(readings)}",
            *models.against_truth("Stroke", at_named, "PM", 1.0),
            f"Stroke, all figures: {too_high([*at_named, *at_first, *on_many])}",
            f"Stroke, figures 11 and 12 by the stricter rule of the text: {too_high(by_text)}",
            f"Stroke, all figures: {tight([*at_named, *at_first, *on_many])}",
        ),
        figures=(
            models.single("Figure 6", title, WORDS, at_named),
            models.single("Figure 9", "The first record, with SW and k-RR", WORDS, at_first),
            _boundaries(models, at_first),
            models.cases(models.regression, on_many[0], rows, "Figure 11"),
            models.cases(models.forest, on_many[1], rows, "Figure 12"),
        ),
        seconds=time.monotonic() - started,
        readings=readings,
    )


def find(table: Table) -> int:
    """The row of the record that figure 6 names."""
    columns = [table.values[:, table.names.index(name)] == value for name, value in NAMED.items()]
    rows = np.flatnonzero(np.all(columns, axis=0))
    if not rows.size:
        wanted = ", ".join(f"{name} {value:g}" for name, value in NAMED.items())
        raise BadTable(f"the stroke table has no record with {wanted} (figure 6); is it the authors' table?")
    return int(rows[0])


def _boundaries(models: TwoModels, found: Both) -> Figure:
    maps = tuple(map_of(model, one) for model, one in zip(models.models, found, strict=True))
    words = (
        "The first record's answer over all values of age and BMI. The forest's region is read from its "
        "trees as boxes and is exact; that of logistic regression is drawn from a raster of answers. One box "
        "leaves out much of what is kept; our certificate sums over the whole region."
    )
    return Figure("Figure 10", "Where the answer is kept, and the published hyperrectangle", words, maps)
