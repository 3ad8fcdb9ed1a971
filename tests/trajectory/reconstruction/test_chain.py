"""Forward–backward against its twin: every route on a small grid, one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from noisewright.trajectory.reconstruction.chain import Chain, Reach
from noisewright.trajectory.reconstruction.grid import Grid
from noisewright.trajectory.spaces import Rectangle, Sphere

GRID = Grid(Rectangle(0, 0, 3, 3), 3)


def nearness(reach):
    return np.ones((9, 9)) if reach is None else np.kron(*reach)


def by_enumeration(chain):
    """The posterior of each stay and the evidence, from all routes and their probabilities."""
    stays, cells = chain.likelihoods.shape
    moves = []
    for step, reach in enumerate(chain.reaches):
        prior = chain.priors[step + 1].astype(float)
        near = nearness(reach)
        room = near @ prior
        moves.append((1 - chain.jump) * prior * near / room[:, None] + chain.jump * prior)
    total, found = 0.0, np.zeros((stays, cells))
    for route in product(range(cells), repeat=stays):
        weight = float(chain.priors[0][route[0]])
        for step, move in enumerate(moves):
            weight *= move[route[step], route[step + 1]]
        for stay, cell in enumerate(route):
            weight *= float(chain.likelihoods[stay][cell])
        total += weight
        for stay, cell in enumerate(route):
            found[stay, cell] += weight
    return found / total, np.log(total)


def some_chain(seed, distances, jump):
    random = np.random.default_rng(seed)
    stays = len(distances) + 1
    priors = random.dirichlet(np.ones(9), stays).astype(np.float32)
    likelihoods = random.uniform(0.05, 1, (stays, 9)).astype(np.float32)
    reach = Reach(GRID)
    return Chain(priors, likelihoods, [reach.within(distance) for distance in distances], jump)


@pytest.mark.parametrize("jump", [0.001, 0.3])
@pytest.mark.parametrize("distances", [(), (0.0,), (0.5, 1.0), (1.0, 50.0, 0.25), (0.0, 0.0, 1.5)])
def test_posteriors_and_evidence_are_those_of_all_routes(distances, jump):
    chain = some_chain(len(distances), distances, jump)
    wanted, evidence = by_enumeration(chain)
    assert np.allclose(chain.posteriors(), wanted, atol=2e-6)
    assert chain.evidence() == pytest.approx(evidence, abs=1e-5)


def test_moves_sum_to_one():
    chain = some_chain(5, (0.5, 0.5), 0.1)
    chain = Chain(chain.priors, np.ones_like(chain.likelihoods), chain.reaches, chain.jump)
    assert chain.evidence() == pytest.approx(0, abs=1e-5)


def test_a_limit_that_nobody_kept_does_not_empty_the_posterior():
    likelihoods = np.full((2, 9), 1e-9, dtype=np.float32)
    likelihoods[0, 0] = likelihoods[1, 8] = 1  # from one corner to the other
    even = np.full((2, 9), 1 / 9, dtype=np.float32)
    found = Chain(even, likelihoods, [Reach(GRID).within(0.0)], 0.001).posteriors()
    assert found[0, 0] > 0.99
    assert found[1, 8] > 0.99


def test_reach_allows_every_legal_move_and_wraps_round_the_earth():
    near = nearness(Reach(GRID).within(1.0))
    assert near[4].tolist() == [1.0] * 9  # one cell in every direction
    assert near[0, 2] == 0
    assert Reach(GRID).within(100.0) is None
    longitudes, _ = Reach(Grid(Sphere(), 16)).within(1e5)
    assert longitudes[0, 15] == longitudes[0, 1] > 0
