"""Labels asked for again and again: the report of an answer is remembered, whatever its protocol."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

from noisewright import Categories, PureLDP
from noisewright.domains.codes import Codes
from noisewright.errors import BudgetSpent, InvalidParameter, OutOfDomain
from noisewright.estimate import Tally, frequencies
from noisewright.ledger import Ledger
from noisewright.mechanisms import (
    KRR,
    OLH,
    OUE,
    SUE,
    HadamardResponse,
    JointRandomizedResponse,
    SubsetSelection,
)
from noisewright.randomness import SeededSource

LABELS = [f"code {place}" for place in range(20)]
DOMAIN = Categories(LABELS)
KINDS = [KRR, OUE, SUE, OLH, SubsetSelection, HadamardResponse]

ASK = """
import json, sys
import numpy as np
from noisewright import Categories
from noisewright.ledger import Ledger
from noisewright.mechanisms import Mechanism
made = Mechanism.from_dict(json.loads(sys.argv[2]))
report = Ledger.open(sys.argv[1]).perturb("anna", "code", "code 7", made)
print(json.dumps(np.asarray(report).tolist()))
"""


@pytest.fixture
def ledger(tmp_path) -> Ledger:
    return Ledger.create(tmp_path / "people.db", budget=2.0)


def plain(report):
    return np.asarray(report).tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_answer_gets_the_same_report_for_free(ledger, kind):
    made = kind(DOMAIN, 1.0)
    first = plain(ledger.perturb("anna", "code", "code 7", made))
    assert all(plain(ledger.perturb("anna", "code", "code 7", made)) == first for _ in range(10))
    assert ledger.spent("anna") == PureLDP(1.0)
    ledger.perturb("anna", "code", "code 8", made)
    with pytest.raises(BudgetSpent, match="nothing was spent: only unchanged values"):
        ledger.perturb("anna", "code", "code 9", made)
    assert plain(ledger.perturb("anna", "code", "code 7", made)) == first


@pytest.mark.parametrize("kind", [KRR, OUE, OLH, HadamardResponse])
def test_another_process_remembers(ledger, kind):
    made = kind(DOMAIN, 1.0)
    command = [sys.executable, "-c", ASK, str(ledger.path), json.dumps(made.to_dict())]
    told = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(2)]
    here = ledger.perturb("anna", "code", "code 7", made)
    assert told[0] == told[1] == json.dumps(plain(here)) + "\n"
    assert ledger.spent("anna") == PureLDP(1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_many_reports_are_what_the_mechanism_draws_and_can_be_counted(tmp_path, kind):
    made = kind(DOMAIN, 1.0)
    simulated = Ledger.create(tmp_path / "simulated.db", budget=1.0, simulated=True)
    people, truth = [f"person {place}" for place in range(300)], LABELS * 15
    reports = simulated.perturb_many(people, "code", truth, made, SeededSource(5))
    assert plain(reports) == plain(made.perturb(truth, SeededSource(5)))
    assert Tally.of(reports, made).count == 300
    again = simulated.perturb_many(people, "code", truth, made, SeededSource(6))
    assert plain(again) == plain(reports)
    assert simulated.spent("person 0") == PureLDP(1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_single_reports_can_be_put_together_and_counted(ledger, kind):
    made = kind(DOMAIN, 1.0)
    reports = np.array([ledger.perturb(f"person {place}", "code", "code 3", made) for place in range(20)])
    assert frequencies(reports, made).count == 20


@pytest.mark.parametrize("kind", [KRR, OUE, OLH])
def test_averaging_remembered_reports_learns_nothing_more(tmp_path, kind):
    """Asked 200 times, fresh reports of one person name the answer; remembered ones are one report."""
    made = kind(DOMAIN, 1.0)
    simulated = Ledger.create(tmp_path / "simulated.db", budget=1.0, simulated=True)
    source = SeededSource(11)
    asked = [simulated.perturb("anna", "code", "code 7", made, source) for _ in range(200)]
    assert len({json.dumps(plain(report)) for report in asked}) == 1
    fresh = frequencies(made.perturb(["code 7"] * 2000, SeededSource(12)), made)
    assert fresh.top(1).labels == ("code 7",)


@pytest.mark.parametrize("kind", KINDS)
def test_the_file_holds_reports_and_no_answers(ledger, kind):
    made = kind(DOMAIN, 1.0)
    ledger.perturb("anna", "code", "code 7", made)
    with sqlite3.connect(ledger.path) as connection:
        ((report,),) = connection.execute("SELECT report FROM spends")
    connection.close()
    if isinstance(made.reports, Codes):
        assert isinstance(report, bytes)
        assert len(report) == made.reports.width
    else:
        assert 0 <= report < len(DOMAIN)
    assert b"code 7" not in ledger.path.read_bytes()


def test_the_statement_names_the_protocol(ledger):
    ledger.perturb("anna", "code", "code 7", OLH(DOMAIN, 0.5))
    ledger.perturb("anna", "code", "code 7", KRR(DOMAIN, 0.5))
    words = str(ledger.statement("anna"))
    assert "code    epsilon 0.5  OLH" in words
    assert "code    epsilon 0.5  KRR" in words
    assert "all reports together" in ledger.statement("anna").explain()


def test_an_answer_outside_the_list_is_refused_and_costs_nothing(ledger):
    with pytest.raises(OutOfDomain, match="is not one of the 20 declared categories") as refusal:
        ledger.perturb("anna", "code", "secret", OLH(DOMAIN, 1.0))
    assert "secret" not in str(refusal.value)
    with pytest.raises(InvalidParameter, match="it can only be refused"):
        ledger.perturb("anna", "code", "code 7", OLH(DOMAIN, 1.0), out_of_domain="clip")
    assert ledger.spent("anna") == PureLDP(0.0)


def test_joint_reports_are_paid_for_and_not_drawn_here(ledger):
    made = JointRandomizedResponse(Categories(["no", "yes"]), 0.5, users=100, colluders=2, correlation=-0.1)
    with pytest.raises(InvalidParameter, match=r"draws the noise of people together.*pay for it with spend"):
        ledger.perturb("anna", "smokes", "yes", made)
    ledger.spend("anna", "smokes", made.guarantee)
    assert ledger.spent("anna") == made.guarantee.as_pure()
