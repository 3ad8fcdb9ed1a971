"""Which coins a run draws: those of its configuration, or the best ones that a plan finds for its caps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from noisewright.mechanisms.joint import JointRandomizedResponse
from noisewright.protocol.run.config import RunConfig


@dataclass(frozen=True)
class Choice:
    """A mechanism, and why it was chosen if nobody asked for just this one."""

    mechanism: JointRandomizedResponse
    reason: str = ""


Choose = Callable[[int], Choice]
"""The choice for a number of users, which is known only when the workers have counted theirs."""


def chooser(config: RunConfig) -> Choose:
    """How the mechanism follows from the configuration.

    >>> from noisewright.domains import Categories
    >>> asked = RunConfig(Categories(["no", "yes"]), epsilon=1.0, count=200, share=0.5, expected_share=0.5)
    >>> chooser(asked)(200).reason[:19]
    'Do not share coins:'
    """
    if config.correlation is not None:
        return lambda users: Choice(_given(config, users))
    return lambda users: _planned(config, users)


def _given(config: RunConfig, users: int) -> JointRandomizedResponse:
    return JointRandomizedResponse(
        config.categories,
        config.epsilon,
        users=users,
        colluders=config.colluders,
        correlation=config.correlation or 0.0,
        colluding_cap=config.cap_colluding,
    )


def _planned(config: RunConfig, users: int) -> Choice:
    from noisewright.design.joint_plan import joint_plan  # noqa: PLC0415  (only a plan needs it)

    plan = joint_plan(
        users,
        config.epsilon,
        config.colluders,
        share=config.expected_share,
        shares=config.share_range,
        most_loss=config.most_loss,
        cap_colluding=config.cap_colluding,
        domain=config.categories,
    )
    return Choice(plan.mechanism, " ".join([plan.reason, *plan.caution]))
