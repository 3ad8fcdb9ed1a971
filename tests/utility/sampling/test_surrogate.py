"""The map of a record: boxes that fill the space once, and sums that agree with its values."""

import numpy as np

from noisewright.utility.core.curve import make_curve
from noisewright.utility.sampling.families import axis_laws, find_families
from noisewright.utility.sampling.grid import axis_edges, cell_edges
from noisewright.utility.sampling.surrogate import draw_map

CURVE = make_curve(["OGPM", "SWC"], [1.0, 4.0], lattice=256)
FAMILY = find_families(CURVE.flat())[0]
UNIT = np.array([0.4, 0.7])


def in_disk(points):
    return ((points - 0.5) ** 2).sum(axis=1) < 0.1


def make_map(queries, ask=in_disk):
    edges = [axis_edges([channel.law(float(u)) for channel in CURVE.flat()], 12) for u in UNIT]
    return draw_map(ask, edges, queries, np.random.default_rng(5))


def test_boxes_fill_the_space_once():
    chart = make_map(2000)
    counted = np.zeros(chart.fine_fails.shape, dtype=int)
    for first, last, fails, unsure in zip(chart.first, chart.last, chart.fails, chart.unsure, strict=True):
        inside = tuple(slice(a, b) for a, b in zip(first, last, strict=True))
        counted[inside] += 1
        assert (chart.fine_fails[inside] == fails).all()
        assert (chart.fine_unsure[inside] == unsure).all()
    assert (counted == 1).all()


def test_queries_are_kept_and_refine_the_border_only():
    asked = []

    def ask(points):
        asked.append(len(points))
        return in_disk(points)

    chart = make_map(2000, ask)
    assert sum(asked) <= 2000
    assert chart.pieces > 2
    centres = [(edges[1:] + edges[:-1]) / 2 for edges in chart.edges]
    points = np.stack([axis.reshape(-1) for axis in np.meshgrid(*centres, indexing="ij")], axis=1)
    wrong = (in_disk(points) != chart.fine_fails.reshape(-1)) & ~chart.fine_unsure.reshape(-1)
    assert wrong.mean() < 0.002
    assert 0 < chart.fine_unsure.mean() < 0.2


def test_an_answer_that_never_changes_costs_one_query_a_box():
    chart = make_map(10**6, lambda points: np.zeros(len(points), dtype=bool))
    assert chart.pieces == 1
    assert not chart.unsure.any()


def test_expectations_are_sums_over_cells():
    chart = make_map(2000)
    laws = axis_laws(CURVE.flat(), FAMILY, UNIT)
    edges = [cell_edges(FAMILY.lattice, at) for at in chart.edges]
    cells = np.stack(np.unravel_index(np.arange(256 * 256), (256, 256)), axis=1)
    value = chart.at(cells, edges)[0].reshape(256, 256)
    found = chart.expectation([law.below(at) for law, at in zip(laws, edges, strict=True)])
    for channel, expected in zip(CURVE.flat(), found, strict=True):
        one, two = (channel.law(float(u)).mass(np.arange(256)) for u in UNIT)
        assert np.isclose(one @ value @ two, expected, atol=1e-12)
