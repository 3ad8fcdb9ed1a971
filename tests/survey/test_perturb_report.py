"""The page of a file of reports."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright import Circle, Interval
from noisewright.io import perturb_file
from noisewright.mechanisms import CircularOGPM, Laplace
from noisewright.randomness import SeededSource
from noisewright.report.html import render_page
from noisewright.survey.perturb_report import BINS, binned_reports, perturb_report

PULSE, WAKE = Laplace(Interval(40, 200), 1.0), CircularOGPM(Circle(24), 1.0)


@pytest.fixture
def written(tmp_path):
    generator = np.random.default_rng(1)
    table = pa.table(
        {
            "<i>pulse": 40 + 160 * generator.random(5000),
            "wake": 24 * generator.random(5000),
            "town": ["X"] * 5000,
        }
    )
    pq.write_table(table, tmp_path / "readings.parquet")
    plan = {"<i>pulse": PULSE, "wake": WAKE}
    return perturb_file(
        tmp_path / "readings.parquet", tmp_path / "out.parquet", plan, source=SeededSource(3), keep=["town"]
    )


def test_the_page_tells_every_column_the_row_and_what_is_not_private(written):
    page = render_page(perturb_report(written))
    assert "&lt;i&gt;pulse" in page
    assert "<i>pulse" not in page
    assert "5,000 rows" in page
    assert "NOT PRIVATE" in page
    assert "NOT randomized, as asked: town; no promise covers them" in page
    for mechanism in (PULSE, WAKE):
        assert type(mechanism).title in page
    assert page.count("<svg") == 2


def test_every_report_is_counted_once(written):
    for name, mechanism in (("<i>pulse", PULSE), ("wake", WAKE)):
        counts, edges = binned_reports(written.path, name, mechanism)
        reports = pq.read_table(written.path)[name].to_numpy()
        assert counts.size == BINS
        assert counts.sum() == reports.size
        inner = np.histogram(reports, bins=edges[1:-1])[0]
        np.testing.assert_array_equal(counts[1:-1], inner)
