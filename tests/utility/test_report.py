"""A prediction in words and on a page: rounded to the safe side, complete, and without anybody's values."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import numpy as np
import pytest

from noisewright import Interval
from noisewright.published.classifier_utility import AS_PUBLISHED, CAVEATS
from noisewright.report.html import render_page
from noisewright.report.terminal import render_text
from noisewright.utility.core.certificate import Band, Certificate, Moments
from noisewright.utility.core.curve import make_curve
from noisewright.utility.core.records import Records, Sensitive
from noisewright.utility.forecast import MOST_COLUMNS, Forecast, Inquiry
from noisewright.utility.plots import plot_frontier
from noisewright.utility.predict import worst_band
from noisewright.utility.prediction import Prediction
from noisewright.utility.report import least_table
from noisewright.utility.report_words import (
    CONFIDENTIAL,
    NO_PUBLISHED,
    OWN_RECORD,
    answer_words,
    best_words,
    budget,
    caveats,
    down,
    gap_words,
    method_words,
    sure_words,
    up,
    wide,
    width_words,
    within,
)
from report.checking import check

PEOPLE = 30
EPSILONS = np.geomspace(0.5, 8, 9)
AGE, BMI = Sensitive("age", 0, Interval(0, 100)), Sensitive("<b>bmi", 2, Interval(10, 60))


def utilities(mechanisms: int, epsilons: np.ndarray, people: int) -> np.ndarray:
    """Curves that rise with ε, lower for later mechanisms and records."""
    pace = np.linspace(2.0, 0.4, people)[:, None, None] * np.linspace(1, 0.5, mechanisms)[None, :, None]
    return 1 - 0.6 * np.exp(-pace * epsilons / 2)


def prediction(
    mechanisms=("OGPM", "SWC"), epsilons=EPSILONS, sensitive=(AGE, BMI), width=0.0, groups=(), people=PEOPLE,
    exact=None, curves=None, **more,
):  # fmt: skip
    """A prediction made by hand, by default exact if its bounds meet; ``curves`` are those of every record."""
    middle = utilities(len(mechanisms), np.asarray(epsilons), people)
    middle = middle if curves is None else np.broadcast_to(np.asarray(curves, dtype=float), middle.shape)
    exact = not width if exact is None else exact
    moments = None if exact else Moments(1 - middle, 0 * middle, 0 * middle)
    method = ("exact (trees)" if exact else "queries",) * people
    ends = np.clip(middle - width, 0, 1), np.clip(middle + width, 0, 1)
    found = Certificate(middle, *ends, method, 0 if exact else 4321, moments)
    values = np.random.default_rng(1).uniform(20, 50, (people, 3))
    members = {name: np.arange(place, people, len(groups)) for place, name in enumerate(groups)}

    def mean(which) -> Band:
        return found.band(lambda part: part[which].mean(axis=0))

    return Prediction(
        make_curve(list(mechanisms), epsilons),
        Records(values, ("age", "sex", "<b>bmi"), tuple(sensitive), np.arange(101, 101 + people)),
        found,
        0.99,
        mean(np.arange(people)),
        worst_band(found),
        {name: mean(which) for name, which in members.items()},
        members,
        **({"asked": 5000} | more),
    )


def predict_page(found: Forecast) -> str:
    return render_page(found.report())


def told(found: Forecast) -> str:
    return render_text(found.report())


def forecast(asked=None, published=None, **facts) -> Forecast:
    asked = {"model": "model.onnx (ONNX)", "data": "<i>data.csv"} | (asked or {})
    return Forecast(prediction(**facts), Inquiry(**asked), published)


def published(found: Prediction, factor: float) -> SimpleNamespace:
    rho = np.clip(found.certificate.estimate * factor, 0, 1)
    return SimpleNamespace(
        rho=rho,
        average=rho.mean(axis=0),
        worst=rho.min(axis=0),
        queries=9,
        label=AS_PUBLISHED,
        caveats=CAVEATS,
    )


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
    headings = ("At a glance", "Utility against ε", "Least ε for a utility of 0.8", "Records that lose most",
                "Differences between groups", "As published, for comparison", "How these numbers were made")  # fmt: skip
    for text in (*headings, CONFIDENTIAL, answer_words(FULL), gap_words(FULL), *caveats(FULL)):
        assert text in parsed.prose
    for loser in FULL.losers(20):
        assert f"record {loser['record']}" in parsed.prose


def test_sections_without_content_are_left_out():
    parsed = check(predict_page(forecast()))
    assert parsed.count("svg") == 2
    for word in ("Least ε", "Differences between groups", "As published"):
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
    lines = text.splitlines()
    for scope, lows in (("on average", average), ("at the worst record", worst)):
        (start,) = (place for place, line in enumerate(lines) if f"Utility at least, {scope}" in line)
        for row, name in enumerate(FULL.names):
            cells = lines[start + 2 + row].replace(" ★", "").split()
            assert cells == [name, *(down(lows[row, place]) for place in FULL.columns)]
    assert "Best on average: OGPM from" in text
    assert "age from 0 to 100" in text
    assert "the model was asked 5,000 times in total" in text
    flat = " ".join(text.split())
    assert "With 99 % confidence all bounds hold together" in flat
    assert CONFIDENTIAL in flat


def test_exact_predictions_say_so():
    exact = forecast()
    flat = " ".join(told(exact).split())
    assert "exact (trees)" in flat
    assert "without randomness" in flat
    assert "confidence" not in flat
    assert method_words(exact) == "exact (trees); the model was asked 5,000 times in total"
    assert "could not be decided" not in sure_words(exact)


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
    assert "share the 4,321 queries: fewer records (--records N), more --queries, or fewer mech" in said
    assert "joblib" not in said
    assert wide(forecast({"onnx": True}, width=0.1))[0].endswith("and not as .onnx, are solved exactly.")
    assert "more --queries and a larger --budget" in wide(forecast({"budget": 9000}, width=0.1))[0]
    assert "records" not in wide(forecast(width=0.1, people=1))[0]
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
    table = least_table(FULL)
    assert list(table.header) == [
        "Mechanism",
        "on average",
        "at the worst record",
        "at record 101",
        "at record 130",
    ]
    ogpm, swc = ([str(cell.content) for cell in cells] for _, *cells in table.rows)
    assert ogpm[0] == f"{budget(average['OGPM'])} ({budget(2 * average['OGPM'])})"
    assert worst["SWC"] is None
    assert [cell == "–" for cell in swc] == [False, True, False, True]
    assert [cell.best for cell in table.rows[0][1:]] == [True] * 4
    nowhere = forecast({"target": 0.9999})
    assert {cell.content for _, *cells in least_table(nowhere).rows for cell in cells} == {"–"}
    assert "A dash means that the target is not kept up to ε = 8." in " ".join(told(nowhere).split())
    assert answer_words(nowhere).startswith(
        "No mechanism keeps a utility of 0.9999 on average up to ε = 8 each"
    )
    assert nowhere.to_dict()["target"]["cheapest"] is None
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
    assert not re.search(r"\(\S+ in total\)", told(single))
    assert "which is also the budget of a record" in told(single)
    assert "The smallest ε of the sensitive feature from which on" in check(predict_page(single)).prose


def test_budgets_of_whole_records_are_shown_as_asked():
    per_record = forecast({"per": "record"})
    assert per_record.budgets.tolist() == (2 * EPSILONS).tolist()
    text = told(per_record)
    assert "1 to 16 for a whole record, shared evenly by 2 sensitive features" in text
    heads = [line for line in text.splitlines() if line.startswith("  Mechanism ")]
    assert len(heads) == 2
    for head in heads:
        assert re.findall(r"ε = (\S+)", head) == ["1", "2", "4", "8", "16"]


@pytest.mark.parametrize("epsilons", [[1.0], [0.5, 3.3], np.geomspace(0.5, 8, 64), np.linspace(1.1, 1.9, 30)])
def test_tables_and_charts_of_any_curve(epsilons):
    found = forecast(epsilons=np.asarray(epsilons, dtype=float), mechanisms=("OGPM",))
    assert found.columns == sorted(set(found.columns))
    assert {0, len(epsilons) - 1} <= set(found.columns)
    assert len(found.columns) <= MOST_COLUMNS
    check(predict_page(found))
    assert "Best on average" not in told(found)


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
    high, low = (Forecast(found, FULL.inquiry, published(found, factor)) for factor in (1.05, 0.5))
    assert high.optimistic == int((high.published.rho > found.certificate.high).sum()) > 0
    assert low.optimistic == 0
    flat = " ".join(told(high).split())
    assert f"in {high.optimistic:,} of {found.certificate.high.size:,} cases" in flat
    assert "exceeds our upper bound nowhere" in " ".join(told(low).split())
    assert "not a bound" in flat


def test_json_is_strict_and_complete():
    written = json.loads(json.dumps(FULL.to_dict(), allow_nan=False))
    parts = {"model", "data", "prediction", "focus", "losers", "asked", "target", "gap", "published"}
    assert parts == set(written)
    assert written["target"]["kept_up_to"] == 8.0
    assert written["target"]["cheapest"]["mechanism"] == "OGPM"
    assert written["target"]["utility"] == 0.8
    assert written["target"]["least_epsilon"]["SWC"]["worst"] is None
    assert written["losers"][0]["record"] == 130
    assert len(written["losers"]) == PEOPLE
    assert np.shape(written["prediction"]["average"]["low"]) == (2, EPSILONS.size)


def test_the_strip_shows_the_best_mechanism_and_the_lines_are_the_estimates():
    drawn = plot_frontier(FULL)
    upper, lower = drawn.axes[:2]
    lines = {line.get_label(): line.get_ydata() for line in upper.get_lines()}
    assert lines["OGPM"] == pytest.approx(FULL.prediction.average.estimate[0])
    assert [text.get_text() for text in lower.texts] == ["OGPM"]
    assert best_words(FULL, "worst") == "Best at the worst record: OGPM from 0.5."


GRID = (1.0, 2.0, 3.0, 4.0, 5.0)
CROSSING = [[0.5, 0.8, 0.9, 0.9155, 0.92], [0.5, 0.6, 0.7, 0.9955, 0.9955]]
"""OGPM needs the least ε for 0.85, but at 4 and 5 SWC is the better one."""


def crossing(**least) -> Forecast:
    """A prediction whose least ε lie between those of its curve."""
    found = forecast({"target": 0.85}, epsilons=np.array(GRID), curves=CROSSING)
    found.prediction.__dict__["least_epsilon"] = lambda target, scope: dict(least)
    return found


def test_the_cheapest_is_named_with_its_own_epsilon_and_the_curve_s_is_said_apart():
    found = crossing(OGPM=3.2, SWC=3.9)
    assert found.prediction.best()[3] == "SWC"
    assert found.focus == (0, 3)
    said = answer_words(found)
    assert (
        "OGPM is the cheapest: it keeps a utility of 0.85 on average from ε = 3.2 each (6.4 in total) on"
        in said
    )
    assert "shown at the next ε of the curve, ε = 4 each (8 in total): on average at least 91.5 %" in said
    assert found.to_dict()["focus"] == {"mechanism": "OGPM", "epsilon": 4.0}
    assert found.to_dict()["target"]["cheapest"] == {"mechanism": "OGPM", "epsilon": 3.2, "alone": True}
    assert said in check(predict_page(found)).prose
    assert "Records that lose most: OGPM, ε = 4 each" in told(found)


def test_the_cheapest_of_equals_is_one_of_them():
    said = answer_words(crossing(OGPM=4.0, SWC=4.0))
    assert said.startswith("SWC is one of the cheapest: it keeps")
    assert "At this ε on average at least 99.5 %" in said
    single = forecast({"target": 0.85}, mechanisms=("OGPM",), epsilons=np.array(GRID), curves=CROSSING[:1])
    assert answer_words(single).startswith("OGPM keeps a utility of 0.85 on average from ε = 3 each")


def test_a_target_that_is_lost_again_counts_from_where_it_is_kept():
    falling = forecast({"target": 0.85}, epsilons=np.array(GRID), curves=[[0.9, 0.6, 0.9, 0.9, 0.9]] * 2)
    assert [row.average for row in falling.least] == [3.0, 3.0]
    assert "from ε = 3 each (6 in total) on" in answer_words(falling)
    assert "some smaller ε may keep it" in " ".join(told(falling).split())
    assert "from which on the utility is at least 0.85" in check(predict_page(falling)).prose


def test_choosing_by_somebody_s_record_is_warned_about():
    assert OWN_RECORD in caveats(forecast({"target": 0.8}))
    assert OWN_RECORD in caveats(forecast({"records": (101,)}))
    assert OWN_RECORD in check(predict_page(forecast())).prose
    assert OWN_RECORD in " ".join(told(forecast()).split())


def test_exact_bounds_that_do_not_meet_are_not_called_exact_without_a_word():
    found = forecast(width=0.0006, exact=True)
    assert "exact (trees), bounds up to 0.0012 apart;" in method_words(found)
    assert "without randomness, but up to 0.0012 of the reports" in sure_words(found)
    assert "bounds are up to 0.0012 apart" in check(predict_page(found)).prose
    assert wide(found) == []
    (said,) = wide(forecast(width=0.04, exact=True))
    assert "up to 0.08 apart, because some reports could not be decided" in said


def test_a_requested_width_stands_beside_what_was_reached():
    found = forecast(width=0.02)
    assert width_words(found) is None
    asked = Forecast(prediction(width=0.02, curves=[[0.5] * 9] * 2), found.inquiry)
    asked.prediction.__dict__["width"] = 0.05
    assert width_words(asked) == "at most 0.040 for every record; 0.05 was requested"
    assert asked.to_dict()["prediction"]["width_reached"] is True
    asked.prediction.__dict__["width"] = 0.01
    said = "up to 0.040 for a record, MORE than the requested 0.01"
    assert width_words(asked) == said
    assert said in " ".join(told(asked).split())
    assert said in check(predict_page(asked)).prose
    assert "more --queries" in wide(asked)[0]
    written = asked.to_dict()["prediction"]
    assert (written["requested_width"], round(written["widest_interval"], 6)) == (0.01, 0.04)
    assert written["width_reached"] is False
    assert found.to_dict()["prediction"]["width_reached"] is None


def test_questions_for_the_published_number_are_counted_and_its_absence_explained():
    found = prediction(width=0.01)
    both = Forecast(found, Inquiry("m", "d", published=True), published(found, 0.9), 700)
    assert "asked 5,700 times in total, 700 of them for the published number" in method_words(both)
    assert both.to_dict()["asked"] == {"in_all": 5700, "published": 700, "budget": None}
    assert NO_PUBLISHED not in caveats(both)
    starved = Forecast(found, Inquiry("m", "d", published=True, budget=5000))
    assert NO_PUBLISHED in caveats(starved)
    assert "As published" not in told(starved)


def test_one_record_has_one_number():
    single = forecast({"target": 0.8, "records": (101,)}, people=1)
    text, page = told(single), check(predict_page(single))
    for shown in (text, page.prose):
        for word in ("on average", "at the worst", "Average is over"):
            assert word not in shown
    assert "Utility at least, at record 101" in text
    assert "Best at record 101" in text
    assert list(least_table(single).header) == ["Mechanism", "at record 101"]
    assert answer_words(single).count(" %") == 1
    assert len(plot_frontier(single).axes) == 2


NASTY = "\x1b[2J\x9b31m\u202e\r\n<script>alert(1)</script>$\\frac"


def test_names_can_neither_steer_a_terminal_nor_run_in_a_page():
    asked = {"model": f"m{NASTY}", "data": f"d{NASTY}", "answers": f"a{NASTY}", "target": 0.8}
    groups = tuple(f"{name}{NASTY}" for name in "FM")
    nasty = forecast(asked, sensitive=(Sensitive(f"s{NASTY}", 0, Interval(0, 1)),), groups=groups)
    text, page = told(nasty), predict_page(nasty)
    assert all(line.isprintable() for line in text.split("\n"))
    assert text.count("<script>") >= 5
    assert "<script>alert" not in page
    assert not set("\x1b\x9b\u202e") & set(page)
    check(page)
    assert json.loads(json.dumps(nasty.to_dict()))["model"] == asked["model"]
