"""Doing the arithmetic of a certificate again, from the law's own integers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from noisewright.design.aims import Aim
from noisewright.design.certificate import certified_bound
from noisewright.design.circle import circle_bound
from noisewright.design.finite_task import finite_program
from noisewright.design.numeric_task import NumericTask
from noisewright.design.program import Multipliers, Program
from noisewright.design.request import LEXICOGRAPHIC
from noisewright.domains import Circle
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import Mechanism
from noisewright.mechanisms.certificate import Certificate
from noisewright.mechanisms.designed import DesignedLaw
from noisewright.mechanisms.designed_table import DesignedTable
from noisewright.mechanisms.losses import power
from noisewright.mechanisms.optimal_window import OptimalWindow

CEILING_SLACK = 1e-9
"""Of a limit on the worst case: what a solver's tolerance and rounding to integers may have added."""


def verify(law: Mechanism) -> Certificate:
    """A law's certificate with both its numbers computed anew; trust these, not those in a file.

    The value comes from the law's integers, the bound from the multipliers by exact weak duality.

    >>> from noisewright import Categories
    >>> from noisewright.design import optimal_law
    >>> law = optimal_law(Categories(["no", "yes"]), 1.0, "zero-one")
    >>> verify(law).gap < 1e-9
    True
    """
    if not isinstance(law, DesignedLaw | DesignedTable | OptimalWindow) or law.certificate is None:
        raise InvalidParameter(f"this {type(law).__name__} carries no certificate to verify")
    if not isinstance(law, OptimalWindow):
        return recompute(law, program_of(law, law.certificate), law.certificate)
    if not isinstance(law.domain, Circle):
        raise InvalidParameter("a window is known to be the best law on a circle only")
    exponent = _exponent(law.certificate)
    bound = circle_bound(law.domain, law.epsilon, exponent)
    return replace(law.certificate, value=law.worst_error(exponent), bound=bound)


def recompute(law: DesignedLaw | DesignedTable, program: Program, certificate: Certificate) -> Certificate:
    """A certificate with the value and the bound that a law and a program give it."""
    multipliers = Multipliers(
        np.array(certificate.situations, dtype=np.float64),
        np.array(certificate.inputs, dtype=np.float64),
        np.array(certificate.means, dtype=np.float64),
    )
    if program.ceiling is not None and program.worst(law.matrix) > program.ceiling * (1 + CEILING_SLACK):
        raise InvalidParameter("the worst case of this law is above the limit that its certificate names")
    return replace(certificate, value=program.value(law.matrix), bound=certified_bound(program, multipliers))


def program_of(law: DesignedLaw | DesignedTable, certificate: Certificate) -> Program:
    """The program whose optimum a certificate speaks of, with all outputs that the law might have used."""
    if isinstance(law, DesignedTable):
        program, charges = finite_program(
            law.domain, law.epsilon, certificate.loss, certificate.prior, law.reports
        )
    else:
        task = NumericTask(
            law.domain, _exponent(certificate), len(law.weights), law.reports, knots=law.dithered
        )
        objective = "average" if certificate.objective == LEXICOGRAPHIC else certificate.objective
        aim = Aim.read(law.domain, objective, prior=certificate.prior, point=certificate.point)
        program, charges = task.program(law.epsilon), task.charges(aim)
    return replace(program, average=charges, ceiling=certificate.ceiling)


def _exponent(certificate: Certificate) -> float:
    if isinstance(certificate.loss, tuple):
        raise InvalidParameter("a certificate for numbers cannot have a loss matrix")
    return power(certificate.loss)
