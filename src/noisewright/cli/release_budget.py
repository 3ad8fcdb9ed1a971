"""Budgets as they are typed: numbers, fractions and percentages."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from noisewright.errors import InvalidParameter
from noisewright.release.budget import NATS, MembershipSuccess, MutualInformation

BUDGET = "--budget wants nats as a number or a fraction, for example 0.25 or 1/4"
SUCCESS = "--success wants a share above 50 %, for example 58.8% or 0.588"
TOTAL = "--total wants nats as a number or a fraction, for example 0.5 or 1/2"


def read_budget(budget: str | None, success: str | None) -> MutualInformation | MembershipSuccess:
    """The one budget that was asked for.

    >>> read_budget("1/4", None), read_budget(None, "58.8%")
    (MutualInformation(nats=0.25), MembershipSuccess(rate=0.588, confidence=0.999))
    """
    if (budget is None) == (success is None):
        raise InvalidParameter("give either --budget in nats or --success of a membership attack")
    if budget is not None:
        return read_nats("--budget", budget, BUDGET)
    rate = read_fraction(success or "", SUCCESS)
    if 50 < rate < 100 and "%" not in str(success):
        raise InvalidParameter(f"--success wants a share; write {rate:g}% or {rate / 100:g}")
    if not 0.5 < rate < 1:
        raise InvalidParameter(f"{SUCCESS}; got {success!r}")
    return MembershipSuccess(rate)


def read_nats(option: str, text: str, wanted: str) -> MutualInformation:
    """Nats that an option gives, or a refusal that names it.

    >>> read_nats("--budget", "25%", BUDGET)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: --budget is in nats, not percent, for example 0.25 or 1/4; got '25%'
    """
    if text.strip().endswith("%"):
        raise InvalidParameter(f"{option} is in nats, not percent, for example 0.25 or 1/4; got {text!r}")
    return MutualInformation(replace(NATS, name=option).check(read_fraction(text, wanted)))


def read_fraction(text: str, wanted: str) -> float:
    """A number that may be written as a fraction or in per cent.

    >>> read_fraction("1/64", BUDGET), read_fraction("12 %", SUCCESS)
    (0.015625, 0.12)
    """
    bare = text.strip()
    try:
        number = Fraction(bare.removesuffix("%").strip())
        return float(number / 100 if bare.endswith("%") else number)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise InvalidParameter(f"{wanted}; got {text!r}") from None
