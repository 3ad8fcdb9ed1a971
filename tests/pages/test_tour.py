"""The tour shows what is there, on data that may be shown."""

from __future__ import annotations

import sys

import numpy as np
import pyarrow.parquet as pq
import pytest

from noisewright.engine import read_description
from noisewright.errors import BadTable
from noisewright.learn.model_file import load_model
from noisewright.mechanisms import SW
from noisewright.pages.tour import take_tour
from noisewright.pages.tour.clinic import BAND, DAY, PRESSURE, PRESSURE_RANGE, WAKE, clinic
from noisewright.pages.tour.estimate_stops import mean_hour
from noisewright.pages.tour.joint_stop import _between_processes
from noisewright.pages.tour.learn_stop import learning
from noisewright.pages.tour.stops import STOPS
from noisewright.pages.tour.trip import EPSILON, Trip
from noisewright.randomness import SIMULATED, SeededSource
from pages.checking import check, without_scikit_learn


def stop(tour, heading):
    return next(found for found in tour.stops if found.heading == heading)


def test_every_stop_is_a_section_of_one_page_that_stands_alone(taken):
    parsed = check(taken.report.read_text(encoding="utf-8"))
    assert len(taken.stops) == len(STOPS) == 17
    for found in taken.stops:
        assert found.heading in parsed.prose
        assert found.lines
    assert "public or made up" in parsed.prose
    assert parsed.count("svg") == 12


def test_the_busiest_hours_of_the_caption_are_those_of_the_files(taken):
    reports = pq.read_table(taken.report.parent / "reports.parquet").column(WAKE).to_pylist()
    true, reported = (
        np.bincount(np.floor(hours).astype(int) % 24, minlength=24).argmax()
        for hours in (clinic().wake, reports)
    )
    prose = check(taken.report.read_text(encoding="utf-8")).prose
    assert f"begins at {true} o'clock in the true times and at {reported} o'clock in the reports" in prose


def test_seeded_noise_says_so_on_the_page(taken):
    assert not taken.private
    assert SIMULATED in check(taken.report.read_text(encoding="utf-8")).prose


def test_the_numbers_come_from_the_files(taken):
    folder = taken.report.parent
    reports = pq.read_table(folder / "reports.parquet").column(PRESSURE).to_pylist()
    facts = stop(taken, "A mean from reports alone").facts
    # The expected report of SW is a straight line: what the estimate room makes of the mean is its inverse.
    low, high = SW(PRESSURE_RANGE, EPSILON).law([50.0, 150.0]).mean()
    assert facts["value"] == pytest.approx(50 + 100 * (np.mean(reports) - low) / (high - low), rel=1e-6)
    assert facts["true_mean"] == pytest.approx(clinic().pressure.mean())
    # one expected report more than there are keeps the standard error from vanishing: 1 in 442
    slope = (high - low) / 100
    assert facts["stderr"] == pytest.approx(np.std(reports, ddof=1) / np.sqrt(len(reports)) / slope, rel=5e-3)
    assert facts["standard_errors_apart"] == pytest.approx(
        abs(facts["value"] - facts["true_mean"]) / facts["stderr"]
    )
    assert facts["standard_errors_apart"] < 6
    # Student's 97.5 % quantile for 441 degrees of freedom is 1.965.
    half = (facts["high"] - facts["low"]) / 2
    assert half / facts["stderr"] == pytest.approx(1.965, abs=1e-3)
    told = " ".join(stop(taken, "A mean from reports alone").lines)
    assert f"The 95 % interval goes from {facts['low']:.4g} to {facts['high']:.4g}" in told
    described = read_description(folder / "reports.parquet")
    assert stop(taken, "What the file says of itself").facts == described.to_dict()
    assert described.guarantee.epsilon == 4


def test_the_mean_direction_survives_the_noise(taken):
    facts = stop(taken, "Hours of the day").facts
    # 442 reports with a resultant of about 0.3 leave the direction uncertain by about 3.5 / (0.3·√442) hours
    assert DAY.distance(facts["value"], facts["true_mean_direction"]) < 6 * 0.6
    reports = pq.read_table(taken.report.parent / "reports.parquet").column(WAKE).to_numpy()
    # CircularOGPM turns no direction, so the estimate is the mean direction of the reports themselves,
    # up to the parts of 24/4096 hours that reports are counted in.
    assert DAY.distance(facts["value"], mean_hour(reports)) < 24 / 4096
    assert 0.1 < DAY.distance(facts["low"], facts["high"]) < 6
    assert DAY.distance(mean_hour(np.array([23.5, 0.5])), 0.0) == pytest.approx(0, abs=1e-9)


def test_the_design_of_the_tour_is_between_its_bound_and_what_was_there_before(taken):
    facts = stop(taken, "The best mechanism there is").facts
    worst = {row["name"]: row["worst_error"] for row in facts["rows"]}
    assert facts["bound"]["value"] <= worst["Optimal law"] < 1.001 * facts["bound"]["value"]
    # OGPM's worst error is a share 1/(e + 1) of the range at ε = 2.
    assert worst["OGPM"] == pytest.approx(100 / (np.e + 1), rel=1e-4)
    assert worst["Optimal law"] < 0.76 * worst["OGPM"]


