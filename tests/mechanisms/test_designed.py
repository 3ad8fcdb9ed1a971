"""Designed laws as mechanisms: the same promises as the named ones, and no trust in a file."""

from __future__ import annotations

import copy
import json
import math
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2

from noisewright import Categories, Circle, Interval, MetricSpace
from noisewright.design import optimal_law
from noisewright.errors import GuaranteeBroken, InvalidParameter, NoisewrightError, OutOfDomain
from noisewright.guarantees import PureLDP
from noisewright.io.description import LARGEST, Description
from noisewright.mechanisms import DesignedLaw, DesignedTable, Mechanism
from noisewright.mechanisms.basics.exact import within
from noisewright.mechanisms.basics.losses import losses_over
from noisewright.mechanisms.basics.tables import Table
from noisewright.mechanisms.designed import BITS, MOST_ENTRIES, Knots
from noisewright.randomness import SecureSource, SeededSource

CELLS = 64


def laws(epsilon=2.0):
    flat, round_ = Interval(-1, 3, cells=CELLS), Circle(24, cells=CELLS)
    return {
        "interval": optimal_law(flat, epsilon, inputs=16),
        "uneven parts": optimal_law(flat, epsilon, inputs=10),
        "unbiased": optimal_law(flat, epsilon, "squared", unbiased=True, inputs=9),
        "circle": optimal_law(round_, epsilon, "squared", "average", prior=[0.8, 0.1, 0.1], inputs=16),
    }


LAWS = laws()
TABLE = optimal_law(MetricSpace("abcd", [[0, 1, 2, 3], [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]]), 1.0)
numeric = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
every = pytest.mark.parametrize("law", [*LAWS.values(), TABLE], ids=[*LAWS, "table"])


@every
def test_integers_keep_epsilon_for_every_input_cell(law):
    rows = [law.word_counts(cell) for cell in range(law.domain.lattice)]
    assert len({total for _, total in rows}) == 1
    assert all(sum(counts) == total for counts, total in rows)
    for column in zip(*(counts for counts, _ in rows), strict=True):
        assert max(column) == 0 or within(max(column), min(column), law.epsilon)
    assert law.guarantee == PureLDP(law.epsilon)
    assert 0 < law.epsilon_upper <= law.epsilon


@numeric
def test_the_law_is_the_law_of_the_sampler(law):
    centres = law.reports.centres(np.arange(law.reports.lattice))
    for cell in (0, 7, 31, CELLS - 1):
        value = float(law.domain.centres(cell))
        counts, total = law.word_counts(cell)
        shares = np.array([float(Fraction(count, total)) for count in counts])
        answer = law.law(value)
        errors = law.domain.distance(centres, value)
        for power in (0.5, 1.0, 2.0):
            assert answer.expected(power) == pytest.approx((shares * errors**power).sum(), rel=1e-9)
        assert answer.cdf(centres[5]) == pytest.approx(shares[:6].sum(), abs=1e-12)


@numeric
def test_worst_and_average_error_match_brute_force(law):
    values = law.domain.start + (np.arange(CELLS * 200) + 0.5) / (CELLS * 200) * law.domain.length
    for loss in ("absolute", "squared", 1.5, 0.5):
        errors = law.law(values).expected(loss)
        slack = 1e-3 if loss == 0.5 else 1e-9  # between the edges of a cell such a loss bulges
        assert errors.max() <= law.worst_error(loss) * (1 + slack) <= errors.max() * 1.02
        assert law.average_error(loss) == pytest.approx(errors.mean(), rel=2e-3 if law.dithered else 1e-4)


@pytest.mark.parametrize("name", LAWS)
def test_reports_follow_the_law_and_tell_it_from_a_law_of_another_budget(name):
    """χ² of 200,000 reports: false alarm 10⁻⁹; the law for a tenth more ε is rejected at the same level."""
    law, other = LAWS[name], laws(2.2)[name]
    reports = law.perturb(np.full(200_000, 1.03), SeededSource(11))
    seen = np.bincount(law.reports.snap(reports), minlength=law.reports.lattice)
    if law.reports.lattice == other.reports.lattice:
        assert statistic(seen, other) > threshold(seen, other)
    assert statistic(seen, law) < threshold(seen, law)


def expected(seen, law):
    counts, total = law.word_counts(int(law.domain.snap(1.03)))
    return seen.sum() * np.array([float(Fraction(count, total)) for count in counts])


