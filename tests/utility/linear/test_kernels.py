"""Without numba the same loops run as they are, and find the same."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

PROGRAM = """
import numpy as np
from noisewright.utility.core.curve import make_curve
from noisewright.utility.linear.model import LinearModel
from noisewright.utility.linear.utility import linear_utility
from noisewright.utility.linear.kernels import polygon_masses
from noisewright.utility.core.records import read_records

weights = np.array([[1.0, 0.7], [-0.4, 0.3], [0.2, -1.0]])
curve = make_curve(["OGPM", "TruncatedLaplace", "BinnedKRR"], [1.0, 6.0])
records = read_records(np.array([[0.3, 0.6], [0.7, 0.2]]), {0: (0, 1), 1: (0, 1)}, None)
for scores, references in ((1, [1, 0]), (3, [0, 2])):
    noise = 1e-14 * np.abs(weights[:scores])
    model = LinearModel(weights[:scores], np.array([-0.3, 0.3, 0.4])[:scores], (0, 1, 2)[: max(scores, 2)], noise, noise[:, 0])
    found = linear_utility(model, records, np.array(references), curve)
    print(*found.low.ravel().tolist(), *found.high.ravel().tolist())
print(float(hasattr(polygon_masses, "py_func")))
"""


def run(**settings):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=True,
    )
    return np.array(done.stdout.split(), dtype=float)


@pytest.mark.slow
def test_python_alone_finds_the_same():
    compiled, plain = run(), run(NUMBA_DISABLE_JIT="1")
    assert compiled[-1] == 1
    assert plain[-1] == 0
    np.testing.assert_allclose(plain[:-1], compiled[:-1], rtol=0, atol=1e-13)
    assert compiled[:-1].min() > 0
