"""Attacks on the object that randomizes one location at a time."""

from __future__ import annotations

import copy
import os
import pickle
import sys
import threading

import numpy as np
import pytest

from noisewright import randomness
from noisewright.errors import BudgetSpent
from noisewright.trajectory import Rectangle, Stepper, TraCSC

MECHANISM = TraCSC(Rectangle(0, 0, 1, 1), 1.0)


def test_every_report_has_a_key_of_its_own(monkeypatch):
    """One key for a whole route would let who reads the memory undo all its earlier reports."""
    keys = []
    real = os.urandom
    monkeypatch.setattr(randomness.os, "urandom", lambda count: keys.append(count) or real(count))
    stepper = Stepper(MECHANISM)
    for _ in range(5):
        stepper.report((0.5, 0.5))
    assert keys.count(randomness.KEY_BYTES) == 5
    assert stepper._seeded is None


def test_threads_cannot_spend_more_than_the_budget():
    stepper, made = Stepper(MECHANISM, at_most=100.0), []
    interval = sys.getswitchinterval()

    def work():
        for _ in range(60):
            try:
                made.append(stepper.report((0.5, 0.5)))
            except BudgetSpent:
                return

    try:
        sys.setswitchinterval(1e-6)
        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert len(made) == 100


def test_a_route_that_is_going_on_is_not_copied():
    stepper = Stepper(MECHANISM)
    for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(BudgetSpent, match="cannot be copied"):
            duplicate(stepper)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_child_does_not_go_on():
    stepper = Stepper(MECHANISM)
    child = os.fork()
    if child == 0:
        try:
            stepper.report((0.5, 0.5))
        except BudgetSpent:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert np.shape(stepper.report((0.5, 0.5))) == (2,)
