"""What a ledger remembers, charges and refuses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noisewright import ApproximateLDP, Categories, Circle, Interval, ProbabilisticLDP, PureLDP
from noisewright.errors import BadLedger, BudgetSpent, InvalidParameter, NoTheorem, OutOfDomain
from noisewright.guarantees import JointLDP, MetricLDP, PACPrivacy
from noisewright.ledger import Ledger
from noisewright.mechanisms import OGPM, PM, CircularOGPM, Gaussian
from noisewright.randomness import SecureSource, SeededSource

PULSE = OGPM(Interval(40, 200), epsilon=1.0)


@pytest.fixture
def ledger(tmp_path) -> Ledger:
    return Ledger.create(tmp_path / "people.db", budget=4.0, columns={"heart_rate": 2.0})


# -- remembering -----------------------------------------------------------------------------------------


def test_the_same_value_gets_the_same_report_for_free(ledger):
    first = ledger.perturb("anna", "heart_rate", 71.0, PULSE)
    assert {ledger.perturb("anna", "heart_rate", 71.0, PULSE) for _ in range(20)} == {first}
    assert ledger.spent("anna") == PureLDP(1.0)
    assert ledger.remaining("anna") == 3.0
    assert ledger.remaining("anna", "heart_rate") == 1.0


def test_a_changed_value_costs_and_an_old_one_comes_back(ledger):
    first = ledger.perturb("anna", "heart_rate", 71.0, PULSE)
    second = ledger.perturb("anna", "heart_rate", 90.0, PULSE)
    assert ledger.spent("anna") == PureLDP(2.0)
    assert ledger.perturb("anna", "heart_rate", 71.0, PULSE) == first
    assert ledger.perturb("anna", "heart_rate", 90.0, PULSE) == second
    assert ledger.spent("anna") == PureLDP(2.0)


def test_values_of_one_cell_are_one_value(ledger):
    coarse = OGPM(Interval(40, 200, cells=32), epsilon=1.0)  # cells of 5
    assert ledger.perturb("anna", "heart_rate", 71.0, coarse) == ledger.perturb(
        "anna", "heart_rate", 74.9, coarse
    )
    assert ledger.spent("anna") == PureLDP(1.0)
    ledger.perturb("anna", "heart_rate", 75.1, coarse)
    assert ledger.spent("anna") == PureLDP(2.0)


@pytest.mark.parametrize(
    ("person", "column", "mechanism"),
    [
        ("bert", "heart_rate", PULSE),
        ("anna", "resting", PULSE),
        ("anna", "heart_rate", OGPM(Interval(40, 200), epsilon=0.5)),
        ("anna", "heart_rate", OGPM(Interval(40, 201), epsilon=1.0)),
        ("anna", "heart_rate", PM(Interval(40, 200), epsilon=1.0)),
    ],
)
def test_another_person_column_or_mechanism_is_drawn_anew_and_paid_for(ledger, person, column, mechanism):
    ledger.perturb("anna", "heart_rate", 71.0, PULSE)
    before = ledger.status().reports
    ledger.perturb(person, column, 71.0, mechanism)
    assert ledger.status().reports == before + 1


def test_a_memory_outlives_a_spent_budget(ledger):
    reports = [ledger.perturb("anna", "heart_rate", value, PULSE) for value in (60.0, 70.0)]
    with pytest.raises(BudgetSpent):
        ledger.perturb("anna", "heart_rate", 80.0, PULSE)
    assert [ledger.perturb("anna", "heart_rate", value, PULSE) for value in (60.0, 70.0)] == reports


def test_reports_follow_the_law_of_the_mechanism(tmp_path):
    """The share of reports in the window, 10⁴ people; exact binomial limits, false alarm 10⁻⁹.

    Power: a window probability 10 % off moves the count by 5 standard deviations and more.
    """
    from scipy.stats import binom

    mechanism, n = OGPM(Interval(0, 1), 2.0), 10_000
    ledger = Ledger.create(tmp_path / "people.db", budget=2.0, simulated=True)
    reports = ledger.perturb_many(
        [f"p{i}" for i in range(n)], "x", np.full(n, 0.5), mechanism, SeededSource(1)
    )
    inside = mechanism.law(0.5).mass(0.4, 0.6)
    low, high = binom.ppf([5e-10, 1 - 5e-10], n, inside)
    assert low <= ((reports >= 0.4) & (reports <= 0.6)).sum() <= high


def test_circles_and_labels_can_be_remembered_too(ledger):
    hours = CircularOGPM(Circle(24), epsilon=0.5)
    assert ledger.perturb("anna", "wake", 23.5, hours) == ledger.perturb("anna", "wake", 23.5, hours)
    assert ledger.perturb("anna", "wake", 47.5, hours, out_of_domain="clip") == ledger.perturb(
        "anna", "wake", 23.5, hours
    )
    assert ledger.spent("anna") == PureLDP(0.5)


# -- refusing ----------------------------------------------------------------------------------------------


def test_a_refusal_says_what_is_left_and_what_to_do_and_spends_nothing(ledger):
    ledger.spend("anna", "age", PureLDP(3.5))
    with pytest.raises(BudgetSpent) as refusal:
        ledger.perturb("anna", "heart_rate", 71.0, PULSE)
    assert str(refusal.value) == (
        "this person has epsilon 0.5 left of 4, and 'heart_rate' asks for 1; nothing was spent: ask for at "
        "most 0.5, or report an unchanged value"
    )
    assert ledger.spent("anna") == PureLDP(3.5)
    assert ledger.remaining("anna") == 0.5


def test_a_column_has_a_budget_of_its_own(ledger):
    ledger.spend("anna", "heart_rate", PureLDP(2.0))
    with pytest.raises(BudgetSpent, match=r"has epsilon 0 left of 2, and 'heart_rate' asks for 1; .* free"):
        ledger.perturb("anna", "heart_rate", 71.0, PULSE)
    ledger.spend("anna", "age", PureLDP(2.0))
    assert ledger.remaining("anna") == 0.0


def test_ten_times_a_tenth_is_more_than_one(tmp_path):
    ledger = Ledger.create(tmp_path / "people.db", budget=1.0)
    for _ in range(9):
        ledger.spend("anna", "x", PureLDP(0.1))
    with pytest.raises(BudgetSpent, match=r"has epsilon 0.099999 left"):
        ledger.spend("anna", "x", PureLDP(0.1))
    ledger.spend("anna", "x", PureLDP(0.09999999999999995))
    assert ledger.remaining("anna") == 0.0


def test_a_batch_is_paid_by_all_or_by_nobody(ledger):
    ledger.spend("carl", "age", PureLDP(3.5))
    people = ["anna", "bert", "carl", "dora"]
    with pytest.raises(BudgetSpent, match=r"^people\[2\] has epsilon 0.5 left of 4"):
        ledger.perturb_many(people, "heart_rate", [60, 70, 80, 90], PULSE)
    assert ledger.status().people == 1
    assert ledger.perturb_many(people[:2], "heart_rate", [60, 70], PULSE).shape == (2,)


def test_a_batch_counts_all_values_of_one_person(ledger):
    with pytest.raises(
        BudgetSpent, match=r"people\[3\] has epsilon 2 left of 2, and 'heart_rate' asks for 3"
    ):
        ledger.perturb_many(["anna"] * 4, "heart_rate", [60, 70, 60, 80], PULSE)
    reports = ledger.perturb_many(["anna"] * 4, "heart_rate", [60, 70, 60, 70], PULSE)
    assert reports[:2].tolist() == reports[2:].tolist()
    assert ledger.spent("anna") == PureLDP(2.0)
    assert reports[1] == ledger.perturb("anna", "heart_rate", 70, PULSE)


def test_delta_is_refused_unless_the_ledger_has_some(tmp_path, ledger):
    noisy = Gaussian(Interval(40, 200), 1.0, 1e-5)
    with pytest.raises(
        BudgetSpent, match=r"has delta 0 left of 0, and 'heart_rate' asks for 1e-5; .* with none"
    ):
        ledger.perturb("anna", "heart_rate", 71.0, noisy)
    other = Ledger.create(tmp_path / "other.db", budget=4.0, delta=2e-5)
    other.perturb("anna", "heart_rate", 71.0, noisy)
    other.spend("anna", "heart_rate", PureLDP(1.0))
    assert other.spent("anna") == ApproximateLDP(2.0, 1e-5)
    other.spend("anna", "heart_rate", ProbabilisticLDP(0.5, 1e-5))
    with pytest.raises(BudgetSpent, match=r"has delta 0 left"):
        other.spend("anna", "heart_rate", ApproximateLDP(0.5, 1e-6))


def test_noise_that_can_be_undone_needs_a_ledger_that_says_so(tmp_path, ledger):
    with pytest.raises(InvalidParameter, match="real people takes no seeded source"):
        ledger.perturb("anna", "heart_rate", 71.0, PULSE, SeededSource(1))
    assert ledger.status().reports == 0
    ledger.perturb("anna", "heart_rate", 71.0, PULSE, SecureSource())
    twins = [Ledger.create(tmp_path / f"{name}.db", budget=1.0, simulated=True) for name in "ab"]
    reports = {twin.perturb("anna", "heart_rate", 71.0, PULSE, SeededSource(1)) for twin in twins}
    assert len(reports) == 1
    assert "NOT PRIVATE" in twins[0].status().to_dict()["terms"]["simulated"]
    assert "simulated" not in ledger.status().to_dict()["terms"]


# -- reports made elsewhere -------------------------------------------------------------------------------


def test_a_receipt_is_paid_once(ledger):
    for _ in range(3):
        ledger.spend("anna", "age", PureLDP(0.5), receipt="upload 17")
    assert ledger.spent("anna") == PureLDP(0.5)
    ledger.spend("bert", "age", PureLDP(0.5), receipt="upload 17")
    ledger.spend("anna", "size", PureLDP(0.5), receipt="upload 17")
    assert ledger.spent("anna") == PureLDP(1.0)
    with pytest.raises(InvalidParameter, match="receipt 'upload 17' was paid at another price"):
        ledger.spend("anna", "age", PureLDP(0.25), receipt="upload 17")


def test_without_a_receipt_every_spend_counts(ledger):
    for _ in range(3):
        ledger.spend("anna", "age", PureLDP(0.5))
    assert ledger.spent("anna") == ledger.spent("anna", "age") == PureLDP(1.5)
    assert ledger.spent("anna", "size") == PureLDP(0.0)


def test_guarantees_that_bound_one_person_are_counted_and_others_refused(ledger):
    ledger.spend("anna", "age", JointLDP(0.5, 0.75, colluders=1, users=10))
    assert ledger.spent("anna") == PureLDP(0.75)
    with pytest.raises(NoTheorem, match="colluding partner"):
        ledger.spend("anna", "age", JointLDP(0.5, math.inf, colluders=1, users=10))
    for other in (MetricLDP(1.0), PACPrivacy(0.1)):
        with pytest.raises(NoTheorem, match=f"not {type(other).__name__}; convert it first"):
            ledger.spend("anna", "age", other)
    assert ledger.spent("anna") == PureLDP(0.75)


# -- statements ---------------------------------------------------------------------------------------------


def test_a_statement_lists_what_was_paid_for_in_order(ledger):
    ledger.perturb("anna", "heart_rate", 71.0, PULSE)
    ledger.spend("anna", "age", PureLDP(0.5))
    ledger.perturb("anna", "heart_rate", 71.0, PULSE)
    theirs = ledger.statement("anna")
    assert [(e.column, e.guarantee, e.made_by) for e in theirs.history] == [
        ("heart_rate", PureLDP(1.0), "OGPM"),
        ("age", PureLDP(0.5), "elsewhere"),
    ]
    assert (theirs.spent, theirs.remaining) == (PureLDP(1.5), 2.5)
    assert theirs.columns == {"heart_rate": 1.0, "age": 2.5}
    assert "all reports together" in theirs.explain()


def test_somebody_unknown_has_everything_left(ledger):
    assert ledger.remaining("nobody") == 4.0
    assert ledger.remaining("nobody", "heart_rate") == 2.0
    assert ledger.statement("nobody").explain() == "Nothing was reported, so nothing is revealed."


def test_a_name_is_one_person_however_it_is_typed(ledger):
    ledger.spend("Zo\u00eb", "age", PureLDP(1.0))
    assert ledger.spent("Zoe\u0308") == PureLDP(1.0)


# -- bad input ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ((17, "x", 71.0, PULSE), InvalidParameter, "person must be a text, not int; str"),
        (("", "x", 71.0, PULSE), InvalidParameter, "person must be a text that is not empty"),
        ((" anna", "x", 71.0, PULSE), InvalidParameter, "no blanks at its ends"),
        (("\ud800", "x", 71.0, PULSE), InvalidParameter, "half a character"),
        (("anna", None, 71.0, PULSE), InvalidParameter, "column must be a text, not NoneType"),
        (("anna", "x", 300.0, PULSE), OutOfDomain, "x lies above Interval"),
        (("anna", "x", math.nan, PULSE), OutOfDomain, "missing"),
        (("anna", "x", "71", PULSE), OutOfDomain, "text values"),
        (("anna", "x", [71.0, 72.0], PULSE), InvalidParameter, "value must be one value; perturb_many"),
        (("anna", "x", 71.0, "OGPM"), InvalidParameter, "mechanism must be a mechanism, not str"),
        (("anna", "x", 71.0, PULSE, 7), InvalidParameter, "source must be a SecureSource, not int"),
    ],
)
def test_a_bad_request_is_refused_and_costs_nothing(ledger, arguments, error, said):
    with pytest.raises(error, match=said):
        ledger.perturb(*arguments)
    assert ledger.status().reports == 0


@pytest.mark.parametrize(
    ("people", "values", "said"),
    [
        ("anna", [71.0] * 4, "people must be a list of names"),
        (["anna", 17], [71.0, 72.0], r"people\[1\] must be a text"),
        (["anna", "bert"], [71.0], "values must be a list of 2, one for each person, not of shape"),
        (["anna"], [[71.0]], "values must be a list of 1, one for each person"),
        (["anna", "bert"], [71.0, 300.0], r"x\[1\] lies above"),
        ([], [], "x is empty"),
    ],
)
def test_a_bad_batch_is_refused_and_costs_nothing(ledger, people, values, said):
    with pytest.raises((InvalidParameter, OutOfDomain), match=said):
        ledger.perturb_many(people, "x", values, PULSE)
    assert ledger.status().reports == 0


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ({"budget": 0}, "budget must be a number above 0 and at most 1000, got 0"),
        ({"budget": math.nan}, "budget must be a number above 0"),
        ({"budget": "4"}, "budget must be a number above 0"),
        ({"budget": 1, "delta": 0.9}, "delta must be a number above"),
        ({"budget": 1, "delta": -1e-9}, "delta must be a number above"),
        ({"budget": 1, "columns": {"age": 2}}, "column 'age' may not have more than the `budget` of 1"),
        ({"budget": 1, "columns": {"age": -2}}, "column 'age': budget must be a number above 0"),
        ({"budget": 1, "columns": {"": 1}}, "a column must be a text that is not empty"),
        ({"budget": 1, "columns": ["age"]}, "columns maps names to budgets"),
        ({"budget": 1, "simulated": 1}, "simulated must be True or False, got 1"),
    ],
)
def test_terms_without_meaning_are_refused_before_a_file_is_made(tmp_path, terms, said):
    with pytest.raises(InvalidParameter, match=said):
        Ledger.create(tmp_path / "people.db", **terms)
    assert list(tmp_path.iterdir()) == []


def test_a_guarantee_must_be_one(ledger):
    with pytest.raises(InvalidParameter, match="guarantee must be a guarantee, not float"):
        ledger.spend("anna", "age", 0.5)  # type: ignore[arg-type]


def test_an_existing_ledger_is_not_made_anew(ledger):
    with pytest.raises(BadLedger, match="exists already"):
        Ledger.create(ledger.path, budget=100.0)
    assert ledger.terms.budget == 4.0


def test_labels_are_remembered_by_their_place_in_the_list(tmp_path, labelled):
    ledger = Ledger.create(tmp_path / "people.db", budget=1.0)
    report = ledger.perturb("anna", "ward", "north", labelled)
    assert report in ("north", "south")
    assert {ledger.perturb("anna", "ward", "north", labelled) for _ in range(10)} == {report}
    assert ledger.perturb_many(["anna"], "ward", ["north"], labelled).tolist() == [report]
    with pytest.raises(OutOfDomain, match=r"ward\[0\] is not one of the 2 declared"):
        ledger.perturb("anna", "ward", "west", labelled)
    with pytest.raises(InvalidParameter, match="no nearest one"):
        ledger.perturb("anna", "ward", "north", labelled, out_of_domain="clip")
    assert ledger.spent("anna") == PureLDP(1.0)


@pytest.fixture
def labelled():
    """Randomized response between two labels, as small as a finite mechanism can be."""
    from dataclasses import dataclass

    from noisewright.mechanisms.basics.finite import FiniteMechanism

    @dataclass(frozen=True)
    class TwoLabels(FiniteMechanism):
        domains = (Categories,)

        @property
        def reports(self):
            return self.domain

        def _prove(self):
            return math.log(2)

        def word_counts(self, cell):
            return ([2, 1] if cell == 0 else [1, 2]), 3

        def _probabilities(self, cells):
            return np.array([[2 / 3, 1 / 3], [1 / 3, 2 / 3]])[cells]

        def _draw_cells(self, cells, stream):
            return np.where(stream.draw(cells.size) % np.uint64(3) < 2, cells, 1 - cells)

    return TwoLabels(Categories(["north", "south"]), 1.0)
