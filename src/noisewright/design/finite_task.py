"""What a law for labels is charged."""

from __future__ import annotations

from typing import Any

import numpy as np

from noisewright.design.aims import read_prior
from noisewright.design.program import Program
from noisewright.domains import FiniteDomain, Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.finite import loss_matrix


def finite_program(
    domain: FiniteDomain, epsilon: float, loss: Any, prior: Any, reports: FiniteDomain
) -> tuple[Program, Floats | None]:
    """The search for the least worst case over labels, and the charges of an average if there is a prior."""
    losses = loss_matrix(domain, loss, reports)
    program = Program(epsilon, losses[:, None, :])
    return program, None if prior is None else read_label_prior(prior, domain)[:, None] * losses


def read_label_prior(prior: Any, domain: FiniteDomain) -> Floats:
    """One weight for each label, summing to one."""
    weights = read_prior(prior)
    if weights.size != domain.lattice:
        raise InvalidParameter(
            f"a prior for {domain.lattice} labels needs as many weights, got {np.size(weights)}"
        )
    return weights
