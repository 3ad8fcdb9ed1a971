"""Recompute the numbers of a certificate from the law's own integers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from noisewright.design.aims import Aim
from noisewright.design.bounds import circle_bound
from noisewright.design.certificate import certified_bound
from noisewright.design.charges import NumericTask, finite_program
from noisewright.design.program import Multipliers, Program
from noisewright.design.request import LEXICOGRAPHIC, OBJECTIVES, Answer
from noisewright.domains import Circle, Integers
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import Mechanism
from noisewright.mechanisms.basics.losses import power
from noisewright.mechanisms.certificate import Certificate
from noisewright.mechanisms.designed import DesignedLaw, DesignedTable
from noisewright.mechanisms.tuned import OptimalWindow

MEAN_SLACK = 1e-9
"""How far rounding to integers may have moved a mean, as a share of the range of the reports."""

Law = TypeVar("Law", DesignedLaw, DesignedTable)

CEILING_SLACK = 1e-9
"""What a solver's tolerance and rounding to integers may have added, as a share of the largest loss."""


def verify(law: Mechanism) -> Certificate:
    """Return a law's certificate with both its numbers recomputed; trust these, not those in a file.

    The value comes from the law's integers, the bound from the multipliers by exact weak duality.

    Args:
        law: A mechanism that :func:`~noisewright.design.optimal_law` returned, or one read from a file.

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
    certificate = law.certificate
    if certificate.prior is not None and np.ptp(certificate.prior) > 0:
        raise InvalidParameter("a window is known to be the best law for an even prior only")
    exponent = _exponent(certificate)
    bound = circle_bound(law.domain, law.epsilon, exponent)
    return _sensible(replace(certificate, value=law.worst_error(exponent), bound=bound))


def certify(
    law: Law,
    found: Answer,
    objective: str,
    loss: Any,
    prior: tuple[float, ...] | None,
    point: float | None = None,
) -> Law:
    """Return a law with its solver's evidence; both numbers of the certificate come from the law itself."""
    prices = found.solution.multipliers
    claim = Certificate(
        loss=loss,
        objective=objective,
        value=0.0,
        bound=0.0,
        prior=prior,
        point=point,
        ceiling=found.program.ceiling,
        situations=tuple(map(tuple, prices.situations.tolist())),
        inputs=tuple(prices.inputs.tolist()),
        means=tuple(prices.means.tolist()),
    )
    return replace(law, certificate=recompute(law, found.program, claim))


def recompute(law: DesignedLaw | DesignedTable, program: Program, certificate: Certificate) -> Certificate:
    """Return a certificate with the value and the bound computed from a law and a program."""
    multipliers = Multipliers(
        np.array(certificate.situations, dtype=np.float64),
        np.array(certificate.inputs, dtype=np.float64),
        np.array(certificate.means, dtype=np.float64),
    )
    slack = CEILING_SLACK * float(program.losses.max())
    if program.ceiling is not None and program.worst(law.matrix) > program.ceiling + slack:
        raise InvalidParameter("the worst case of this law is above the limit that its certificate names")
    if program.means is not None and program.places is not None:
        off = np.abs(law.matrix @ program.places - program.means).max()
        if off > MEAN_SLACK * np.ptp(program.places):
            raise InvalidParameter("this law is not unbiased, as its certificate says it is")
    bound = certified_bound(program, multipliers)
    return _sensible(replace(certificate, value=program.value(law.matrix), bound=bound))


def _sensible(certificate: Certificate) -> Certificate:
    """Refuse a certificate whose law is better than its own bound."""
    if certificate.value < certificate.bound - CEILING_SLACK * max(abs(certificate.bound), 1e-9):
        raise InvalidParameter("the certificate does not belong to this law: its bound is above its value")
    return certificate


def program_of(law: DesignedLaw | DesignedTable, certificate: Certificate) -> Program:
    """Return the program that a certificate is about, with all outputs that the law might have used."""
    if certificate.objective not in OBJECTIVES:
        raise InvalidParameter("the certificate names an objective that is not known")
    if certificate.objective == "worst" and certificate.prior is not None:
        raise InvalidParameter("a certificate for the worst case has no prior")
    if isinstance(law, DesignedTable):
        if certificate.objective != "worst" and certificate.prior is None:
            raise InvalidParameter("a certificate for an average over labels needs a prior")
        program, charges = finite_program(
            law.domain, law.epsilon, certificate.loss, certificate.prior, law.reports
        )
    else:
        task = NumericTask(
            law.domain,
            _exponent(certificate),
            len(law.weights),
            law.reports,
            knots=law.dithered,
            unbiased=isinstance(law.domain, Integers) and any(certificate.means),
        )
        objective = "average" if certificate.objective == LEXICOGRAPHIC else certificate.objective
        aim = Aim.read(law.domain, objective, prior=certificate.prior, point=certificate.point)
        program, charges = task.program(law.epsilon), task.charges(aim)
    return replace(program, average=charges, ceiling=certificate.ceiling)


def _exponent(certificate: Certificate) -> float:
    if isinstance(certificate.loss, tuple):
        raise InvalidParameter("a certificate for numbers cannot have a loss matrix")
    return power(certificate.loss)