def test_the_mean_through_the_designed_law_comes_from_its_file(taken):
    reports = pq.read_table(taken.report.parent / "designed.parquet").column(PRESSURE).to_numpy()
    facts = stop(taken, "A mechanism made for the mean").facts
    assert facts["value"] == pytest.approx(reports.mean(), rel=1e-6)
    assert facts["worst_variance"] < 0.84 * facts["worst_variance_of_hybrid"]
    # What is measured may exceed the worst noise by the patients' own spread and by chance, not by more.
    assert reports.var() < 1.5 * (facts["worst_variance"] + clinic().pressure.var())
    assert abs(facts["value"] - facts["true_mean"]) < 6 * facts["stderr"]


def test_the_ledger_of_the_tour_repeats_reports_and_stops(taken):
    facts = stop(taken, "Asking again").facts
    assert facts["repeated"] == facts["asked_again"] == 100
    # 10⁴ reports of variance at most 2,606: six standard errors of their mean are 3.1 mmHg.
    assert abs(facts["average_of_fresh_reports"] - facts["true"]) < 3.1
    assert "has epsilon 0 left of 4" in facts["refusal"]
    status = facts["status"]
    assert (status["people"], status["reports"], status["exhausted"]) == (442, 443, 1)
    assert status["terms"]["simulated"]
    assert not list(taken.report.parent.glob("*.db*"))


def test_pairs_of_a_seeded_tour_are_simulated_and_labelled(taken):
    found = stop(taken, "Answering in pairs")
    assert "SIMULATION with trusted coins" in found.lines[1]
    assert found.facts["plan"]["shares_coins"]
    best = next(row for row in found.facts["plan"]["rows"] if row["name"] == "best")
    assert best["epsilon_colluding"] <= 3.0
    assert best["ratio"] < 1


@pytest.mark.slow
def test_pairs_of_a_real_tour_draw_their_coins_between_processes():
    """Sixty users, six of them yes: six standard errors of the count leave an error rate of 10⁻⁸."""
    words, facts = _between_processes()
    assert "two-party computation" in words
    assert facts["run"]["pairs"] == 30
    yes = facts["run"]["counts"][1]
    assert abs(yes["value"] - 6) < 6 * yes["stderr"]


def test_true_values_lie_in_their_public_domains():
    table = clinic()
    assert table.rows == 442
    assert "scikit-learn" in table.origin
    assert PRESSURE_RANGE.contains(table.pressure).all()
    assert DAY.contains(table.wake).all()
    assert table.to_csv().splitlines()[0] == f"{PRESSURE},{WAKE},{BAND}"
    assert DAY.contains([float(line.split(",")[1]) for line in table.to_csv().splitlines()[1:]]).all()


def test_without_scikit_learn_the_table_is_made_up_and_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    table = clinic()
    assert "made up" in table.origin
    assert PRESSURE_RANGE.contains(table.pressure).all()


def test_a_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(BadTable, match="cannot write"):
        take_tour(tmp_path / "taken")
    assert (tmp_path / "taken").read_text() == "mine"


def test_the_forest_is_solved_and_left_beside_the_page(taken):
    facts = stop(taken, "What a classifier loses").facts
    assert facts["prediction"]["exact"] is True
    least = facts["target"]["least_epsilon"]
    assert 1 < least["OGPM"]["average"] < 8
    assert least["OGPM"]["worst"] is None
    folder = taken.report.parent
    assert (folder / "forest.joblib").stat().st_size > 1000
    header, first = (folder / "patients.csv").read_text(encoding="utf-8").splitlines()[:2]
    assert header.count(",") == first.count(",") == 4


def test_the_learned_classifier_is_left_beside_the_page_and_beats_the_published_one(taken):
    facts = stop(taken, "A classifier that saw nobody").facts
    lesson, measured = facts["lesson"], facts["measured"]
    assert lesson["spent"] == [{"epsilon": "2", "clients": 4000}]
    assert [row["clients"] for row in lesson["asked"]] == [3400, 200, 400]
    # Always the same answer is right about 65 %, ours about 77 %: a sixth of that gap is luck enough.
    assert measured["local"]["accuracy"]["value"] > measured["local"]["majority"]["value"] + 0.06
    assert measured["local"]["accuracy"]["value"] > measured["mrma"]["accuracy"]["value"]
    model = load_model(taken.report.parent / "learned.json")
    assert model.simulated
    lines = (taken.report.parent / "patients.csv").read_text(encoding="utf-8").splitlines()[1:]
    said = model.predict([[float(cell) for cell in line.split(",")[:4]] for line in lines])
    assert set(said) == {"better", "worse"}
    header = (taken.report.parent / "clients.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header == "age,bmi,blood_pressure,triglycerides,outcome"


def test_without_scikit_learn_the_lesson_is_left_out(taken, monkeypatch):
    without_scikit_learn(monkeypatch, "learn")
    found = learning(Trip(clinic(), taken.report.parent, SeededSource(5)))
    assert found.lines[0].startswith("Learning was left out: learning needs scikit-learn; ")
    assert "[models]'" in found.lines[0]
    assert found.facts == {"lesson": None}
