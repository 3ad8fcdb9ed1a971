"""The utility of linear models is the sum over all reports that its definition says."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from noisewright.utility.core.records import read_records
from noisewright.utility.linear.model import read_linear
from noisewright.utility.linear.utility import linear_utility
from utility.linear.linear_cases import enumerated, exactly, random_model, small_curve, unit_records


def check(found, truth, gap=1e-10):
    assert (found.low <= truth + 1e-14).all()
    assert (found.high >= truth - 1e-14).all()
    assert (found.high - found.low).max() <= gap
    assert ((found.low <= found.estimate) & (found.estimate <= found.high)).all()


@pytest.mark.parametrize("features", [1, 2])
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_every_report_is_counted(features, classes):
    generator = np.random.default_rng(10 * features + classes)
    curve = small_curve()
    for _ in range(3):
        model = random_model(generator, classes, 3)
        rows = generator.uniform(size=(4, 3))
        rows[0], rows[1] = 0.0, 1.0  # the ends of the intervals
        records, references = unit_records(rows, features), generator.integers(0, classes, 4)
        found = linear_utility(model, records, references, curve)
        truth = enumerated(model.answers, records, references, curve)
        check(found, truth)
        assert found.exact
        assert found.method == ("exact (linear)",) * 4


def test_three_features_on_tables_are_counted_one_by_one():
    generator = np.random.default_rng(3)
    curve = small_curve(mechanisms=("Exponential", "BinnedKRR", "OGPM"), lattice=12)
    model = random_model(generator, 2, 4)
    records, references = unit_records(generator.uniform(size=(5, 4)), 3), np.array([0, 1, 0, 1, 1])
    found = linear_utility(model, records, references, curve)
    check(found, enumerated(model.answers, records, references, curve))


@pytest.mark.parametrize("classes", [2, 3])
def test_a_fitted_pipeline_in_the_units_of_its_columns(classes):
    generator = np.random.default_rng(4)
    rows = generator.uniform(size=(300, 3)) * (80, 40, 1) + (10, 15, 0)
    score = rows @ (0.05, 0.1, 2.0)
    labels = np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(rows, labels)
    records = read_records(rows[:5], {0: (0, 100), 1: (10, 60)}, None)
    references = model.predict(rows[:5])
    curve = small_curve()
    found = linear_utility(read_linear(model), records, references, curve)
    check(found, enumerated(model.predict, records, references, curve))


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_the_scale_of_a_score_means_nothing(scale):
    generator = np.random.default_rng(5)
    model = random_model(generator, 2, 2)
    records, references = unit_records(generator.uniform(size=(3, 2)), 2), np.array([0, 1, 1])
    curve = small_curve()
    plain = linear_utility(model, records, references, curve)
    scaled = linear_utility(
        exactly(scale * model.weights, scale * model.intercept), records, references, curve
    )
    np.testing.assert_allclose(scaled.low, plain.low, atol=1e-11)


def test_features_without_weight_do_not_matter():
    records, references = unit_records([[0.2, 0.7, 0.4], [0.9, 0.1, 0.6]], 3), np.array([0, 1])
    curve = small_curve()
    found = linear_utility(exactly([0.0, 2.0, 0.0], -0.9), records, references, curve)
    alone = linear_utility(exactly([2.0], -0.9), unit_records([[0.7], [0.1]], 1), references, curve)
    np.testing.assert_allclose(found.estimate, alone.estimate, atol=1e-11)


@pytest.mark.parametrize("tilt", [1e-3, 1e-7, 1e-11, 1e-13, 1e-30, 1e-200])
def test_lines_that_are_almost_upright_or_level(tilt):
    """A weight that is nearly nothing moves the utility by nearly nothing, in either feature."""
    records, references = unit_records([[0.2, 0.7]], 2), np.array([1])
    curve = small_curve(mechanisms=("OGPM", "TruncatedLaplace"))
    for weights in ([1.0, tilt], [tilt, 1.0], [-1.0, tilt], [tilt, -1.0]):
        model = exactly(weights, -0.4031 if max(weights) == 1.0 else 0.4031)
        truth = enumerated(model.answers, records, references, curve)
        check(linear_utility(model, records, references, curve), truth)


def test_a_model_that_cannot_change_its_mind():
    records = unit_records([[0.2, 0.7], [0.9, 0.1]], 2)
    found = linear_utility(exactly([0.0, 0.0], 1.0), records, np.array([1, 0]), small_curve())
    assert (found.low[0] == 1).all()
    assert (found.high[1] == 0).all()


def test_a_reference_that_the_model_does_not_know_is_never_given():
    records = unit_records([[0.2, 0.7], [0.9, 0.1]], 2)
    found = linear_utility(exactly([1.0, 1.0], -1.0), records, np.array([-1, 1]), small_curve())
    assert (found.high[0] == 0).all()
    assert (found.low[1] > 0).all()


def test_cells_on_the_boundary_are_left_open():
    """u₁ = u₂ is a score of 0: floating-point sums decide it, so the bounds differ by just those cells."""
    curve = small_curve(lattice=32, mechanisms=("OGPM", "SWC"))
    records, references = unit_records([[0.3, 0.6]], 2), np.array([1])
    found = linear_utility(exactly([-1.0, 1.0], 0.0), records, references, curve)
    for place, channel in enumerate(curve.flat()):
        mechanism = channel.mechanism
        laws = [mechanism.word_counts(int(channel.inputs([unit])[0])) for unit in (0.3, 0.6)]
        first, second = ([Fraction(count, total) for count in counts] for counts, total in laws)
        above = sum(first[i] * second[j] for i in range(32) for j in range(i + 1, 32))
        equal = sum(first[i] * second[i] for i in range(32))
        low, high = found.low.reshape(-1)[place], found.high.reshape(-1)[place]
        assert (low, high) == pytest.approx((float(above), float(above + equal)), abs=1e-10)
        assert low <= above
        assert high >= above + equal


def test_bounds_hold_for_the_integers_of_the_sampler():
    """Whole-number weights and a boundary between cells: the truth is a fraction, and the bounds enclose it."""
    curve = small_curve(lattice=24, mechanisms=("OGPM", "SWC"))
    records, references = unit_records([[0.3, 0.6], [0.8, 0.55]], 2), np.array([0, 1])
    found = linear_utility(exactly([48.0, 72.0], -61.0), records, references, curve)
    for record, units in enumerate(records.units()):
        for place, channel in enumerate(curve.flat()):
            laws = [channel.mechanism.word_counts(int(channel.inputs([unit])[0])) for unit in units]
            first, second = ([Fraction(count, total) for count in counts] for counts, total in laws)
            # 48·(2i + 1)/48 + 72·(2j + 1)/48 − 61, doubled
            over = {(i, j) for i in range(24) for j in range(24) if 2 * (2 * i + 1) + 3 * (2 * j + 1) > 122}
            truth = sum(first[i] * second[j] for i, j in over)
            truth = truth if references[record] == 1 else 1 - truth
            low, high = found.low.reshape(2, -1)[record, place], found.high.reshape(2, -1)[record, place]
            assert low <= truth <= high
            assert high - low < 1e-10


@pytest.mark.parametrize("classes", [3, 4])
def test_three_features_and_many_classes_are_cut_into_slices(classes):
    """Exact on coarse lattices, where every cell is a slice."""
    generator = np.random.default_rng(classes)
    model, curve = random_model(generator, classes, 3), small_curve(lattice=12)
    records, references = unit_records(generator.uniform(size=(3, 3)), 3), generator.integers(0, classes, 3)
    found = linear_utility(model, records, references, curve)
    check(found, enumerated(model.answers, records, references, curve))


def test_thick_slices_hold_the_truth_and_close_in_on_it(monkeypatch):
    """Against one slice a cell, on a lattice that is just coarse enough for it."""
    import noisewright.utility.linear.utility as room
    from noisewright.utility.linear import slices

    generator = np.random.default_rng(8)
    model, curve = (
        random_model(generator, 3, 3),
        small_curve(lattice=400, mechanisms=("OGPM", "TruncatedLaplace")),
    )
    rows = generator.uniform(size=(4, 3))
    rows[0], rows[1] = 0.0, 1.0
    records, references = unit_records(rows, 3), generator.integers(0, 3, 4)
    exact = linear_utility(model, records, references, curve)
    assert (exact.high - exact.low).max() < 1e-9
    monkeypatch.setattr(room, "MOST_CELLS", 16)
    gaps = []
    for count in (16, 64):
        monkeypatch.setattr(slices, "SLICES", count)
        found = linear_utility(model, records, references, curve)
        assert (found.low <= exact.high + 1e-12).all()
        assert (found.high >= exact.low - 1e-12).all()
        gaps.append((found.high - found.low).max())
    assert 0 < gaps[1] < gaps[0] / 2


def test_what_is_too_much_for_slices_has_no_exact_answer(monkeypatch):
    import noisewright.utility.linear.utility as room

    generator = np.random.default_rng(6)
    many = unit_records(generator.uniform(size=(2, 4)), 4)
    assert linear_utility(random_model(generator, 3, 4), many, np.array([0, 1]), small_curve()) is None
    three = unit_records(generator.uniform(size=(2, 3)), 3)
    monkeypatch.setattr(room, "MOST_SLICED", 3)
    assert linear_utility(random_model(generator, 3, 3), three, np.array([0, 1]), small_curve()) is None


def test_progress_is_told_and_batches_change_nothing(monkeypatch):
    import noisewright.utility.linear.utility as room

    generator = np.random.default_rng(7)
    model, curve = random_model(generator, 3, 2), small_curve()
    records, references = unit_records(generator.uniform(size=(40, 2)), 2), generator.integers(0, 3, 40)
    whole = linear_utility(model, records, references, curve)
    monkeypatch.setattr(room, "_AT_ONCE_WITH_MORE", 7)
    told = []
    parts = linear_utility(
        model, records, references, curve, progress=lambda done, total: told.append((done, total))
    )
    np.testing.assert_array_equal(whole.low, parts.low)
    np.testing.assert_array_equal(whole.high, parts.high)
    assert told[-1] == (40, 40)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
