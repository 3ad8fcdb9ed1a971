"""One suite that every registered mechanism passes."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest

from catalogue import DELTA, EPSILONS, KINDS, NAMES, WHOLE_KINDS, WHOLE_NAMES, build, extras
from noisewright import Circle, Integers, Interval
from noisewright.errors import InvalidParameter, NoisewrightError, OutOfDomain
from noisewright.guarantees import ApproximateLDP, ProbabilisticLDP, PureLDP
from noisewright.mechanisms import Mechanism
from noisewright.mechanisms.basics.exact import exp_lower, within
from noisewright.randomness import SecureSource, SeededSource

every = pytest.mark.parametrize(("kind", "domain"), KINDS + WHOLE_KINDS, ids=NAMES + WHOLE_NAMES)
# what a mechanism makes of its budget depends on the number of cells only, so whole numbers add nothing
every_lattice = pytest.mark.parametrize(("kind", "domain"), KINDS, ids=NAMES)
budgets = pytest.mark.parametrize("epsilon", EPSILONS)


def rows(mechanism: Mechanism) -> list[list[int]]:
    return [mechanism.word_counts(cell)[0] for cell in range(mechanism.domain.lattice)]


def columns(mechanism: Mechanism) -> list[tuple[int, ...]]:
    """Outcomes of each report that is possible at all, one number an input."""
    return [column for column in zip(*rows(mechanism), strict=True) if max(column) > 0]


def test_the_suite_knows_the_mechanisms_that_users_rely_on():
    names = {kind.__name__ for kind, _ in KINDS}
    assert {"OGPM", "CircularOGPM", "UnbiasedOGPM", "PM", "SW", "PMC", "SWC", "TPM", "TSW"} <= names
    assert {"Laplace", "TruncatedLaplace", "BoundedLaplace", "Staircase", "Gaussian"} <= names
    assert {"ExtendedGaussian", "Exponential", "BinnedKRR", "Purkayastha", "Duchi", "Hybrid"} <= names


@every_lattice
@budgets
def test_law_of_every_input_sums_to_one_and_has_the_same_support(kind, domain, epsilon):
    mechanism = build(kind, domain, epsilon, cells=8)
    counts = rows(mechanism)
    total = mechanism.word_counts(0)[1]
    assert all(sum(row) == total for row in counts)
    assert len({len(row) for row in counts}) == 1
    for column in zip(*counts, strict=True):
        assert min(column) >= 1 or max(column) == 0, (
            "a report that only some inputs can give proves the input"
        )


@every_lattice
@budgets
def test_guarantee_holds_exhaustively_in_rational_arithmetic(kind, domain, epsilon):
    check_exhaustively(build(kind, domain, epsilon, cells=8))


def check_exhaustively(mechanism):
    epsilon = mechanism.epsilon
    counts, total = rows(mechanism), mechanism.word_counts(0)[1]
    bound = exp_lower(epsilon)
    match mechanism.guarantee:
        case PureLDP():
            for column in columns(mechanism):
                assert within(max(column), min(column), epsilon)
        case ApproximateLDP(delta=delta):
            for here, there in pairs(counts):
                excess = sum(
                    max(0, a * bound.denominator - b * bound.numerator)
                    for a, b in zip(here, there, strict=True)
                )
                assert Fraction(excess, bound.denominator * total) <= Fraction(delta)
        case ProbabilisticLDP(delta=delta):
            for here, there in pairs(counts):
                failing = sum(a for a, b in zip(here, there, strict=True) if not within(a, b, epsilon))
                assert Fraction(failing, total) <= Fraction(delta)
        case other:
            pytest.fail(f"the suite does not know how to check {other}")


def pairs(counts):
    """All ordered pairs of inputs."""
    return itertools.permutations(counts, 2)


@every
@pytest.mark.parametrize("cells", [2, 3, 5, 16, 31])
def test_guarantee_holds_on_odd_lattices_too(kind, domain, cells):
    check_exhaustively(build(kind, domain, 1.0, cells=cells))


@every_lattice
@budgets
def test_structural_proof_on_the_real_lattice(kind, domain, epsilon):
    mechanism = build(kind, domain, epsilon)
    assert 0 < mechanism.epsilon_upper <= epsilon
    if hasattr(mechanism, "delta_upper"):
        assert 0 < mechanism.delta_upper <= DELTA


@every_lattice
@budgets
def test_structural_proof_is_never_below_the_exhaustive_one(kind, domain, epsilon):
    mechanism = build(kind, domain, epsilon, cells=8)
    if isinstance(mechanism.guarantee, PureLDP):
        exhaustive = max(Fraction(max(column), min(column)) for column in columns(mechanism))
        assert mechanism.epsilon_upper >= math.log(exhaustive) * (1 - 1e-12)


@every
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_law_is_the_law_of_the_sampler(kind, domain, epsilon):
    mechanism = build(kind, domain, epsilon, cells=8)
    centres = mechanism.reports.centres(np.arange(mechanism.reports.lattice))
    half = mechanism.reports.pitch / 2
    whole = domain is Integers
    truth = mechanism.domain.values if whole else mechanism.domain.centres(np.arange(8))
    for cell, value in zip(mechanism.domain.snap(truth).tolist(), truth.tolist(), strict=True):
        counts, total = mechanism.word_counts(cell)
        law = mechanism.law(value)
        shares = np.array([float(Fraction(count, total)) for count in counts])
        few = np.unique(np.linspace(0, centres.size - 1, 40).astype(int))
        masses = [law.mass(centres[i] - half / 2, centres[i] + half / 2) for i in few]
        np.testing.assert_allclose(masses, shares[few], atol=2e-10)
        np.testing.assert_allclose([law.cdf(centres[i]) for i in few], np.cumsum(shares)[few], atol=2e-10)
        errors = mechanism.domain.distance(centres, value)
        for power in (1.0, 2.0, 0.5, 2.7):
            assert law.expected(power) == pytest.approx((shares * errors**power).sum(), rel=1e-7)
        check_moments(mechanism, law, centres, shares)


def check_moments(mechanism, law, centres, shares):
    if isinstance(mechanism.reports, Circle):
        turn = (shares * np.exp(2j * np.pi * centres / mechanism.reports.period)).sum()
        assert law.resultant() == pytest.approx(abs(turn), rel=1e-7, abs=1e-9)
        if abs(turn) > 1e-6:
            mean = law.mean()
            assert mechanism.reports.distance(mean, np.angle(turn) / (2 * np.pi) * 24) == pytest.approx(
                0, abs=1e-5
            )
            spread = (shares * mechanism.reports.distance(centres, mean) ** 2).sum()
            assert law.variance() == pytest.approx(spread, rel=1e-6)
    else:
        mean = (shares * centres).sum()
        assert law.mean() == pytest.approx(mean, rel=1e-7, abs=1e-7)
        assert law.variance() == pytest.approx((shares * (centres - mean) ** 2).sum(), rel=1e-7)


@every
def test_worst_and_average_error_match_brute_force(kind, domain):
    mechanism = build(kind, domain, 2.0, cells=64)
    place = np.linspace(0, 1, 64 * 50, endpoint=False)
    values = mechanism.domain.start + place * mechanism.domain.length
    if domain is Integers:
        values = mechanism.domain.values
    for loss in ("absolute", "squared", 1.5):
        errors = mechanism.law(values).expected(loss)
        # between two grid points of a cell the error of an ℓp loss moves by less than this
        assert errors.max() <= mechanism.worst_error(loss) * (1 + 1e-9) <= errors.max() * 1.05
        assert mechanism.average_error(loss) == pytest.approx(errors.mean(), rel=2e-3)


@every
def test_arrays_of_values_give_the_same_laws_as_single_values(kind, domain):
    mechanism = build(kind, domain, 1.0, cells=256)
    values = mechanism.domain.start + mechanism.domain.length * np.array([[0.0, 0.21], [0.5, 0.99]])
    values = mechanism.domain.clip(values) if domain is Integers else values
    law = mechanism.law(values)
    for answer in (law.expected("absolute"), law.mean(), law.variance(), law.cdf(1.0), law.mass(0.2, 1.3)):
        assert answer.shape == values.shape
    single = mechanism.law(float(values[1, 1]))
    assert single.expected(1.3) == pytest.approx(law.expected(1.3)[1, 1], rel=1e-12)
    assert isinstance(single.mean(), float)


@every
def test_reports_are_lattice_points_of_the_report_domain(kind, domain):
    mechanism = build(kind, domain, 1.0)
    values = np.resize(mechanism.domain.places(1000), 1000)
    reports = mechanism.perturb(values, SecureSource())
    assert reports.shape == values.shape
    assert np.isfinite(reports).all()
    cells = mechanism.reports.snap(reports)
    np.testing.assert_array_equal(mechanism.reports.centres(cells), reports)


@every
def test_same_seed_same_reports_and_other_seed_other_reports(kind, domain):
    mechanism = build(kind, domain, 1.0)
    values = np.full(200, 1.0)
    first = mechanism.perturb(values, SeededSource(3))
    np.testing.assert_array_equal(first, mechanism.perturb(values, SeededSource(3)))
    assert (first != mechanism.perturb(values, SeededSource(4))).any()
    source = SeededSource(3)
    assert (mechanism.perturb(values, source) != mechanism.perturb(values, source)).any()


@every
def test_cells_and_values_draw_the_same_reports(kind, domain):
    mechanism = build(kind, domain, 1.0)
    values = np.resize(mechanism.domain.places(500), 500)
    cells = mechanism.perturb_cells(mechanism.domain.snap(values), SeededSource(5))
    np.testing.assert_array_equal(
        mechanism.reports.centres(cells), mechanism.perturb(values, SeededSource(5))
    )


@every
def test_repr_pickle_and_description_rebuild_the_mechanism(kind, domain):
    mechanism = build(kind, domain, 1.0)
    names = {**Mechanism.registry, "Interval": Interval, "Circle": Circle, "Integers": Integers}
    if not repr(mechanism).startswith("<"):  # a designed table is too long to be printed whole
        assert eval(repr(mechanism), names) == mechanism
    again = pickle.loads(pickle.dumps(mechanism))
    assert again == mechanism
    assert hash(again) == hash(mechanism)
    assert again.epsilon_upper == mechanism.epsilon_upper
    text = json.dumps(mechanism.to_dict(), allow_nan=False)
    assert Mechanism.from_dict(json.loads(text)) == mechanism


@every_lattice
@pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf, -math.inf, "1", None, True, 10**400, 33])
def test_senseless_epsilon_is_refused(kind, domain, epsilon):
    with pytest.raises(InvalidParameter, match="epsilon"):
        build(kind, domain, epsilon)


@every_lattice
@pytest.mark.parametrize(
    "bad", [math.nan, math.inf, -math.inf, -1.5, 24.5, [0.5, math.nan], "high", None, [], [[]], [True]]
)
def test_bad_values_are_refused_and_nothing_is_returned(kind, domain, bad):
    mechanism = build(kind, domain, 1.0)
    with pytest.raises(OutOfDomain):
        mechanism.perturb(bad)
    with pytest.raises(OutOfDomain):
        mechanism.law(bad)


@every
def test_a_refusal_names_the_place_but_never_the_value(kind, domain):
    mechanism = build(kind, domain, 1.0)
    values = np.full(30, 1.0)
    values[17] = 231.4375
    with pytest.raises(OutOfDomain, match=r"heart_rate\[17\]") as refusal:
        mechanism.perturb(values, name="heart_rate")
    assert "231" not in str(refusal.value)
    assert "out_of_domain" in str(refusal.value)


@every
def test_clipping_is_only_done_when_asked_for(kind, domain):
    mechanism = build(kind, domain, 1.0)
    with pytest.raises(OutOfDomain):
        mechanism.perturb([30.0, 1.0])
    assert mechanism.perturb([30.0, -7.0], out_of_domain="clip").shape == (2,)
    assert mechanism.law(30.0, out_of_domain="clip").expected() > 0
    with pytest.raises(OutOfDomain, match="missing"):
        mechanism.perturb([30.0, math.nan], out_of_domain="clip")
    with pytest.raises(InvalidParameter, match="out_of_domain"):
        mechanism.perturb([1.0], out_of_domain="drop")


@every
def test_a_domain_of_the_wrong_kind_is_refused(kind, domain):
    other = Interval(0, 1) if domain is Circle else Circle(24)
    if type(other) not in kind.domains:
        with pytest.raises(InvalidParameter, match="domain"):
            kind(other, 1.0, **extras(kind))


@every
def test_a_scalar_gives_a_scalar(kind, domain):
    assert isinstance(build(kind, domain, 1.0).perturb(1.0), float)


@pytest.mark.parametrize(("kind", "domain"), WHOLE_KINDS, ids=WHOLE_NAMES)
def test_on_whole_numbers_nothing_else_is_admitted_and_reports_are_real(kind, domain):
    mechanism = build(kind, domain, 1.0)
    assert type(mechanism.reports) is Interval
    values = np.resize(mechanism.domain.values, 40)
    for bad in (math.nan, math.inf, -2, 4, 2.5, [1, 0.5], "high", None, [], [True]):
        with pytest.raises(OutOfDomain):
            mechanism.perturb(bad)
    values[23] = 1.28125
    for refused in (mechanism.perturb, mechanism.law):
        with pytest.raises(OutOfDomain, match=r"value\[23\] is not a whole number; round it") as refusal:
            refused(values)
        assert "28125" not in str(refusal.value)
    rounded = mechanism.perturb(values, SeededSource(2), out_of_domain="clip")
    np.testing.assert_array_equal(rounded, mechanism.perturb(np.rint(values), SeededSource(2)))
    np.testing.assert_array_equal(
        mechanism.law([1.3, 9.0], out_of_domain="clip").expected(), mechanism.law([1, 3]).expected()
    )


@pytest.mark.parametrize(("kind", "domain"), WHOLE_KINDS, ids=WHOLE_NAMES)
def test_the_channel_of_whole_numbers_is_that_of_the_stretch_around_them(kind, domain):
    mechanism = build(kind, domain, 1.0, cells=16)
    stretch = kind(mechanism.domain.as_interval(), **rest(mechanism))
    assert [mechanism.word_counts(c) for c in range(16)] == [stretch.word_counts(c) for c in range(16)]
    values, reports = mechanism.domain.values, mechanism.reports
    np.testing.assert_array_equal(mechanism.law(values).mean(), stretch.law(values).mean())
    assert reports == stretch.reports


def rest(mechanism):
    """The fields of a mechanism but its domain."""
    names = [field.name for field in dataclasses.fields(mechanism)]
    return {name: getattr(mechanism, name) for name in names if name != "domain"}


def test_broken_descriptions_are_refused():
    good = build(*KINDS[0], 1.0).to_dict()
    for broken in (
        {}, {**good, "mechanism": "NoSuch"}, {**good, "epsilon": "1"}, {**good, "surprise": 1},
        {**good, "domain": {"kind": "torus"}}, {**good, "domain": {"kind": "interval", "low": 0}},
    ):  # fmt: skip
        with pytest.raises(NoisewrightError):
            Mechanism.from_dict(broken)


@every_lattice
@pytest.mark.parametrize("cells", [1, (1 << 22) + 1, 1 << 40])
def test_a_lattice_that_is_too_coarse_or_too_fine_is_refused(kind, domain, cells):
    with pytest.raises(InvalidParameter, match="lattice"):
        build(kind, domain, 1.0, cells=cells)


@every_lattice
def test_the_finest_lattice_works(kind, domain):
    mechanism = build(kind, domain, 1.0)
    fine = type(mechanism.domain)(*([-1, 3] if domain is Interval else [24]), cells=1 << 22)
    finest = kind(fine, 1.0, **extras(kind, fine))
    assert finest.worst_error() == pytest.approx(mechanism.worst_error(), rel=1e-3)
    reports = finest.perturb(np.full(50_000, 2.9999), SeededSource(1))
    law = finest.law(2.9999)
    assert np.mean(reports <= 1.0) == pytest.approx(law.cdf(1.0), abs=0.02)


def test_no_sampler_of_the_package_is_left_out():
    import pkgutil

    import noisewright.mechanisms as room

    for module in pkgutil.iter_modules(room.__path__):
        if module.name not in ("kernels", "drawing"):
            __import__(f"noisewright.mechanisms.{module.name}")
    concrete = {
        kind for kind in all_subclasses(Mechanism)
        if not kind.__abstractmethods__ and kind.__module__.startswith("noisewright.")
    }  # fmt: skip
    unregistered = {kind.__name__ for kind in concrete} - set(Mechanism.registry)
    assert unregistered <= {"Truncated", "WindowMechanism"}, "a mechanism without a title escapes the suite"


def all_subclasses(kind):
    return {kind, *(found for child in kind.__subclasses__() for found in all_subclasses(child))}


def built_or_refused(kind, domain, epsilon, cells=None):
    """The mechanism, or nothing if it refuses in a sentence; any other error is a failure."""
    try:
        return build(kind, domain, epsilon, cells=cells)
    except InvalidParameter:
        return None


@every_lattice
@pytest.mark.parametrize("epsilon", [5e-324, 1e-300, 1e-9])
def test_a_vanishing_budget_is_kept_or_refused_in_a_sentence(kind, domain, epsilon):
    mechanism = built_or_refused(kind, domain, epsilon)
    assert mechanism is None or mechanism.epsilon_upper <= epsilon


@every_lattice
@pytest.mark.parametrize("epsilon", [16.0, 24.0, 32.0])
@pytest.mark.parametrize("cells", [2, 3, 8])
def test_a_large_budget_on_a_coarse_lattice_is_kept_or_refused_in_a_sentence(kind, domain, epsilon, cells):
    mechanism = built_or_refused(kind, domain, epsilon, cells)
    if mechanism is not None and isinstance(mechanism.guarantee, PureLDP):
        assert all(within(max(column), min(column), epsilon) for column in columns(mechanism))