def statistic(seen, law):
    ideal = expected(seen, law)
    if seen[ideal == 0].any():
        return math.inf
    return float(((seen - ideal)[ideal > 0] ** 2 / ideal[ideal > 0]).sum())


def threshold(seen, law):
    return float(chi2.isf(1e-9, np.count_nonzero(expected(seen, law)) - 1))


def test_labels_are_reported_as_often_as_the_table_says():
    reports = TABLE.perturb(["b"] * 100_000, SeededSource(5))
    seen = np.array([(reports == label).sum() for label in "abcd"])
    ideal = TABLE.matrix[1] * 100_000
    kept = ideal > 0
    assert not seen[~kept].any()
    assert ((seen - ideal)[kept] ** 2 / ideal[kept]).sum() < chi2.isf(1e-9, kept.sum() - 1)
    uniform = np.full(kept.sum(), 100_000 / kept.sum())
    assert ((seen[kept] - uniform) ** 2 / uniform).sum() > chi2.isf(1e-9, kept.sum() - 1)


def test_dithering_has_no_bias_but_its_own_rounding():
    knots = Knots(cells=60, count=8)
    for cell in range(60):
        shares = knots.shares(cell)
        assert sum(share for _, share in shares) == 1 << 40
        mean = sum(Fraction(knot * share, 1 << 40) for knot, share in shares)
        assert 0 <= Fraction((2 * cell + 1) * 7, 120) - mean < Fraction(1, 1 << 40)
    finest = Knots(cells=1 << 22, count=255)
    below, up = finest.place(np.array([0, (1 << 22) - 1]))
    assert (below.tolist(), (up >= 0).all(), (up < 1 << 40).all()) == ([0, 253], True, True)


@every
def test_pickles_copies_and_files_rebuild_it(law):
    text = json.dumps(law.to_dict(), allow_nan=False)
    for again in (pickle.loads(pickle.dumps(law)), copy.deepcopy(law), Mechanism.from_dict(json.loads(text))):
        assert again == law
        assert hash(again) == hash(law)
        assert again.epsilon_upper == law.epsilon_upper
    assert len(repr(law)) < 160
    assert repr(law) != repr(replace(law, weights=law.weights[::-1]))


@numeric
def test_bad_values_are_refused(law):
    for bad in (math.nan, 99.0, [], "high"):
        with pytest.raises(OutOfDomain):
            law.perturb(bad)
    assert np.isfinite(law.perturb([0.5, 1.5], SecureSource())).all()


@pytest.mark.slow
def test_a_law_of_full_size_fits_into_the_description_of_a_report_file():
    law = optimal_law(Interval(0, 1), 8.0, objective="lexicographic")
    text = Description({"x": law}).to_json()
    assert len(text) < LARGEST // 2
    assert Description.from_json(text).mechanisms["x"] == law


# -- tampering -------------------------------------------------------------------------------------


def tampered(law, change):
    description = json.loads(json.dumps(law.to_dict()))
    change(description)
    return description


def sharpen(description):
    """One row claims its likeliest output for itself: sums stay, ε does not."""
    row = description["weights"][0]
    place, low = row.index(max(row)), row.index(min(row))
    row[place], row[low] = row[place] + row[low] - 1, 1


def tell_everything(description):
    count = len(description["outputs"])
    for index, row in enumerate(description["weights"]):
        row[:] = [1] * count
        row[index % count] = (1 << BITS) - count + 1


@every
@pytest.mark.parametrize("change", [sharpen, tell_everything])
def test_a_table_that_breaks_its_promise_is_not_loaded(law, change):
    with pytest.raises(GuaranteeBroken, match="epsilon"):
        Mechanism.from_dict(tampered(law, change))


def set_key(**parts):
    return lambda description: description.update(parts)


def in_first_row(value):
    return lambda description: description["weights"][0].__setitem__(0, value)


BROKEN = [
    in_first_row(0), in_first_row(-5), in_first_row(1.5), in_first_row("7"), in_first_row(True),
    in_first_row(None), in_first_row(1 << 70), in_first_row(3),
    lambda d: d["weights"][0].pop(), lambda d: d["weights"].__setitem__(0, 5),
    set_key(weights=[]), set_key(weights="many"), set_key(weights=[[]]), set_key(outputs=[]),
    set_key(outputs="all"), set_key(outputs=[0]), lambda d: d["outputs"].reverse(),
    lambda d: d["outputs"].__setitem__(-1, 10**6), lambda d: d["outputs"].__setitem__(0, -1),
    set_key(certificate=7), set_key(certificate={}), set_key(epsilon=0), set_key(surprise=1),
]  # fmt: skip


