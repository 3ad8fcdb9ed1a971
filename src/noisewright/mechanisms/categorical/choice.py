"""The choice of a frequency oracle for a list of labels and a budget, with reasons."""

from __future__ import annotations

from dataclasses import dataclass

from noisewright.domains import FiniteDomain
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.categorical.hadamard import HadamardResponse
from noisewright.mechanisms.categorical.hashing import OLH
from noisewright.mechanisms.categorical.krr import KRR, RR
from noisewright.mechanisms.categorical.oracle import FrequencyOracle
from noisewright.mechanisms.categorical.subset import SubsetSelection
from noisewright.mechanisms.categorical.unary import OUE, SUE

AUTO = "auto"
ORACLES: tuple[type[FrequencyOracle], ...] = (KRR, OUE, SUE, OLH, SubsetSelection, HadamardResponse)
"""Those that are compared; randomized response is k-RR with two labels."""

NAMED: tuple[type[FrequencyOracle], ...] = (KRR, RR, *ORACLES[1:])

AS_GOOD = 1.05
"""Variances within 5 % are called equal: the shorter report wins among them."""

ALIASES: dict[str, type[FrequencyOracle]] = {
    "grr": KRR,
    "subset": SubsetSelection,
    "hadamard": HadamardResponse,
}


@dataclass(frozen=True)
class Candidate:
    """An oracle with the two numbers that it is judged by.

    Attributes:
        mechanism: The oracle.
        spread: Variance of a share, times the number of reports, averaged over the labels.
        bits: Bits of one report.
    """

    mechanism: FrequencyOracle
    spread: float
    bits: float

    @property
    def name(self) -> str:
        """The name of the oracle."""
        return type(self.mechanism).__name__


@dataclass(frozen=True)
class OracleChoice:
    """The oracle that was chosen, and why.

    Attributes:
        mechanism: The oracle.
        reason: Why it was chosen, in words.
        candidates: What it was compared with, the least variance first.
    """

    mechanism: FrequencyOracle
    reason: str
    candidates: tuple[Candidate, ...]


def best_oracle(domain: FiniteDomain, epsilon: float) -> OracleChoice:
    """Choose the oracle with the shortest reports among those within 5 % of the least variance.

    Args:
        domain: The labels.
        epsilon: The budget of one report.

    >>> from noisewright import Categories
    >>> print(best_oracle(Categories(range(1000)), 1.0).reason)
    OLH: one report estimates a share with variance 3.69, in 66 bits; SubsetSelection is 0.5 % better but its
    reports have 1,000 bits; SUE would need 1.06 times as many people; KRR would need 91.9 times as many
    people.
    """
    candidates = sorted(_candidates(domain, epsilon), key=lambda candidate: candidate.spread)
    least = candidates[0].spread
    as_good = [candidate for candidate in candidates if candidate.spread <= AS_GOOD * least]
    chosen = min(as_good, key=lambda candidate: candidate.bits)
    return OracleChoice(chosen.mechanism, _reason(chosen, candidates), tuple(candidates))


def oracle(name: str, domain: FiniteDomain, epsilon: float, field: str = "protocol") -> FrequencyOracle:
    """Return the oracle of a name.

    Args:
        name: The class name in any case, with or without hyphens; "auto" takes the best one.
        domain: The labels.
        epsilon: The budget of one report.
        field: The parameter that a refusal names.

    >>> from noisewright import Categories
    >>> type(oracle("k-rr", Categories("abc"), 1.0)).__name__
    'KRR'
    >>> oracle("best", Categories("abc"), 1.0)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: protocol 'best' is unknown; known: auto, KRR, RR, OUE, SUE, OLH, ...
    """
    plain = "".join(letter for letter in str(name).casefold() if letter.isalnum())
    if plain == AUTO:
        return best_oracle(domain, epsilon).mechanism
    known = ALIASES | {kind.__name__.casefold(): kind for kind in NAMED}
    if plain not in known:
        names = ", ".join([AUTO, *(kind.__name__ for kind in NAMED)])
        raise InvalidParameter(f"{name!r} is unknown; known: {names}", field=field)
    return known[plain](domain, epsilon)


def _candidates(domain: FiniteDomain, epsilon: float) -> list[Candidate]:
    """Return every oracle that supports these labels at this budget; if none does, say why."""
    built, refusals = [], []
    for kind in ORACLES:
        try:
            mechanism = kind(domain, epsilon)
        except InvalidParameter as refusal:
            refusals.append(refusal)
        else:
            built.append(Candidate(mechanism, mechanism.spread(), mechanism.report_bits))
    if not built:
        raise refusals[0]
    return built


def _reason(chosen: Candidate, candidates: list[Candidate]) -> str:
    """Return one sentence with the numbers that decided."""
    parts = [
        f"{chosen.name}: one report estimates a share with variance {chosen.spread:.3g}, in {_bits(chosen)}"
    ]
    best = candidates[0]
    if best is not chosen:
        ahead = 100 * (chosen.spread / best.spread - 1)
        praise = f"{ahead:.1f} % better" if ahead >= 0.05 else "as good"
        parts.append(f"{best.name} is {praise} but its reports have {_bits(best)}")
    worse = [candidate for candidate in candidates if candidate.spread > chosen.spread]
    # The next best says what was at stake; and k-RR is what most people know.
    known = [candidate for candidate in worse[1:] if isinstance(candidate.mechanism, KRR)]
    parts += [
        f"{rival.name} would need {_times(rival.spread / chosen.spread)} times as many people"
        for rival in (*worse[:1], *known)
    ]
    return "; ".join(parts) + "."


def _times(ratio: float) -> str:
    return f"{ratio:.3g}" if ratio < 1000 else f"{ratio:,.0f}"


def _bits(candidate: Candidate) -> str:
    whole = -(-candidate.bits // 1)
    return f"{whole:,.0f} {'bit' if whole == 1 else 'bits'}"
