"""A drawn law is the law: its area is one, its edges are exact, its atoms are stems."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from matplotlib.patches import StepPatch

from catalogue import KINDS, NAMES, build
from noisewright import Circle, Interval
from noisewright.errors import MissingExtra
from noisewright.mechanisms import OGPM, PM, PMC, TSW, CircularOGPM, Duchi, Hybrid, Laplace, TruncatedLaplace
from noisewright.mechanisms.plots import STANDS_OUT, Profile, error_curve, plot_error, view
from noisewright.report.plots import new_axes

INTERVAL = Interval(40, 200)


def stairs(axes) -> list[StepPatch]:
    return [patch for patch in axes.patches if isinstance(patch, StepPatch)]


def stems(axes) -> dict[float, float]:
    """Place and height of every stem."""
    lines = [line for line in axes.lines if line.get_marker() == "o"]
    return {float(line.get_xdata()[0]): float(line.get_ydata()[1]) for line in lines}


def drawn_area(axes) -> float:
    return sum(
        float((step.get_data().values * np.diff(step.get_data().edges)).sum()) for step in stairs(axes)
    )


@pytest.mark.parametrize(("kind", "domain"), KINDS, ids=NAMES)
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_steps_and_atoms_hold_all_the_probability(kind, domain, epsilon):
    mechanism = build(kind, domain, epsilon)
    values = mechanism.domain.places(5)
    law = mechanism.law(values)
    for row in range(values.size):
        profile = Profile.of(law, row)
        area = float((profile.heights * np.diff(profile.edges)).sum())
        assert area + profile.masses.sum() == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(("kind", "domain"), KINDS, ids=NAMES)
def test_heights_are_the_density_of_the_law(kind, domain):
    mechanism = build(kind, domain, 2.0)
    law = mechanism.law(mechanism.domain.start + 0.3 * mechanism.domain.length)
    rounding = 2e-15 / law.reports.pitch  # the law takes a density from a difference of two cdfs
    profile = Profile.of(law)
    chosen = (
        np.unique(np.linspace(0, profile.heights.size - 1, 40).astype(int)) if profile.heights.size else []
    )
    for segment in chosen:
        middle = (profile.edges[segment] + profile.edges[segment + 1]) / 2
        exact = float(law.density(np.array([middle]))[0])
        if abs(profile.places - middle).min(initial=np.inf) < law.reports.pitch:
            assert exact > STANDS_OUT * profile.heights[segment]
        else:
            assert profile.heights[segment] == pytest.approx(exact, rel=1e-6, abs=rounding)


def test_the_edges_of_a_window_are_exact():
    mechanism = OGPM(INTERVAL, 2.0)
    axes = mechanism.law(71.0).plot()
    begin = int(mechanism.window.begin(mechanism.domain.snap(np.array([71.0])))[0])
    low = 40 + begin * mechanism.domain.pitch
    high = low + mechanism.window.width * mechanism.domain.pitch
    (step,) = stairs(axes)
    assert step.get_data().edges.tolist() == pytest.approx([40, low, high, 200], abs=1e-9)
    assert drawn_area(axes) == pytest.approx(1)
    assert step.get_data().values[1] / step.get_data().values[0] == pytest.approx(np.exp(2.0), rel=1e-6)


def test_the_ends_of_a_truncated_law_are_stems_and_not_spikes():
    mechanism = TSW(INTERVAL, 2.0)
    law = mechanism.law(60.0)
    axes = law.plot()
    reports = mechanism.reports
    first, last = reports.centres([0, reports.lattice - 1])
    found = stems(axes)
    assert set(found) == {first, last}
    assert found[first] == pytest.approx(law.mass(first, first), rel=1e-4)
    assert found[last] == pytest.approx(law.mass(last, last), rel=1e-4)
    assert max(step.get_data().values.max() for step in stairs(axes)) < 10 / 160
    assert drawn_area(axes) + sum(found.values()) == pytest.approx(1)
    assert sorted(text.get_text() for text in axes.texts) == sorted(
        f"{100 * m:.3g} %" for m in found.values()
    )


def test_two_reports_are_two_stems_and_no_density():
    law = Duchi(INTERVAL, 1.0).law(100.0)
    axes = law.plot()
    assert stairs(axes) == []
    assert sum(stems(axes).values()) == pytest.approx(1)
    assert axes.get_ylabel() == "probability"
    assert axes.get_ylim() == (0, 1)
    low, high = axes.get_xlim()
    assert low < min(stems(axes)) < max(stems(axes)) < high


def test_atoms_inside_a_density_keep_the_density_below_them():
    mechanism = Hybrid(INTERVAL, 2.0)
    axes = mechanism.law(120.0).plot()
    assert set(stems(axes)) == set(mechanism.reports.centres(mechanism.places).tolist())
    assert drawn_area(axes) == pytest.approx(mechanism.share / 2**24, rel=1e-4)


def test_a_tail_too_small_to_see_gets_no_stem():
    assert stems(Laplace(INTERVAL, 1.0).law(50.0).plot()) == {}
    assert len(stems(TruncatedLaplace(INTERVAL, 1.0).law(50.0).plot())) == 2


def test_a_circle_is_drawn_round_and_a_window_may_wrap():
    law = CircularOGPM(Circle(24), 2.0).law(23.0)
    axes = law.plot()
    assert axes.name == "polar"
    line = axes.lines[0]
    angle, radius = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
    assert np.trapezoid(radius, angle) * 24 / (2 * np.pi) == pytest.approx(1, abs=0.01)
    assert radius[0] == radius[-1] == pytest.approx(float(law.density(np.array([0.5]))[0]))
    assert radius[0] > 5 * radius[radius.size // 2]


def test_a_circle_unrolls_onto_flat_axes():
    axes = CircularOGPM(Circle(24), 2.0).law([23.0, 6.0]).plot(new_axes())
    assert axes.name == "rectilinear"
    assert drawn_area(axes) == pytest.approx(2)
    assert [step.get_data().edges[0] for step in stairs(axes)] == [0, 0]


def test_lines_are_named_by_true_values_or_by_the_caller():
    law = OGPM(INTERVAL, 2.0).law([50.0, 71.5])
    assert law.plot().get_legend_handles_labels()[1] == ["true value 50", "true value 71.5"]
    assert law.plot(label="ours").get_legend_handles_labels()[1] == [
        "ours, true value 50",
        "ours, true value 71.5",
    ]


def test_a_second_law_on_the_same_axes_leaves_the_first_in_view():
    axes = PM(INTERVAL, 2.0).law(71.0).plot()
    wide = axes.get_xlim()
    OGPM(INTERVAL, 2.0).law(71.0).plot(axes)
    assert axes.get_xlim()[0] <= wide[0] < 40
    assert axes.get_xlim()[1] >= wide[1] > 200


def test_the_view_holds_the_domain_and_nearly_all_reports():
    law = Laplace(INTERVAL, 1.0).law([45.0, 195.0])
    low, high = view(law)
    assert low < 40
    assert high > 200
    assert high - low < 0.6 * law.reports.length
    assert (law.mass(low, high) >= 0.998).all()


@pytest.mark.parametrize("mechanism", [OGPM(INTERVAL, 1.0), PMC(Circle(24), 1.0)])
def test_error_curves_are_expected_losses(mechanism):
    axes = plot_error(mechanism, loss="squared")
    truth, errors = axes.lines[0].get_data()
    assert errors.tolist() == pytest.approx(mechanism.law(truth).expected("squared").tolist())
    assert axes.get_ylabel() == "expected |error|^2"
    assert errors.max() <= mechanism.worst_error("squared") * (1 + 1e-9)
    assert mechanism.domain.contains(error_curve(mechanism)[0]).all()


def test_without_matplotlib_a_sentence_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"pip install .*\[plots\]"):
        OGPM(INTERVAL, 1.0).law(71.0).plot()


def test_plotting_leaves_pyplot_and_its_windows_alone():
    code = (
        "import sys; from noisewright import Interval; from noisewright.mechanisms import OGPM\n"
        "assert 'matplotlib' not in sys.modules\n"
        "OGPM(Interval(0, 1), 1.0).law(0.5).plot()\n"
        "assert 'matplotlib' in sys.modules and 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