@every
@pytest.mark.parametrize("change", BROKEN, ids=range(len(BROKEN)))
def test_a_table_of_the_wrong_shape_is_refused(law, change):
    with pytest.raises(NoisewrightError):
        Mechanism.from_dict(tampered(law, change))


WRONG_REPORTS = [
    None, 5, {"kind": "torus"}, Circle(24).to_dict(), Categories("ab").to_dict(),
    Interval(0, 1, cells=MOST_ENTRIES).to_dict(), Interval(0, 1, cells=1 << 40).to_dict(),
]  # fmt: skip


@pytest.mark.parametrize("reports", WRONG_REPORTS)
def test_reports_must_fit_the_domain(reports):
    with pytest.raises(InvalidParameter):
        Mechanism.from_dict(tampered(LAWS["interval"], set_key(report_lattice=reports)))


def test_a_circle_keeps_its_period_and_is_not_dithered():
    with pytest.raises(InvalidParameter, match="period"):
        replace(LAWS["circle"], report_lattice=Circle(12, cells=16))
    with pytest.raises(InvalidParameter, match="dithered"):
        replace(LAWS["circle"], dithered=True)
    with pytest.raises(InvalidParameter, match="dithered"):
        replace(LAWS["interval"], dithered="yes")


def test_rows_must_match_the_domain():
    with pytest.raises(InvalidParameter, match="no more rows"):
        replace(LAWS["interval"], domain=Interval(-1, 3, cells=8))
    with pytest.raises(InvalidParameter, match="as many rows"):
        replace(TABLE, weights=TABLE.weights[:3])
    even = (1 << (BITS - 1),) * 2
    with pytest.raises(InvalidParameter, match="at most"):
        DesignedLaw(Interval(0, 1), 1.0, Interval(0, 1, cells=1 << 12), (0, 1), (even,) * 64)
    with pytest.raises(InvalidParameter, match="at most"):
        DesignedTable(Categories(range(400)), 1.0, (0, 1), (even,) * 400)


@pytest.mark.parametrize("domain", [Interval(-1, 3), Circle(4.0)])
@pytest.mark.parametrize("power", [0.5, 1.0, 2.0, 3.0])
def test_losses_over_a_stretch_are_integrals(domain, power):
    low, high, places = np.array([0.1, 1.3]), np.array([0.9, 2.8]), np.array([0.0, 0.5, 2.2, 3.0])
    steps = (np.arange(200_000) + 0.5) / 200_000
    values = low[:, None] + (high - low)[:, None] * steps
    brute = (domain.distance(values[:, :, None], places) ** power).mean(axis=1) * (high - low)[:, None]
    np.testing.assert_allclose(losses_over(domain, low, high, places, power), brute, rtol=1e-6)


def wrapping_rows(size: int = 8192) -> list[list[int]]:
    """Two rows whose weights are all near 2^51 and whose sums wrap round 2^64 to 2^52."""
    total, each = (1 << 64) + (1 << 52), ((1 << 64) + (1 << 52)) // size
    rows = []
    for first in ((1 << 63) + (1 << 51), (1 << 63) - (1 << 52)):
        halves = []
        for part in (first, total - first):
            share, rest = divmod(part, size // 2)
            halves += [share + 1] * rest + [share] * (size // 2 - rest)
        rows.append(halves)
    assert all(sum(row) == total for row in rows)
    assert max(map(max, rows)) < 2 * each
    return rows


def test_sums_that_wrap_round_a_word_are_refused():
    """Such a table would prove a tiny epsilon and report from disjoint halves."""
    rows = wrapping_rows()
    with pytest.raises(InvalidParameter, match="sum"):
        DesignedLaw(
            Interval(0, 1), 0.01, Interval(0, 1, cells=8192), tuple(range(8192)), tuple(map(tuple, rows))
        )
    with pytest.raises(GuaranteeBroken, match="sum"):
        Table(np.array(rows, dtype=np.int64), 52)


def test_what_was_proved_cannot_be_changed_before_it_is_drawn():
    half = 1 << 51
    law = DesignedLaw(Interval(0, 1), 1.0, Interval(-0.5, 1.5, cells=2), (0, 1), ((half, half),) * 2)
    for array in (law.table.weights, law.table.thresholds):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
