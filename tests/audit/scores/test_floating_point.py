"""Unsafe Laplace noise is told apart by how its doubles are written, safe noise is not."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright import Interval
from noisewright.audit import audit
from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.encoding import fit_encoder
from noisewright.audit.scores import choose_score
from noisewright.mechanisms import Laplace
from noisewright.randomness import SeededSource

ROWS = 20_000
RNG = np.random.default_rng(8)


def numpy_laplace(total):
    return RNG.laplace(total, 10.0, ROWS)


def four_uniforms(total):
    # Holohan and Braghin 2021: a Laplace variate from four uniforms, added to the total as a double
    first, second, third, fourth = RNG.random((4, ROWS))
    noise = np.log(1 - first) * np.cos(np.pi * second) + np.log(1 - third) * np.cos(np.pi * fourth)
    return total - 10.0 * noise


def measured(release, wanted="auto"):
    """P and Q of outputs that score as coming from input 0 at odds of e², on fresh rows."""
    learning = [Outputs.of(release(total)) for total in (0.0, 1.0)]
    encoder = fit_encoder(*learning, bits=True)
    chosen = choose_score(*map(encoder.features, learning), encoder, wanted)
    fresh = [chosen.score.values(encoder.features(Outputs.of(release(total)))) for total in (0.0, 1.0)]
    return chosen, *(float((scores > 2).mean()) for scores in fresh)


def test_numpy_laplace_is_caught_by_its_doubles():
    # the true rates are about 0.06 and at most 1e-4: 800 and 20 of 20,000 are 10 standard deviations away
    for release in (numpy_laplace, four_uniforms):
        chosen, left, right = measured(release)
        assert chosen.score.title == "counting of kinds of numbers"
        assert left > 0.04
        assert right < 0.001


def test_the_grain_alone_catches_it_and_says_how():
    chosen, left, right = measured(numpy_laplace, "grain")
    assert chosen.score.event(2.0, above=True) == "the output is not a whole multiple of 2^-53"
    assert left > 0.015
    assert right == 0  # 1 plus a double near −1 is always a multiple of 2^-53


SHAPES = {
    "named": lambda number, kept: {"mean": number},
    "beside nothing": lambda number, kept: [number, None],
    "or nothing": lambda number, kept: number if kept else None,
    "with a missing part": lambda number, kept: ("a", number if kept else None),
}


def audited(shape, release):
    """An audit of a release that is not numbers alone, of noise that is said to be ε = 0.1."""

    def shaped(total, count, generator):
        kept = generator.random(count) < 0.5
        return list(map(SHAPES[shape], release(total, count, generator).tolist(), kept.tolist()))

    return audit(shaped, 0.0, 1.0, claim=0.1, bits=True, samples=60_000, seed=1, vectorized=True, jobs=1)


@pytest.mark.parametrize("shape", SHAPES)
def test_numpy_laplace_is_caught_among_other_things(shape):
    # the true rates are as above, or half of them; five hundred of 21,000 against fifty show ε > 1.9
    found = audited(shape, lambda total, count, generator: generator.laplace(total, 10.0, count))
    assert found.verdict == "false"
    assert found.epsilon_lower() > 1.5


def test_our_laplace_is_not_caught_among_other_things():
    mechanism = Laplace(Interval(0, 1), epsilon=0.1)

    def release(total, count, generator):
        source = SeededSource(int(generator.integers(2**32)))
        return mechanism.perturb(np.full(count, total), source)

    assert audited("named", release).verdict == "not refuted"


def test_our_laplace_is_not_caught():
    mechanism, source = Laplace(Interval(0, 1), epsilon=0.1), SeededSource(9)

    def release(total):
        return mechanism.perturb(np.full(ROWS, total), source)

    chosen, _, _ = measured(release)
    assert set(chosen.losses) == {"value", "bins", "grain", "counting"}
    assert min(chosen.losses.values()) > np.log(2) - 0.005  # ε = 0.1 is worth 0.0012 nats
    _, left, right = measured(release, "counting")
    assert left == right == 0
