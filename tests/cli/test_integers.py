"""``--integers`` in every verb that takes a domain of numbers."""

from __future__ import annotations

import json
import re

import numpy as np
import pyarrow.parquet as pq
import pytest

from command_line import refused, run
from noisewright import Integers
from noisewright.audit.basics.claim import Claim
from noisewright.audit.blackbox.functions import farthest
from noisewright.cli.audit_target import InputOptions, TargetOptions, read_target
from noisewright.io import read_description
from noisewright.mechanisms import OGPM, SW

AGES = ["--integers", "age=0:99"]
TO = ["-o", "reports.parquet"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ages = np.random.default_rng(3).integers(18, 91, 400)
    ages[0] = 29  # no multiple of 7
    sick = np.where(ages > 50, "yes", "no")
    rows = [f"{age},{age / 7:.3f},{label}" for age, label in zip(ages, sick, strict=True)]
    (tmp_path / "people.csv").write_text("age,bmi,sick\n" + "\n".join(rows) + "\n")
    return tmp_path


def test_perturb_writes_real_reports_that_carry_their_domain(capsys):
    out, err = run(capsys, "perturb", "people.csv", "--epsilon=2", *AGES, *TO)
    assert err == ""
    assert "age: SW on the range of whole numbers from 0 to 99\n  epsilon 2." in out
    mechanism = SW(Integers(0, 99), 2.0)
    assert read_description("reports.parquet").mechanisms == {"age": mechanism}
    reports = pq.read_table("reports.parquet")["age"].to_numpy()
    assert mechanism.reports.contains(reports).all()
    assert (reports != np.rint(reports)).any()


def test_an_interval_of_whole_numbers_gets_a_sentence_and_then_its_reports(capsys):
    arguments = ["perturb", "people.csv", "--epsilon=2", "--interval=age=0:99.5", "--interval=bmi=0:20", *TO]
    _, err = run(capsys, *arguments)
    assert err == (
        "noisewright: every value of 'age' is a whole number: declare --integers age=0:99 to get narrower "
        "intervals of bins and quantiles, and bins that end between whole numbers\n"
    )
    assert read_description("reports.parquet").mechanisms["age"].domain.kind == "interval"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--integers=bmi=0:20"], "bmi in data row 1 is not a whole number; round it, declare --interval"),
        (
            ["--integers=age=30:99"],
            "lies below --integers age=30:99; widen the range or pass --out-of-domain",
        ),
        (["--integers=age=0:99.5"], "--integers wants name=low:high in whole numbers"),
        (["--integers=age=0"], "--integers wants name=low:high"),
        (["--integers=0:99"], "--integers wants name=low:high"),
        (["--integers=age=9:9"], "column 'age': --integers age=9:9 needs its low end below its high end"),
        (
            ["--integers=age=0:2000000"],
            "column 'age': --integers age=0:2000000 holds 2,000,001 whole numbers, more",
        ),
        (["--integers=age=0:99", "--interval=age=0:99"], "named twice by --interval, --integers or --circle"),
        (["--integers=age=0:99", "--mechanism=circularogpm"], "CircularOGPM needs a domain of kind --circle"),
    ],
)
def test_bad_input_gets_one_sentence_and_leaves_nothing(capsys, folder, arguments, sentence):
    said = refused(capsys, "perturb", "people.csv", "--epsilon=1", *arguments, *TO)
    assert sentence in said
    assert not (folder / "reports.parquet").exists()
    assert not re.search(r"row \d+ .*\d\.\d{3}", said)


