"""Maps of routes: true to scale, whole across the antimeridian, with an honest bar."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.report.plots import new_figure
from noisewright.report.svg import inline_svg
from noisewright.trajectory import (
    Disk,
    LocalMap,
    LonLatBox,
    Parallelogram,
    Polygon,
    Rectangle,
    Routes,
    Sphere,
    TraCSC,
)
from noisewright.trajectory.aggregates import DensityMap
from noisewright.trajectory.aggregates.regions import Grid, chart_of
from noisewright.trajectory.plots import (
    CELLS,
    MOST_POINTS,
    Layer,
    RouteMap,
    draw_cells,
    longest_routes,
    map_edges,
    round_length,
    route_panels,
    shade_cells,
    share_of_cells,
)
from noisewright.trajectory.report import space_words
from noisewright.trajectory.spaces import distance_words

TOKYO = LonLatBox(139.47, 35.51, 139.90, 35.86)
FIJI = LonLatBox(170, -20, -170, 0)
SPACES = [
    TOKYO,
    FIJI,
    LocalMap(122, 24, 146, 46),
    Sphere(),
    Rectangle(0, 0, 3, 1),
    Disk(1, 2, 3),
    Parallelogram((0, 0), (2, 1), (0, 2)),
    Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]),
]


def prepared(space):
    axes = new_figure(5, 5).subplots()
    RouteMap(space).prepare(axes)
    return axes


@pytest.mark.parametrize("space", SPACES, ids=lambda space: f"{space.kind}-{space.bounds[0]:g}")
def test_every_point_of_a_space_is_on_its_map(space):
    axes = prepared(space)
    x, y = RouteMap(space).place(space.spread(500)).T
    assert axes.get_xlim()[0] <= x.min() < x.max() <= axes.get_xlim()[1]
    assert axes.get_ylim()[0] <= y.min() < y.max() <= axes.get_ylim()[1]
    border = axes.lines[0].get_xydata()
    left, bottom, right, top = space.bounds
    assert border.min(axis=0) == pytest.approx([left, bottom], abs=0.01 * (right - left))
    assert border.max(axis=0) == pytest.approx([right, top], abs=0.01 * (right - left))


@pytest.mark.parametrize(("space", "tolerance"), [(TOKYO, 0.01), (FIJI, 0.02)])
def test_the_bar_is_as_long_as_it_says(space, tolerance):
    """The map is true to scale at its middle latitude, where the bar is measured."""
    axes = prepared(space)
    (start, _), (end, _) = axes.lines[1].get_xydata()
    middle = (space.bounds[1] + space.bounds[3]) / 2
    metres = float(
        space.distance([(start - 360 * (start > 180), middle)], [(end - 360 * (end > 180), middle)])[0]
    )
    said = axes.texts[0].get_text()
    assert said.endswith(" km")
    assert metres == pytest.approx(1000 * float(said.removesuffix(" km").replace(",", "")), rel=tolerance)


def test_a_degree_of_latitude_is_drawn_longer_than_one_of_longitude():
    assert RouteMap(TOKYO).stretch == pytest.approx(1 / np.cos(np.radians(35.685)))
    assert RouteMap(Rectangle(0, 0, 3, 1)).stretch == 1.0


def test_a_route_across_the_antimeridian_is_one_line():
    placed = RouteMap(FIJI).place(np.array([[179.5, -18.0], [-179.5, -18.0]]))
    assert placed[:, 0].tolist() == [179.5, 180.5]
    axes = prepared(Sphere())
    RouteMap(Sphere()).draw(axes, np.array([[179.0, 0.0], [-179.0, 0.0]]), 0, "round the back")
    assert np.isnan(axes.lines[-1].get_xydata()).any()  # the line is broken instead of crossing the map


def test_long_routes_are_cut_and_what_a_line_cannot_show_gets_marks():
    axes, drawn_map = prepared(Rectangle(0, 0, 1, 1)), RouteMap(Rectangle(0, 0, 1, 1))
    still = np.full((10 * MOST_POINTS, 2), 0.5)
    to_and_fro = np.tile([[0.1, 0.1], [0.9, 0.9]], (10, 1))
    for points, line in ((still, True), (still[:1], False), (to_and_fro, False), (to_and_fro[:3], True)):
        drawn_map.draw(axes, points, 0, "a route")
        found = axes.lines[-1]
        assert len(found.get_xydata()) == min(len(points), MOST_POINTS)
        assert (found.get_linestyle() != "None") == line
        assert (found.get_marker() == "None") == line


@pytest.mark.parametrize(("most", "length"), [(9400, 5000), (5000, 5000), (1999, 1000), (0.3, 0.2), (1, 1)])
def test_bars_have_round_lengths(most, length):
    assert round_length(most) == pytest.approx(length)


def test_the_longest_routes_are_shown_in_their_order():
    routes = Routes.of([np.zeros((length, 2)) for length in (3, 9, 1, 8, 7)])
    assert longest_routes(routes) == [1, 3, 4]


def test_panels_have_every_layer_and_one_legend():
    routes = Routes.of([np.full((length, 2), 0.5) for length in (3, 2)])
    layers = [Layer("reports", routes, 1, scattered=True), Layer("true", routes, 0)]
    drawn = route_panels(Rectangle(0, 0, 1, 1), layers)
    assert len(drawn.axes) == 2
    (legend,) = drawn.legends
    assert [text.get_text() for text in legend.get_texts()] == ["reports", "true"]
    assert "route 2" in inline_svg(drawn, "panels", "two maps")


def test_shares_of_cells_are_of_all_points():
    generator = np.random.default_rng(1)
    points = np.array([139.47, 35.51]) + generator.random((1000, 2)) * [0.43, 0.35]
    shares = share_of_cells(RouteMap(TOKYO), points)
    assert shares.shape == (CELLS, CELLS)
    assert shares.sum() == pytest.approx(1)
    corner = (points < np.array([139.47 + 0.43 / CELLS, 35.51 + 0.35 / CELLS])).all(axis=1).mean()
    assert shares[0, 0] == pytest.approx(corner)


def test_shaded_cells_cover_exactly_the_cells_that_have_points():
    space = Rectangle(0, 0, 4, 3)
    shares = np.array([[0.2, 0, 0.1], [0.2, 0, 0], [0, 0, 0.1], [0.4, 0, 0]])
    axes = new_figure(4, 3).subplots()
    shade_cells(axes, shares, map_edges(space, (4, 3)), 0.4)
    area = 0.0
    for collection in axes.collections:
        for path in collection.get_paths():
            width, height = np.ptp(path.vertices, axis=0)
            area += width * height
    assert area == pytest.approx(np.count_nonzero(shares))
    # two neighbours of one shade are one bar: five cells with points make four
    assert sum(len(collection.get_paths()) for collection in axes.collections) == 4


def test_words():
    assert distance_words(999.0, "metres") == "999 m"
    assert distance_words(55_012.0, "metres") == "55 km"
    for space in SPACES:
        assert "across" in space_words(space)


@pytest.mark.parametrize(
    ("space", "cells", "place", "edges"),
    [
        (Rectangle(0, 0, 4, 2), (4, 2), (2.5, 0.5), [(2, 3)]),
        (LonLatBox(170, -20, -170, 0), (4, 2), (-178.0, -15.0), [(180, 185)]),
        (LonLatBox(-180, -60, 180, 60), (3, 2), (-170.0, -30.0), [(-240, -120), (120, 240)]),
    ],
)
def test_the_darkest_cell_is_where_everybody_is(space, cells, place, edges):
    grid = Grid(chart_of(TraCSC(space, 8.0, split="even")), cells)
    likely = grid.counts(np.array([place])).astype(np.float64)
    found = DensityMap(grid, likely, likely, likely, likely, total=1, level=0.95, simultaneous=False)
    axes = new_figure(4, 4).subplots()
    draw_cells(axes, found, found.likely, space)
    dark = [bar for bar in axes.collections if bar.get_alpha() == 1]
    spans = sorted(
        (float(p.vertices[:, 0].min()), float(p.vertices[:, 0].max()))
        for bar in dark
        for p in bar.get_paths()
    )
    assert spans == [pytest.approx(edge) for edge in edges]
    heights = {
        (float(p.vertices[:, 1].min()), float(p.vertices[:, 1].max()))
        for bar in dark
        for p in bar.get_paths()
    }
    ((low, high),) = heights
    assert low <= place[1] <= high
