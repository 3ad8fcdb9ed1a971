"""Which oracle is chosen and what is said about it; published variances."""

from __future__ import annotations

import re

import numpy as np
import pytest

from noisewright import Categories
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import (
    KRR,
    OLH,
    OUE,
    RR,
    SUE,
    HadamardResponse,
    SubsetSelection,
    best_oracle,
    oracle,
)


def rare(mechanism):
    """The variance of one report's say on the share of a label that nobody has, others being even."""
    labels = len(mechanism.domain)
    shares = np.full(labels, 1 / (labels - 1))
    shares[0] = 0.0
    return mechanism.share_variance(shares, 1)[0]


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 4.0])
def test_published_variances_are_reproduced(epsilon):
    """Wang et al. 2017, table 1; the Hadamard bound of Acharya et al. 2019 at one block."""
    domain, growth = Categories(range(1000)), np.exp(epsilon)
    unary = 4 * growth / (growth - 1) ** 2
    assert rare(OUE(domain, epsilon)) == pytest.approx(unary, rel=1e-9)
    assert rare(KRR(domain, epsilon)) == pytest.approx((998 + growth) / (growth - 1) ** 2, rel=2e-5)
    root = np.exp(epsilon / 2)
    assert rare(SUE(domain, epsilon)) == pytest.approx(root / (root - 1) ** 2, rel=1e-9)
    hashing = OLH(domain, epsilon)
    size = hashing.hash_size
    exact = (growth - 1 + size) ** 2 / ((growth - 1) ** 2 * (size - 1))
    assert rare(hashing) == pytest.approx(exact, rel=1e-5)
    assert unary <= rare(hashing) * (1 + 1e-5) <= unary * 1.03  # the best size is rarely a whole number
    code = HadamardResponse(domain, epsilon)
    if code.blocks == 1:
        assert rare(code) == pytest.approx(((growth + 1) / (growth - 1)) ** 2, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0, 8.0])
@pytest.mark.parametrize("labels", [2, 3, 10, 40, 100, 2000])
def test_the_choice_has_the_least_variance_or_nearly_and_then_the_shortest_report(labels, epsilon):
    choice = best_oracle(Categories(range(labels)), epsilon)
    spreads = [candidate.spread for candidate in choice.candidates]
    assert spreads == sorted(spreads)
    assert choice.mechanism.spread() <= 1.05 * spreads[0]
    for candidate in choice.candidates:
        assert candidate.spread == candidate.mechanism.spread()
        assert candidate.spread > 1.05 * spreads[0] or candidate.bits >= choice.mechanism.report_bits


def test_few_labels_take_k_rr_and_many_take_hashing():
    assert isinstance(best_oracle(Categories("ab"), 1.0).mechanism, KRR)
    assert isinstance(best_oracle(Categories(range(10)), 4.0).mechanism, KRR)
    assert isinstance(best_oracle(Categories(range(1000)), 1.0).mechanism, OLH)
    assert isinstance(best_oracle(Categories(range(1 << 20)), 1.0).mechanism, OLH)


def test_an_oracle_that_refuses_the_budget_is_passed_over():
    """For so many labels k-RR has no coin fine enough, and subset selection no words enough."""
    choice = best_oracle(Categories(range(1 << 20)), 1e-4)
    assert isinstance(choice.mechanism, HadamardResponse)  # as good as any at a small ε, in 21 bits
    assert {candidate.name for candidate in choice.candidates} == {"OUE", "SUE", "OLH", "HadamardResponse"}


@pytest.mark.parametrize("epsilon", [0, -1.0, 33, "1", 1e-18])
def test_a_budget_that_no_oracle_takes_is_refused(epsilon):
    with pytest.raises(InvalidParameter, match="epsilon"):
        best_oracle(Categories("ab"), epsilon)


@pytest.mark.parametrize("labels", [2, 10, 40, 100, 1000, 70_000])
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_the_reason_is_one_sentence_with_true_numbers(labels, epsilon):
    choice = best_oracle(Categories(range(labels)), epsilon)
    found = {candidate.name: candidate for candidate in choice.candidates}
    reason, mine = choice.reason, found[type(choice.mechanism).__name__]
    assert reason.startswith(
        f"{mine.name}: one report estimates a share with variance {mine.spread:.3g}, in "
    )
    assert reason.endswith(".")
    assert ". " not in reason
    for name, times in re.findall(r"(\w+) would need ([\d.,]+) times", reason):
        assert float(times.replace(",", "")) == pytest.approx(found[name].spread / mine.spread, rel=0.01)
    for name, percent in re.findall(r"(\w+) is ([\d.]+) % better", reason):
        assert float(percent) == pytest.approx(100 * (mine.spread / found[name].spread - 1), abs=0.06)
    assert "would need" in reason or "better" in reason


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("KRR", KRR), ("k-RR", KRR), ("grr", KRR), ("rr", RR), ("oue", OUE), ("Sue", SUE),
        ("OLH", OLH), ("subset", SubsetSelection), ("Subset Selection", SubsetSelection),
        ("hadamard", HadamardResponse), ("HadamardResponse", HadamardResponse), ("AUTO", KRR),
    ],
)  # fmt: skip
def test_names_are_found_in_any_case(name, kind):
    assert type(oracle(name, Categories("ab"), 1.0)) is kind


@pytest.mark.parametrize("name", ["", "laplace", None])
def test_unknown_names_are_refused_with_the_known_ones(name):
    with pytest.raises(InvalidParameter, match="known: auto, KRR, RR, OUE, SUE, OLH, Subset"):
        oracle(name, Categories("ab"), 1.0)


def test_randomized_response_is_for_two_labels():
    with pytest.raises(InvalidParameter, match="take KRR"):
        oracle("RR", Categories("abc"), 1.0)