def test_clipping_rounds(capsys, folder):
    clip = ["--out-of-domain=clip", "--seed=3"]
    run(capsys, "perturb", "people.csv", "--epsilon=1", "--integers=bmi=3:12", *clip, *TO)
    lines = (folder / "people.csv").read_text().splitlines()[1:]
    cut = [min(max(round(float(line.split(",")[1])), 3), 12) for line in lines]
    (folder / "cut.csv").write_text("bmi\n" + "\n".join(map(str, cut)) + "\n")
    run(capsys, "perturb", "cut.csv", "--epsilon=1", "--integers=bmi=3:12", "--seed=3", "-o", "cut.parquet")
    assert pq.read_table("cut.parquet")["bmi"].equals(pq.read_table("reports.parquet")["bmi"])


@pytest.mark.parametrize("mechanism", ["ogpm", "hybrid", "tsw", "laplace", "binnedkrr"])
def test_explain_shows_whole_numbers(capsys, mechanism, folder):
    page = ["--html", "e.html"] if mechanism == "ogpm" else []
    out, _ = run(capsys, "explain", mechanism, "--integers=-5:94", "--epsilon=2", *page)
    assert "the range of whole numbers from -5 to 94" in out
    law = out.split("What it does")[1].split("How wrong")[0]
    assert not re.search(r"(from|to|is) -?\d+\.\d", law), law
    assert not page or "whole numbers from -5 to 94" in (folder / "e.html").read_text()
    assert "--at must be a value of" in refused(
        capsys, "explain", mechanism, "--integers=-5:94", "--epsilon=2", "--at=1.5"
    )


def test_compare_measures_at_whole_numbers(capsys):
    out, _ = run(capsys, "compare", "--integers=0:1", "--epsilon=1", "--mechanism=ogpm,pm", "--json")
    assert str(OGPM(Integers(0, 1), 1.0).law([0, 1]).expected().max())[:10] in out
    assert json.loads(out)["domain"] == Integers(0, 1).to_dict()
    both = refused(capsys, "compare", "--integers=0:1", "--interval=0:1")
    assert "give one domain" in both
    assert "--integers wants low:high in whole numbers" in refused(capsys, "compare", "--integers=0:1.5")
    assert "--integers is for numbers" in refused(capsys, "compare", "--integers=0:9", "--categories=a,b")


def test_a_design_is_used_again(capsys, folder):
    out, _ = run(capsys, "design", "--integers=0:9", "--epsilon=1", "-o", "law.json", "--html", "d.html")
    assert "the range of whole numbers" in out
    assert "--integers NAME=0:9" in re.sub("<[^>]+>", "", (folder / "d.html").read_text())
    run(capsys, "explain", "@law.json", "--integers=0:9")
    assert "was designed for --integers 0:9" in refused(capsys, "explain", "@law.json", "--interval=0:9")
    run(
        capsys, "perturb", "people.csv", "--epsilon=1", "--integers=age=0:9", "--mechanism=@law.json",
        "--out-of-domain=clip", *TO,
    )  # fmt: skip
    assert "either --interval, --integers, --circle or --space" in refused(
        capsys, "design", "--integers=0:9", "--space=s.csv", "--epsilon=1"
    )


def test_an_audit_compares_the_two_ends(capsys):
    assert farthest(OGPM(Integers(-4, 9), 1.0)) == (-4.0, 9.0)
    target = read_target(TargetOptions("ogpm", integers="-4:9"), InputOptions(), Claim.parse("1"))
    assert (target.subject.left, target.subject.right) == (-4.0, 9.0)
    said = refused(capsys, "audit", "math:sqrt", "--integers=0:9", "--claim=1")
    assert "--interval, --integers, --circle and --categories are for our mechanisms" in said


def test_learning_takes_whole_numbers_and_keeps_them_in_the_model(capsys, folder):
    options = ["--label=sick", "--epsilon=4", "--seed=1", "-o", "model.json"]
    out, _ = run(capsys, "learn", "people.csv", *AGES, *options)
    assert "age from 0 to 99" in out
    assert "integers" in (folder / "model.json").read_text()
    said = refused(capsys, "learn", "people.csv", "--integers=bmi=0:20", *options[:3], "-o", "other.json")
    assert "bmi in data row 1 is not a whole number" in said
