"""What pages and texts about labels say, against the numbers that they are made of."""

import numpy as np
import pytest

from noisewright import Categories
from noisewright.design.comparison import compare_oracles
from noisewright.design.explanation import OracleExplanation
from noisewright.design.law_words import label_law_words
from noisewright.domains.codes import Codes
from noisewright.estimate import frequencies
from noisewright.io import perturb_table, tally_table
from noisewright.mechanisms import KRR, OLH, OUE, RR, LabelExponential
from noisewright.mechanisms.categorical.choice import ORACLES
from noisewright.randomness import SeededSource
from noisewright.report.html import render_page
from noisewright.survey import EstimateRequest, estimate_all
from noisewright.survey.estimate_report import MOST_LISTED, UNEVEN
from noisewright.survey.estimate_rows import NO_ERROR, label_rows
from noisewright.survey.estimates import LabelEstimates
from noisewright.survey.plots import MOST_BARS, plot_columns
from noisewright.text import percent
from report.checking import check

DOMAIN = Categories([f"L{place}" for place in range(1200)])
TRUTH = np.array(DOMAIN.labels)[np.arange(6000) % 40]


@pytest.fixture(scope="module")
def found():
    import pyarrow as pa

    table = perturb_table(pa.table({"code": TRUTH}), {"code": OLH(DOMAIN, 3.0)}, SeededSource(4))
    return estimate_all(tally_table(table), EstimateRequest(top=5))


def test_rows_are_the_estimates_in_per_cent_and_people(found):
    (column,) = found.columns
    top = column.frequencies.top(5)
    rows = label_rows(column)
    assert [row.label for row in rows] == list(top.labels)
    for row, value, high in zip(rows, top.value, top.high, strict=True):
        assert float(row.share.removesuffix(" %")) == pytest.approx(100 * value, abs=0.06)
        people = float(row.people.replace(",", ""))
        assert people == pytest.approx(6000 * value, abs=6)
        assert float(row.people_interval.split(" to ")[1].replace(",", "")) == pytest.approx(
            6000 * high, abs=6
        )


def test_a_long_list_is_cut_on_the_page_and_says_so(found):
    page = check(render_page(found.report()))
    assert "1,195 more are not shown" in page.prose
    assert f"The first {MOST_LISTED:,} labels as a table" in page.prose
    assert "not private" in page.prose.lower()
    assert str(found).count("\n  L") == 5


def test_a_chart_has_as_many_bars_as_there_is_room_for(found):
    (column,) = found.columns
    for top, bars in ((5, 5), (200, MOST_BARS), (None, MOST_BARS)):
        drawn = plot_columns([LabelEstimates("code", column.tally, column.frequencies, top)])
        (axes,) = drawn.axes
        assert len(axes.patches) == len(axes.get_yticklabels()) == bars
    widths = [patch.get_width() for patch in axes.patches]
    assert widths == pytest.approx(column.frequencies.top(MOST_BARS).value.tolist())


def test_all_columns_in_one_figure():
    import pyarrow as pa

    from noisewright import Interval
    from noisewright.mechanisms import PM

    table = pa.table({"code": TRUTH[:2000], "pulse": np.full(2000, 71.5)})
    mechanisms = {"pulse": PM(Interval(40, 200), 4.0), "code": KRR(DOMAIN, 4.0)}
    drawn = estimate_all(tally_table(perturb_table(table, mechanisms))).plot()
    assert len(drawn.axes) == 2


@pytest.mark.parametrize("kind", ORACLES)
def test_the_words_have_the_chances_of_the_mechanism(kind):
    made = kind(Categories(range(30)), 2.0)
    words = " ".join(label_law_words(made))
    assert percent(made.hit) in words
    if isinstance(made.reports, Codes):
        assert f"stored in {made.reports.width} bytes" in OracleExplanation(made).report_words


def test_words_for_two_labels_and_for_tables():
    assert label_law_words(RR(Categories(["no", "yes"]), 1.0)) == [
        "With probability 73.1 % the report is the true label; otherwise it is the other label."
    ]
    (words,) = label_law_words(LabelExponential(Categories("abc"), 1.0))
    assert words.startswith("The report is one of 3 labels, drawn from a table of integers")


def test_the_error_of_an_explanation_is_the_error_of_estimates():
    """The spread of 400 collections: 15 % are six standard errors, exceeded once in 10⁹ tests.

    Noise at 10 % less ε has a quarter more variance, and would be noticed.
    """
    domain, source, people = Categories(range(10)), SeededSource(8), 500
    truth = list(domain.labels) * (people // 10)
    made = OUE(domain, 1.0)
    found = np.var([frequencies(made.perturb(truth, source), made).value for _ in range(400)])
    assert found == pytest.approx(noise(made, people), rel=0.15)
    assert found != pytest.approx(noise(OUE(domain, 0.9), people), rel=0.15)


def noise(made, people):
    """The variance of a share less the luck of the draw: the people are the same in every collection."""
    explanation = OracleExplanation(made)
    return explanation.standard_error(people) ** 2 - explanation.without_noise(people) ** 2


def test_a_comparison_marks_one_protocol_for_each_epsilon():
    found = compare_oracles(Categories(range(12)), [0.5, 2.0, 2.0])
    assert found.epsilons == (0.5, 2.0)
    assert all(sum(entry.chosen for entry in found.at(epsilon)) == 1 for epsilon in found.epsilons)
    assert all(entry.ratio >= 1 for entry in found.entries)
    assert len(found.plot().axes) == 2


def test_a_share_whose_interval_ends_at_0_has_no_standard_error_beside_it():
    import pyarrow as pa

    answers = ["yes"] * 40 + ["no"] * 1960
    asked = {"smokes": KRR(Categories(["no", "yes"]), 0.5)}
    table = perturb_table(pa.table({"smokes": answers}), asked, SeededSource(1))
    found = estimate_all(tally_table(table), EstimateRequest())
    assert [row.stderr for row in label_rows(found.columns[0])] == [NO_ERROR, NO_ERROR]
    assert UNEVEN in str(found)
    assert UNEVEN in check(render_page(found.report())).prose
