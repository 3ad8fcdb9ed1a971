"""One turn of a secret: charge the account, plan the noise, draw, and note what became known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from noisewright.domains import Cells, Floats
from noisewright.errors import BadLedger
from noisewright.randomness import Source
from noisewright.release.composition.account import Account
from noisewright.release.composition.request import Request
from noisewright.release.composition.state import State
from noisewright.release.noise import NoisePlan

Drawn = tuple[Request, NoisePlan, Cells]


def afford(state: State, requests: Sequence[Request]) -> tuple[Account, Floats]:
    """The account after these releases, and the weights to plan them with; or a refusal."""
    return state.account.charge(*(request.entry for request in requests)), state.posterior.guarded()


def draw(
    state: State, requests: Sequence[Request], outputs: Sequence[Floats], noise: str, source: Source
) -> tuple[State, list[Drawn]]:
    """The cells of releases that were fixed together, and the state once they are known.

    All are planned with what was known before any of them, so that none leans on another.
    """
    account, weights = afford(state, requests)
    posterior, drawn = state.posterior, list[Drawn]()
    for request, vectors in zip(requests, outputs, strict=True):
        plan = request.plan(vectors, noise, weights)
        cells = plan.draw(state.world, source.stream())
        posterior = posterior.after(plan, cells)
        drawn.append((request, plan, cells))
    return replace(state, account=account, posterior=posterior), drawn


def refuse_another(found: State, expected: State) -> None:
    """Refuse a file that was put in the place of the one that was opened: its worlds are not these."""
    if found.key != expected.key:
        raise BadLedger("the file of this secret was replaced; nothing was spent, open it again")
