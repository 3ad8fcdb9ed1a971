"""Spectra that are known exactly: what an audit of these mechanisms should find.

A spectrum gives for every ε the smallest δ for which two output laws P and Q are (ε, δ)-close in one
direction: δ(ε) = max over events S of P(S) − e^ε·Q(S). Unless a function says
otherwise both directions agree.

>>> laplace(1.0, [0.0, 0.5, 1.0, 2.0]).round(4).tolist()
[0.3935, 0.2212, 0.0, 0.0]
"""

from noisewright.audit.basics.claim import read_epsilons
from noisewright.audit.truth.spectra import (
    classical_sigma,
    counting_scores,
    ddp_histogram,
    exponential,
    exponential_law,
    finite,
    gaussian,
    laplace,
    randomized_response,
)
from noisewright.audit.truth.vector import LossLaw, laplace_vector, laplace_vector_bracket

__all__ = [
    "LossLaw",
    "classical_sigma",
    "counting_scores",
    "ddp_histogram",
    "exponential",
    "exponential_law",
    "finite",
    "gaussian",
    "laplace",
    "laplace_vector",
    "laplace_vector_bracket",
    "randomized_response",
    "read_epsilons",
]
