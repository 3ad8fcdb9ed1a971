"""A drawn result is the result: bars, cells and lines where its numbers say, on axes that name their units."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from noisewright.errors import MissingExtra
from noisewright.randomness import SeededSource
from noisewright.trajectory import Rectangle, Routes, TraCSC, choose_tracs
from noisewright.trajectory.aggregates import DensityMap, ODTable, density_map, origin_destination
from noisewright.trajectory.aggregates.regions import Chart, Grid
from noisewright.trajectory.metrics import evaluate
from noisewright.trajectory.reconstruction import reconstruct
from noisewright.trajectory.reconstruction.density import Density
from noisewright.trajectory.reconstruction.grid import Grid as Places
from noisewright.trajectory.reconstruction.reconstruct import Reconstruction
from noisewright.trajectory.routes.maps import MOST_ROUTES
from noisewright.trajectory.spaces import LocalMap, LonLatBox, Parallelogram, Polygon, Space, Sphere

FIELD = Rectangle(0, 0, 4, 2)
FIJI = LonLatBox(170, -20, -170, 0)
LATE = [(175.0, -10.0), (-175.0, -10.0), (178.0, -5.0)]


def density_of(space: Space, cells=(4, 2)) -> DensityMap:
    shares = np.arange(cells[0] * cells[1], dtype=np.float64).reshape(cells)
    shares /= shares.sum()
    return DensityMap(Grid(Chart(space, flat=False), cells), shares, shares, shares, shares, 9, 0.95, False)


def trips_of(zones: int) -> ODTable:
    table = np.arange(zones**2, dtype=np.float64).reshape(zones, zones)
    grid = Grid(Chart(FIELD, flat=False), (zones, 1))
    return ODTable(grid.names, grid.outlines().reshape(-1, 4, 2), table, table, table, 99, 0, 0.95, False)


def reconstruction_of(space: Space, routes: Routes, side: int = 4) -> Reconstruction:
    places = Places(space, side)
    shares = (places.open / places.open.sum()).reshape(side, side)
    density = Density(shares, places.centres.reshape(side, side, 2), None)
    return Reconstruction(routes, density, np.zeros(len(routes.points)), space.units)


def evaluation():
    true, private = Routes.of([[(0, 0), (1, 0)]]), Routes.of([[(0, 0), (1, 0.5)]])
    return evaluate(FIELD, true, private, radius=0.25)


RESULTS = {
    "choice": lambda: choose_tracs(FIELD, 4.0, "c"),
    "evaluation": evaluation,
    "density": lambda: density_of(FIELD),
    "trips": lambda: trips_of(3),
    "reconstruction": lambda: reconstruction_of(FIELD, Routes.of([[(0, 0), (1, 1)]])),
}


def cells(axes) -> PolyCollection:
    (drawn,) = [part for part in axes.collections if isinstance(part, PolyCollection)]
    return drawn


def corners(axes) -> np.ndarray:
    """The four corners of every drawn cell."""
    return np.stack([path.vertices[:4] for path in cells(axes).get_paths()])


def area(outlines: np.ndarray) -> float:
    """The areas of all cells together, by the shoelace formula."""
    x, y = np.moveaxis(outlines, -1, 0)
    return float(np.abs((x * np.roll(y, -1, 1) - y * np.roll(x, -1, 1)).sum(axis=1)).sum() / 2)


def bar_label(axes) -> str:
    (bar,) = [other for other in axes.figure.axes if other is not axes]
    return bar.get_ylabel()


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_drawn_on_given_axes_which_come_back(name):
    axes = Figure().add_subplot()
    assert RESULTS[name]().plot(axes) is axes
    assert axes.has_data()
    axes.figure.canvas.draw()


@pytest.mark.parametrize("name", RESULTS)
def test_without_matplotlib_the_refusal_names_the_extra(name, monkeypatch):
    result = RESULTS[name]()
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"pip install .*\[plots\]"):
        result.plot()


def test_drawing_opens_no_window_and_routes_need_no_matplotlib():
    code = (
        "import sys; from noisewright.trajectory import Rectangle, choose_tracs\n"
        "import noisewright.trajectory.aggregates, noisewright.trajectory.metrics\n"
        "import noisewright.trajectory.reconstruction\n"
        "choice = choose_tracs(Rectangle(0, 0, 1, 1), 4.0, 'c')\n"
        "assert 'matplotlib' not in sys.modules\n"
        "choice.plot(); assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=600)


# -- bars, curves and tables -----------------------------------------------------------------------


def test_a_choice_is_a_bar_for_each_method_and_the_chosen_one_stands_out():
    choice = choose_tracs(FIELD, 4.0, purpose="single")
    axes = choice.plot()
    assert [bar.get_width() for bar in axes.patches] == list(choice.errors.values())
    names = [text.get_text() for text in axes.get_yticklabels()]
    assert names == list(choice.errors)
    dark = [name for name, bar in zip(names, axes.patches, strict=True) if bar.get_alpha() == 1]
    assert dark == [choice.method]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first on top
    assert axes.get_xlabel() == "expected error of a location, units"


def test_errors_on_earth_are_in_metres_with_words_beside_the_bars():
    choice = choose_tracs(LonLatBox(139.47, 35.51, 139.90, 35.86), 4.0, "c")
    axes = choice.plot()
    assert axes.get_xlabel().endswith(", metres")
    assert [text.get_text() for text in axes.texts] == [f"{choice.errors['TraCS-C'] / 1000:.3g} km"]


def test_an_evaluation_is_the_curve_of_its_quantiles_and_its_radius():
    found = evaluation()
    axes = found.plot()
    curve, radius = axes.lines
    assert dict(zip(curve.get_ydata(), curve.get_xdata(), strict=True)) == found.quantiles
    assert list(radius.get_xdata()) == [0.25, 0.25]
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["all points", "radius 0.25: 50% of a route, on average"]
    assert axes.get_xlabel() == "distance from the true location, units"
    assert axes.get_ylim() == (0, 1)


def test_a_table_of_trips_has_origins_downwards_and_destinations_across():
    table = trips_of(3)
    axes = table.plot()
    (image,) = axes.images
    np.testing.assert_array_equal(image.get_array(), table.estimate)
    assert axes.get_xlabel().startswith("destination")
    assert axes.get_ylabel().startswith("origin")
    assert axes.get_ylim() == (2.5, -0.5)  # zone 0 on top
    assert (axes.get_xticks() == np.arange(3)).all()
    assert bar_label(axes) == "estimated number of routes"


def test_numbers_of_many_zones_do_not_crowd_the_axes():
    axes = trips_of(40).plot()
    assert len(axes.get_xticks()) < 20


def test_a_table_without_trips_is_white():
    table = trips_of(1)
    assert table.estimate.tolist() == [[0]]
    (image,) = table.plot().images
    assert image.get_clim() == (0, 1)


# -- maps ------------------------------------------------------------------------------------------


def test_a_density_map_has_a_cell_for_every_share():
    density = density_of(FIELD)
    axes = density.plot()
    np.testing.assert_array_equal(cells(axes).get_array(), density.likely.reshape(-1))
    np.testing.assert_allclose(corners(axes), density.outlines.reshape(-1, 4, 2))
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 4), (0, 2))
    assert axes.get_aspect() == 1
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x, units", "y, units")
    assert bar_label(axes) == "share of locations in a cell"


def test_a_map_in_degrees_is_true_to_scale():
    axes = density_of(LonLatBox(10, 50, 20, 70)).plot()
    assert axes.get_aspect() == pytest.approx(2)  # a degree of longitude has half its length at 60° north
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("longitude, degrees", "latitude, degrees")


@pytest.mark.parametrize(
    ("space", "columns", "frame"),
    [
        (FIJI, 4, (170, 190)),
        (FIJI, 3, (170, 190)),  # one column lies across ±180
        (Sphere(), 4, (-180, 180)),
        (Sphere(), 3, (-120, 240)),
        (Sphere(), 1, (0, 360)),
    ],
)
def test_cells_across_the_antimeridian_are_in_one_piece(space, columns, frame):
    axes = density_of(space, (columns, 2)).plot()
    assert axes.get_xlim() == pytest.approx(frame)
    widths = np.ptp(corners(axes)[..., 0], axis=1)
    np.testing.assert_allclose(widths, (frame[1] - frame[0]) / columns)


@pytest.mark.parametrize("space", [FIELD, FIJI, Sphere(), Parallelogram((0, 0), (1, 0.2), (0.4, 1))])
def test_the_cells_behind_a_reconstruction_are_those_of_a_density_map(space):
    found = reconstruction_of(space, Routes.of([[space.centre]]))
    behind, alone = corners(found.plot()), corners(density_of(space, (4, 4)).plot())
    np.testing.assert_allclose(behind, alone, atol=1e-6)


def test_cells_where_nobody_can_be_are_not_drawn():
    corner = Polygon([(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)])
    axes = reconstruction_of(corner, Routes.of([[(0.5, 0.5)]]), side=7).plot()
    drawn = 2 * 7 + 5 * 2  # two columns of full height, and two rows beside them
    assert len(cells(axes).get_array()) == drawn
    assert area(corners(axes)) == pytest.approx(drawn * (4 / 7) ** 2)


def test_routes_run_over_the_density_under_numbers_and_not_names():
    routes = Routes.of([[(0, 0), (1, 1), (3, 1)], [(2, 2)]], names=["Ada", "Bo"])
    axes = reconstruction_of(FIELD, routes).plot()
    for line, points in zip(axes.lines, routes, strict=True):
        np.testing.assert_array_equal(line.get_xydata(), points)
    assert [line.get_label() for line in axes.lines] == ["route 1", "route 2"]
    assert axes.get_title() == ""


def test_of_many_routes_the_longest_are_drawn():
    routes = Routes.of([[(1.0, 1.0)] * length for length in (1, *range(2, MOST_ROUTES + 2), 1)])
    axes = reconstruction_of(FIELD, routes).plot()
    assert [line.get_label() for line in axes.lines] == [f"route {row + 2}" for row in range(MOST_ROUTES)]
    assert axes.get_title() == f"the {MOST_ROUTES} longest of {MOST_ROUTES + 2} routes"


def test_a_route_across_the_antimeridian_runs_on():
    axes = reconstruction_of(FIJI, Routes.of([LATE])).plot()
    assert axes.lines[0].get_xdata().tolist() == [175, 185, 178]
    assert axes.get_xlim() == pytest.approx((170, 190))


def test_a_route_round_the_back_of_the_earth_is_no_line_across_the_map():
    axes = reconstruction_of(Sphere(), Routes.of([LATE])).plot()
    drawn = axes.lines[0].get_xdata()
    np.testing.assert_array_equal(drawn, [175, np.nan, -175, np.nan, 178])


def test_an_even_spread_is_half_as_dark_as_can_be():
    drawn = cells(reconstruction_of(FIELD, Routes.of([[(1, 1)]])).plot())
    assert np.asarray(drawn.norm(drawn.get_array())) == pytest.approx(0.5)


def test_cells_around_a_pole_can_be_seen():
    arctic = LocalMap(-180, 75, 180, 90)
    axes = reconstruction_of(arctic, Routes.of([[(0.0, 80.0)]]), side=8).plot()
    assert (np.ptp(corners(axes), axis=1) > (10, 0.5)).all()


@pytest.mark.parametrize("allowed", [[(0.5, 0.5)], [(0.5, 0.5), (3.5, 1.5)]])
def test_places_far_apart_are_cells_of_the_usual_size(allowed):
    places = Places(FIELD, 4, np.array(allowed))
    shares = (places.open / places.open.sum()).reshape(4, 4)
    density = Density(shares, places.centres.reshape(4, 4, 2), None)
    axes = Reconstruction(Routes.of([allowed]), density, np.zeros(len(allowed))).plot()
    np.testing.assert_allclose(corners(axes).mean(axis=1), allowed)
    np.testing.assert_allclose(np.ptp(corners(axes), axis=1), [(1, 0.5)] * len(allowed))


def test_results_of_reports_can_be_drawn_as_they_come():
    mechanism = TraCSC(FIELD, 8.0)
    reports = mechanism.perturb_routes(Routes.of([[(1, 1), (3, 1)]] * 40), SeededSource(1))
    found = reconstruct(reports, mechanism, grid=8)
    for result in (
        density_map(reports, mechanism, (3, 2)),
        origin_destination(reports, mechanism, (2, 1)),
        found,
    ):
        result.plot().figure.canvas.draw()
