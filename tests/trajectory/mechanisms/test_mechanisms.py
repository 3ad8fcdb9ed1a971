"""What every mechanism for locations keeps to, in every space."""

from __future__ import annotations

import json
import pickle
import tracemalloc

import numpy as np
import pytest

from noisewright.domains import Interval
from noisewright.errors import BudgetSpent, InvalidParameter, NoisewrightError, OutOfDomain
from noisewright.mechanisms import OGPM, Gaussian
from noisewright.randomness import SecureSource, SeededSource
from noisewright.trajectory import (
    Disk,
    LocalMap,
    LocationMechanism,
    LonLatBox,
    LonLatPolygon,
    OptimalPoints,
    Parallelogram,
    Polygon,
    Rectangle,
    Routes,
    Sphere,
    Stepper,
    TraCSC,
    TraCSD,
    with_best_reference,
)

SPACES = {
    "rectangle": Rectangle(-1, 2, 1, 12),
    "disk": Disk(3, 4, 2),
    "parallelogram": Parallelogram((0, 0), (2, 0.5), (0.5, 1)),
    "polygon": Polygon(((0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (0, 3))),
    "city": LonLatBox(139.47, 35.51, 139.90, 35.86),
    "antimeridian": LonLatBox(170, -20, -170, 0),
    "pole": LonLatBox(-180, 70, 180, 90),
    "country": LocalMap(6, 46, 15, 55),
    "district": LonLatPolygon(((139.6, 35.5), (139.9, 35.5), (139.8, 35.8))),
    "globe": Sphere(),
}


def build(name, space, epsilon=2.0):
    match name:
        case "C":
            return TraCSC(space, epsilon, split="even")
        case "D":
            return TraCSD(space, epsilon, split="heuristic")
        case "D from the centre":
            return TraCSD(space, epsilon, split=0.6, reference="centre")
        case "D from a point":
            point = space.spread(3)[0]
            return TraCSD(space, epsilon, split=0.6, reference=(float(point[0]), float(point[1])))
    return OptimalPoints(space, epsilon, points=tuple(map(tuple, space.spread(6).tolist())))


every_space = pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
every_method = pytest.mark.parametrize("name", ["C", "D", "D from the centre", "D from a point", "points"])


@every_space
@every_method
def test_reports_are_locations_of_the_space_one_for_each(name, space):
    mechanism = build(name, space)
    truth = np.concatenate([space.spread(300), np.repeat(space.centre[None], 30, axis=0)])
    routes = Routes.of([truth[:1], truth[1:100], truth[100:]])
    reports = mechanism.perturb_routes(routes, SeededSource(3))
    assert space.contains(reports.points).all()
    assert reports.names == routes.names
    assert len(np.unique(reports.points, axis=0)) > 3, "the reports are not all alike"
    assert not np.shares_memory(reports.points, routes.points)


@every_space
@every_method
def test_a_mechanism_describes_itself(name, space):
    mechanism = build(name, space)
    described = json.loads(json.dumps(mechanism.to_dict()))
    assert LocationMechanism.from_dict(described) == mechanism
    assert pickle.loads(pickle.dumps(mechanism)) == mechanism
    names = {key: value for key, value in globals().items() if isinstance(value, type)}
    assert eval(repr(mechanism), names) == mechanism


@every_space
@every_method
def test_locations_outside_are_refused_without_being_told(name, space):
    mechanism = build(name, space)
    inside = space.spread(4)
    for bad, says in ((np.nan, "missing"), (1e6, "outside"), (np.inf, "missing")):
        broken = inside.copy()
        broken[2, 1] = bad
        with pytest.raises(OutOfDomain, match=rf"location\[2\].*{says}") as refusal:
            mechanism.perturb(broken, SeededSource(1))
        assert not any(str(number) in str(refusal.value) for number in inside[2].tolist())
    with pytest.raises(OutOfDomain, match="two columns"):
        mechanism.perturb(inside[:, 0])
    with pytest.raises(OutOfDomain, match="empty"):
        mechanism.perturb(np.empty((0, 2)))


def test_a_location_outside_is_named_by_its_route():
    routes = Routes.of([[(0.5, 0.5)], [(0.5, 0.5), (7, 0.5)]])
    with pytest.raises(OutOfDomain, match="route 2, point 2 lies outside"):
        TraCSC(Rectangle(0, 0, 1, 1), 1.0).perturb_routes(routes)


def test_swapped_columns_are_pointed_out():
    with pytest.raises(OutOfDomain, match="look swapped: longitude comes first and latitude second"):
        TraCSC(SPACES["city"], 1.0).perturb([(35.7, 139.6), (35.6, 139.7)])


@every_method
def test_the_same_seed_gives_the_same_reports_and_no_seed_gives_others(name):
    space, mechanism = SPACES["rectangle"], build(name, SPACES["rectangle"])
    truth = space.spread(200)
    first, again = (mechanism.perturb(truth, SeededSource(9)) for _ in range(2))
    assert (first == again).all()
    assert (mechanism.perturb(truth, SecureSource()) != first).any()
    with pytest.raises(InvalidParameter, match="source"):
        mechanism.perturb(truth, np.random.default_rng(1))


@every_method
def test_a_stepper_reports_one_location_at_a_time_and_refuses_what_exceeds_the_budget(name):
    space, mechanism = SPACES["rectangle"], build(name, SPACES["rectangle"])
    stepper = Stepper(mechanism, SeededSource(2), at_most=6.0)
    reports = [stepper.report(point) for point in space.spread(3)]
    assert space.contains(np.array(reports)).all()
    assert stepper.spent.epsilon == 6.0
    with pytest.raises(BudgetSpent, match="has spent epsilon = 6 of 6"):
        stepper.report(space.centre)
    with pytest.raises(OutOfDomain, match="outside"):
        Stepper(mechanism).report((1e9, 0))


def test_a_stepper_keeps_nothing_of_the_route():
    """A thousand locations more take no more memory, and its state holds only public numbers."""
    space = SPACES["rectangle"]
    stepper = Stepper(TraCSD(space, 1.0, split="heuristic"), SeededSource(4))
    points = space.spread(2500)
    for point in points[:500]:
        stepper.report(point)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for point in points[500:]:
            report = stepper.report(point)
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 8 * 2000, "a number kept of each location would show"
    assert (stepper._reference == report).all()


def test_references_are_the_reports_before():
    space = SPACES["rectangle"]
    reports = Routes.of([space.spread(3), space.spread(2)])
    following = TraCSD(space, 1.0, split="even").references(reports)
    expected = [space.centre, *reports.points[:2], space.centre, reports.points[3]]
    assert (following == np.array(expected)).all()
    assert (TraCSD(space, 1.0, split="even", reference=(0.0, 3.0)).references(reports) == (0.0, 3.0)).all()


@pytest.mark.parametrize(
    ("build", "says"),
    [
        (lambda: TraCSC("a map", 1.0), "needs a space"),
        (lambda: TraCSC(SPACES["disk"], 0), "epsilon must be a number above 0"),
        (lambda: TraCSC(SPACES["disk"], 1.0, split="third"), "split must be"),
        (lambda: TraCSC(SPACES["disk"], 1.0, split=1.0), "split must be"),
        (lambda: TraCSC(SPACES["disk"], 1.0, "even", "Gaussian"), "channel must be one of OGPM"),
        (lambda: TraCSD(SPACES["disk"], 1.0, "even", "Duchi"), "channel must be one of OGPM"),
        (lambda: TraCSD(SPACES["disk"], 1.0, "even", reference="home"), "reference must be"),
        (
            lambda: TraCSD(SPACES["disk"], 1.0, "even", reference=(9.0, 9.0)),
            "reference must be a point of the space",
        ),
        (lambda: TraCSC(Rectangle(0, 0, 1, 1), 1.0, channel=(OGPM(Interval(0, 1), 0.5),)), "two channels"),
        (
            lambda: TraCSC(Rectangle(0, 0, 1, 1), 1.0, channel=(OGPM(Interval(0, 1), 0.6),) * 2),
            "spend more than",
        ),
        (
            lambda: TraCSC(Rectangle(0, 0, 1, 2), 1.0, channel=(OGPM(Interval(0, 1), 0.5),) * 2),
            "cannot be one for",
        ),
        (
            lambda: TraCSC(Rectangle(0, 0, 1, 1), 1.0, channel=(Gaussian(Interval(0, 1), 0.5, 1e-5),) * 2),
            "must keep pure",
        ),
        (lambda: OptimalPoints(SPACES["disk"], 1.0, points=((3, 4),)), "2 to 256 public points"),
        (lambda: OptimalPoints(SPACES["disk"], 1.0, points=((3, 4), (3, 4))), "appears twice"),
        (lambda: OptimalPoints(SPACES["disk"], 1.0, points=((3, 4), (9, 9))), "outside"),
        (lambda: LocationMechanism.from_dict({"mechanism": "Teleport"}), "unknown mechanism"),
        (
            lambda: LocationMechanism.from_dict(
                {**TraCSC(SPACES["disk"], 1.0, "even").to_dict(), "space": {}}
            ),
            "unknown kind",
        ),
        (lambda: Rectangle(0, 0, 0, 1), "left < right"),
        (lambda: Rectangle(0, 0, np.nan, 1), "finite number"),
    ],
)
def test_what_has_no_meaning_is_refused(build, says):
    with pytest.raises(NoisewrightError, match=says):
        build()


def test_designed_channels_can_be_plugged_in():
    square = Rectangle(0, 0, 1, 1)
    for kind in (TraCSC, TraCSD):
        designed = kind(square, 2.0, "even", "optimal")
        assert designed.expected_error() < kind(square, 2.0, "even").expected_error()
        assert LocationMechanism.from_dict(json.loads(json.dumps(designed.to_dict()))) == designed
    pair = TraCSC(square, 2.0, "even", "optimal").channels
    assert TraCSC(square, 2.0, channel=pair).channels == pair


def test_a_reference_is_found_for_points_in_a_corner():
    """The heuristic reference beats the published one where the public points lie together."""
    square = Rectangle(0, 0, 1, 1)
    points = 0.7 + 0.3 * square.spread(60)
    found = with_best_reference(square, 4.0, points)
    published = TraCSD(square, 4.0)
    assert found.expected_error(points) < 0.9 * published.expected_error(points)


def test_the_best_law_for_few_points_errs_less_than_rounded_reports():
    square = Rectangle(0, 0, 1, 1)
    points = square.spread(12)
    best = OptimalPoints(square, 2.0, points=tuple(map(tuple, points.tolist())))
    truth = np.repeat(points, 500, axis=0)
    from noisewright.trajectory import PointSet

    rounded = PointSet(square, points).round(TraCSC(square, 2.0).perturb(truth, SeededSource(1)))
    drawn = best.perturb(truth, SeededSource(2))
    assert square.distance(drawn, truth).mean() < 0.9 * square.distance(rounded, truth).mean()
    assert square.distance(drawn, truth).mean() == pytest.approx(best.expected_error(points), rel=0.03)
