"""Seeds of one repetition that share no stream: its data, its public choices and its noise."""

from __future__ import annotations

import numpy as np


def apart(seed: int, purpose: int = 1) -> int:
    """A seed for noise and public choices that shares no stream with data drawn from ``seed`` itself.

    Two learners of one repetition that must not repeat each other's noise have different purposes, from 1 on.
    """
    return int(np.random.SeedSequence([seed, purpose]).generate_state(1, np.uint64)[0] >> np.uint64(1))
