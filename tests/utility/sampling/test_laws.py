"""Laws of families on shared cells, compared with each channel's own."""

from itertools import pairwise

import numpy as np
import pytest

from noisewright.utility.core.curve import make_curve
from noisewright.utility.sampling.families import SortedCells, are_aligned, axis_laws, find_families
from noisewright.utility.sampling.grid import axis_edges, cell_edges, subdivide

CURVE = make_curve(["OGPM", "Laplace", "TruncatedLaplace"], [0.5, 3.0], lattice=64)
FAMILY = find_families(CURVE.flat())[0]
UNITS = np.array([0.2, 0.9])


def test_families_share_lattices_and_only_those():
    names = ["OGPM", "Gaussian", "PM", "BinnedKRR", "Exponential", "TSW"]
    channels = make_curve(names, [1.0, 4.0], points=100).flat()
    families = find_families(channels)
    assert sorted(len(family) for family in families) == [1, 1, 1, 1, 4, 4]
    assert sorted(int(m) for family in families for m in family.members) == list(range(12))
    for family in families:
        for member, offset in zip(family.members, family.offsets, strict=True):
            own = channels[member].lattice
            assert np.allclose(
                own.centres([0, own.cells - 1]), family.lattice.centres([offset, offset + own.cells - 1])
            )


def test_a_lattice_that_drifts_is_not_the_same():
    own = CURVE.flat()[0].lattice
    assert are_aligned(own, own)
    assert not are_aligned(own, type(own)(own.start, own.pitch * (1 + 1e-3), own.cells))
    assert not are_aligned(own, type(own)(own.start + own.pitch / 2, own.pitch, own.cells))


def masses_of(place, axis):
    """A channel's masses on all cells of the family, from its own law."""
    channel = CURVE.flat()[FAMILY.members[place]]
    masses = np.zeros(FAMILY.lattice.cells)
    own = channel.law(float(UNITS[axis])).mass(np.arange(channel.lattice.cells))
    masses[FAMILY.offsets[place] : FAMILY.offsets[place] + own.size] = own
    return masses


def test_masses_and_extremes_agree_with_each_channel():
    laws = axis_laws(CURVE.flat(), FAMILY, UNITS)
    cells = np.random.default_rng(3).integers(0, FAMILY.lattice.cells, (500, 2))
    edges = np.array([0, 0, 1, 2, 9, 30, 31, 64, 100, FAMILY.lattice.cells])
    points = SortedCells.of(cells)
    for place in range(len(FAMILY)):
        one, two = masses_of(place, 0), masses_of(place, 1)
        assert np.allclose(
            points.masses(laws, place), one[cells[:, 0]] * two[cells[:, 1]], rtol=1e-9, atol=1e-18
        )
        assert np.allclose(laws[0].below(edges)[place], np.append(0, np.cumsum(one))[edges])
        spans = [one[a:b] for a, b in pairwise(edges)]
        assert np.allclose(laws[0].highest(edges)[place], [span.max(initial=0) for span in spans])
        assert np.allclose(laws[0].lowest(edges)[place][1:], [span.min() for span in spans[1:]])


def test_edges_cover_all_reports_and_single_out_heavy_cells():
    channels = make_curve(["OGPM", "TruncatedLaplace"], [0.5, 8.0]).flat()
    laws = [channel.law(0.3) for channel in channels]
    edges = axis_edges(laws, 32)
    cells = cell_edges(channels[0].lattice, edges)
    assert (cells[0], cells[-1]) == (0, channels[0].lattice.cells)
    assert {1, channels[0].lattice.cells - 1} <= set(cells.tolist())
    assert (np.diff(cells) > 0).all()
    shares = np.diff(np.mean([law.below(cells) for law in laws], axis=0))
    assert np.median(shares) == pytest.approx(1 / 32, rel=0.3)


def test_subdividing_keeps_the_edges():
    edges = np.array([-1.0, 0.0, 0.5])
    assert subdivide(edges, 4).tolist() == [-1, -0.75, -0.5, -0.25, 0, 0.125, 0.25, 0.375, 0.5]
