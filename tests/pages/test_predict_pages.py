"""A prediction in words and on a page: rounded to the safe side, complete, and without anybody's values."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import numpy as np
import pytest

from noisewright import Interval
from noisewright.pages.predict_charts import frontier
from noisewright.pages.predict_forecast import MOST_COLUMNS, Asked, Forecast
from noisewright.pages.predict_numbers import budget, down, up, within
from noisewright.pages.predict_page import predict_page
from noisewright.pages.predict_text import least_words, told
from noisewright.pages.predict_words import (
    CONFIDENTIAL,
    answer_words,
    best_words,
    caveats,
    gap_words,
    method_words,
    wide,
)
from noisewright.utility.bands import worst_band
from noisewright.utility.certificate import Band, Certificate, Moments
from noisewright.utility.curve import make_curve
from noisewright.utility.prediction import Prediction
from noisewright.utility.records import Records, Sensitive
from pages.checking import check

PEOPLE = 30
EPSILONS = np.geomspace(0.5, 8, 9)
AGE, BMI = Sensitive("age", 0, Interval(0, 100)), Sensitive("<b>bmi", 2, Interval(10, 60))


def utilities(mechanisms: int, epsilons: np.ndarray) -> np.ndarray:
    """Curves that rise with ε, lower for later mechanisms and records."""
    pace = np.linspace(2.0, 0.4, PEOPLE)[:, None, None] * np.linspace(1, 0.5, mechanisms)[None, :, None]
    return 1 - 0.6 * np.exp(-pace * epsilons / 2)


def prediction(mechanisms=("OGPM", "SWC"), epsilons=EPSILONS, sensitive=(AGE, BMI), width=0.0, groups=()):
    """A prediction made by hand, exact unless it has a width."""
    middle = utilities(len(mechanisms), epsilons)
    moments = Moments(1 - middle, 0 * middle, 0 * middle) if width else None
    method = ("queries" if width else "exact (trees)",) * PEOPLE
    ends = np.clip(middle - width, 0, 1), np.clip(middle + width, 0, 1)
    found = Certificate(middle, *ends, method, 4321 if width else 0, moments)
    values = np.random.default_rng(1).uniform(20, 50, (PEOPLE, 3))
    members = {name: np.arange(place, PEOPLE, len(groups)) for place, name in enumerate(groups)}

    def mean(which) -> Band:
        return Band(*(getattr(found, side)[which].mean(axis=0) for side in ("estimate", "low", "high")))

    return Prediction(
        make_curve(list(mechanisms), epsilons),
        Records(values, ("age", "sex", "<b>bmi"), tuple(sensitive), np.arange(101, 101 + PEOPLE)),
        found,
        0.99,
        mean(np.arange(PEOPLE)),
        worst_band(found),
        {name: mean(which) for name, which in members.items()},
        members,
    )


def forecast(asked=None, published=None, **facts) -> Forecast:
    asked = {"model": "model.onnx (ONNX)", "data": "<i>data.csv"} | (asked or {})
    return Forecast(prediction(**facts), Asked(**asked), published)


def published(found: Prediction, factor: float) -> SimpleNamespace:
    rho = np.clip(found.certificate.estimate * factor, 0, 1)
    return SimpleNamespace(rho=rho, average=rho.mean(axis=0), worst=rho.min(axis=0), queries=9)


FULL = forecast(
    asked={"target": 0.8, "records": (101, 130)},
    published=published(prediction(width=0.01), 1.05),
    width=0.01,
    groups=("sex = F", "sex = M", "sex = <x>"),
)


def test_numbers_are_rounded_to_the_safe_side():
    values = np.random.default_rng(2).uniform(0, 1, 2000)
    for value in values:
        assert value - 1e-3 < float(down(value)) <= value <= float(up(value)) < value + 1e-3
        assert value <= float(budget(value)) < value + 1e-3
    assert within(0.5, 0.75) == "0.500 to 0.750"
    assert (budget(0.1 + 0.2), budget(8.0)) == ("0.3", "8")


def test_the_page_stands_alone_and_shows_everything():
    page = predict_page(FULL)
    parsed = check(page)
    assert "&lt;b&gt;bmi" in page
    assert "&lt;i&gt;data.csv" in page
    assert parsed.count("svg") == 4
    headings = ("At a glance", "Utility against ε", "Least ε for a utility of 0.8", "Who loses most",
                "Who is served worse", "As published, for comparison", "How these numbers were made")  # fmt: skip
    for text in (*headings, CONFIDENTIAL, answer_words(FULL), gap_words(FULL), *caveats(FULL)):
        assert text in parsed.prose
    for loser in FULL.losers(20):
        assert f"record {loser['record']}" in parsed.prose


def test_sections_without_content_are_left_out():
    parsed = check(predict_page(forecast()))
    assert parsed.count("svg") == 2
    for word in ("Least ε", "served worse", "As published"):
        assert word not in parsed.prose
    text = told(forecast())
    assert "Least ε" not in text
    assert "Groups" not in text


def test_neither_page_nor_text_nor_json_holds_values_of_records():
    shown = predict_page(FULL) + told(FULL) + json.dumps(FULL.to_dict())
    numbers = set(re.findall(r"\d+\.\d{4,}", shown))
    for value in FULL.prediction.records.values.reshape(-1):
        assert not any(number.startswith(f"{value:.4f}"[:-1]) for number in numbers)


def test_the_text_fits_a_screen_and_has_the_numbers():
    text = told(FULL)
    assert max(map(len, text.splitlines())) <= 110
    assert all(line == line.rstrip() for line in text.splitlines())
    average, worst = FULL.prediction.average.low, FULL.prediction.worst.low
    for place in FULL.columns:
        for row in (0, 1):
            assert f"{down(average[row, place])} ({down(worst[row, place])})" in text
    assert "best on average" in text
    assert "age from 0 to 100" in text
    assert "the model was asked 4,321 times" in text
    flat = " ".join(text.split())
    assert "With 99 % confidence all bounds hold at once" in flat
    assert CONFIDENTIAL in flat


def test_exact_predictions_say_so():
    exact = forecast()
    flat = " ".join(told(exact).split())
    assert "exact (trees)" in flat
    assert "no chance is involved" in flat
    assert "confidence" not in flat
    assert method_words(exact) == "exact (trees)"


def test_the_meaning_of_utility_follows_the_question():
    assert any(
        "the true answer, which is in column ill" in line for line in caveats(forecast({"answers": "ill"}))
    )
    assert any("right or wrong" in line for line in caveats(forecast()))


def test_bounds_far_apart_are_mentioned_with_the_way_out():
    far = forecast(width=0.1)
    (said,) = wide(far)
    widest = float(re.search(r"up to (\S+) apart", said)[1])
    assert 0 <= widest - (far.prediction.certificate.high - far.prediction.certificate.low).max() < 0.01
    assert "share the 4,321 queries" in said
    assert said in caveats(far)
    assert wide(forecast(width=0.01)) == wide(forecast()) == []


def test_weaker_promises_are_named():
    said = caveats(forecast(mechanisms=("OGPM", "Gaussian")))
    assert sum("Gaussian promises less than pure LDP" in line for line in said) == 1
    assert not any("OGPM promises" in line for line in said)


def test_least_epsilons_are_those_of_the_prediction():
    average, worst, first = (FULL.prediction.least_epsilon(0.8, scope) for scope in ("average", "worst", 101))
    for row in FULL.least:
        assert (row.average, row.worst) == (average[row.mechanism], worst[row.mechanism])
        assert row.records[101] == first[row.mechanism]
    ogpm, swc = (least_words(row, FULL) for row in FULL.least)
    assert ogpm.startswith(
        f"OGPM: ε = {budget(average['OGPM'])} each ({budget(2 * average['OGPM'])} in all) on average"
    )
    assert worst["SWC"] is None
    assert swc.endswith("not reached at the worst record or at record 130")
    nowhere = forecast({"target": 0.9999})
    assert least_words(nowhere.least[0], nowhere) == "OGPM: not reached up to ε = 8"
    assert "–" in check(predict_page(nowhere)).prose


def test_the_focus_is_the_cheapest_pair_that_reaches_the_target():
    row, column = FULL.focus
    low = FULL.prediction.average.low
    assert low[row, column] >= 0.8
    assert (low[:, :column] < 0.8).all()
    unasked = forecast()
    row, column = unasked.focus
    assert unasked.epsilons[column] == pytest.approx(2.0)
    assert unasked.names[row] == unasked.prediction.best()[column]


def test_one_feature_needs_no_total():
    single = forecast({"target": 0.8}, sensitive=(AGE,))
    assert "in all" not in told(single)
    assert "which is what a record spends" in told(single)
    assert "The least ε of the sensitive feature, at which" in check(predict_page(single)).prose


def test_budgets_of_whole_records_are_shown_as_asked():
    per_record = forecast({"per": "record"})
    assert per_record.budgets.tolist() == (2 * EPSILONS).tolist()
    text = told(per_record)
    assert "1 to 16 for a whole record, shared evenly by 2 sensitive features" in text
    (head,) = (line for line in text.splitlines() if line.startswith("  mechanism"))
    assert re.findall(r"ε = (\S+)", head) == ["1", "2", "4", "8", "16"]


@pytest.mark.parametrize("epsilons", [[1.0], [0.5, 3.3], np.geomspace(0.5, 8, 64), np.linspace(1.1, 1.9, 30)])
def test_tables_and_charts_of_any_curve(epsilons):
    found = forecast(epsilons=np.asarray(epsilons, dtype=float), mechanisms=("OGPM",))
    assert found.columns == sorted(set(found.columns))
    assert {0, len(epsilons) - 1} <= set(found.columns)
    assert len(found.columns) <= MOST_COLUMNS
    check(predict_page(found))
    assert "best on average" not in told(found)


def test_the_gap_of_groups_is_told_with_its_doubt():
    gap, (row, column) = FULL.gap, FULL.focus
    means = {name: band.estimate[row, column] for name, band in FULL.prediction.groups.items()}
    assert (gap.least, gap.most) == (min(means, key=means.get), max(means, key=means.get))
    assert gap.low <= means[gap.most] - means[gap.least] <= gap.high
    unsure = forecast(width=0.1, groups=("sex = F", "sex = M"))
    assert "may be nothing and is at most" in gap_words(unsure)
    sure = forecast(groups=("sex = F", "sex = M"))
    assert re.search(r"the difference is \d", gap_words(sure))
    assert forecast(groups=("all",)).gap is None


def test_published_numbers_are_counted_where_they_cannot_be_true():
    found = prediction()
    high, low = (Forecast(found, FULL.asked, published(found, factor)) for factor in (1.05, 0.5))
    assert high.optimistic == int((high.published.rho > found.certificate.high).sum()) > 0
    assert low.optimistic == 0
    flat = " ".join(told(high).split())
    assert f"in {high.optimistic:,} of {found.certificate.high.size:,} cases" in flat
    assert "exceeds our upper bound nowhere" in " ".join(told(low).split())
    assert "not a bound" in flat


def test_json_is_strict_and_complete():
    written = json.loads(json.dumps(FULL.to_dict(), allow_nan=False))
    assert {"model", "data", "prediction", "focus", "losers", "target", "gap", "published"} == set(written)
    assert written["target"]["utility"] == 0.8
    assert written["target"]["least_epsilon"]["SWC"]["worst"] is None
    assert written["losers"][0]["record"] == 130
    assert len(written["losers"]) == PEOPLE
    assert np.shape(written["prediction"]["average"]["low"]) == (2, EPSILONS.size)


def test_the_strip_shows_the_best_mechanism_and_the_lines_are_the_estimates():
    drawn = frontier(FULL)
    upper, lower = drawn.axes[0], drawn.axes[2]
    lines = {line.get_label(): line.get_ydata() for line in upper.get_lines()}
    assert lines["OGPM"] == pytest.approx(FULL.prediction.average.estimate[0])
    assert [text.get_text() for text in lower.texts] == ["OGPM"]
    assert best_words(FULL, "worst") == "Best at the worst record: OGPM from 0.5."
