"""Whole files from Python: what is asked, what is refused, and what the result says."""

from __future__ import annotations

import numpy as np
import pytest
from typer.main import get_command

from noisewright.cli.routes import routes
from noisewright.cli.verb import OptionWords
from noisewright.errors import InvalidParameter
from noisewright.randomness import SeededSource
from noisewright.trajectory import (
    CellReports,
    LonLatBox,
    PerturbRequest,
    Rectangle,
    Routes,
    count_all,
    estimate_routes,
    perturb_file,
    read_evidence,
)
from noisewright.trajectory.counts import CountRequest, read_countable
from noisewright.trajectory.files import write_routes

SQUARE = Rectangle(0, 0, 1, 1)


@pytest.fixture
def trips(tmp_path):
    points = np.random.default_rng(1).random((40, 3, 2))
    return write_routes(tmp_path / "trips.csv", Routes.of(list(points)), coordinates="plane")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"per": "person"}, "--per must be location or route"),
        ({"reports": "auto"}, "--reports auto shares out the budget of a route; give --per route with it"),
        ({"reports": "few"}, "--reports wants auto or a whole number"),
        ({"step": 1.0}, "--step is for --per route"),
        ({"purpose": "fun"}, "--for must be one of"),
        ({"method": "optimal"}, "name them by --points"),
        ({"grid": (2, 2)}, "give --for counts with it"),
        ({"grid": (2, 2), "purpose": "counts", "round_to": (2, 2)}, "--round-to is for reports"),
        ({"names": "drop"}, "--names must be keep or number"),
    ],
)
def test_refusals_name_fields_and_the_command_line_its_options(asked, said):
    with pytest.raises(InvalidParameter) as refusal:
        PerturbRequest(4.0, **asked)
    assert "--" not in str(refusal.value)
    assert said in as_options("perturb", refusal)


def as_options(verb, refusal):
    """A refusal as a verb of the command line words it."""
    options = {each.name: each.opts[0] for each in get_command(routes).commands[verb].params}
    return OptionWords(options, {}).spell(str(refusal.value), refusal.value.field)


def test_counts_have_fields_of_their_own():
    box = (0.0, 0.0, 1.0, 1.0)
    with pytest.raises(InvalidParameter) as refusal:
        CountRequest(named=(("a", box),), zones=(2, 2))
    assert as_options("count", refusal) == "give --zone or --origin-destination, not both"


def test_from_true_routes_to_counts(trips, tmp_path):
    made = perturb_file(trips, tmp_path / "private.csv", SQUARE, epsilon=8.0, source=SeededSource(1))
    assert made.counts == "40 routes of 120 points"
    assert str(made).startswith("Private routes in private.csv")
    assert "NOT PRIVATE" in str(made)
    _, evidence = read_evidence(tmp_path / "private.csv")
    assert "costs no privacy" in " ".join(str(estimate_routes(evidence, grid=16)).split())
    counts = count_all(read_countable(tmp_path / "private.csv"), grid=(2, 2), name="private.csv")
    assert "Shares of 120 locations in 2 × 2 cells" in str(counts)
    assert counts.report().data["density"]["total"] == 120


def test_the_space_may_depend_on_the_kind_of_coordinates(trips, tmp_path):
    def space(coordinates):
        return LonLatBox(0, 0, 1, 1) if coordinates == "lonlat" else SQUARE

    request = PerturbRequest(8.0, "route", purpose="counts", grid=(2, 2))
    made = perturb_file(trips, tmp_path / "cells.parquet", space, request)
    assert isinstance(made.collection, CellReports)
    assert made.collection.mechanism.space == SQUARE
    assert made.collection.lengths.tolist() == [1] * 40
    assert "One point of each route is reported" in made.reasons[1]
