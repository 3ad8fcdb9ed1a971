"""multi-freq-ldpy and pure-ldp as oracles of reports: theirs support labels as often as our laws say.

Everyone has one label; how many of a package's reports support it, and each other label, are then binomial
with our chances ``hit`` and ``miss``. `make peers` installs the packages; without them these tests are skipped.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy import stats

from noisewright import Categories
from noisewright.mechanisms import KRR, OLH, OUE

pytestmark = pytest.mark.peer

PEOPLE = 60_000
EPSILON = 1.0
LABELS = 6
OWN = 2
LEVEL = 1e-9
"""The chance of a false alarm in one test, all labels together."""


PACKAGES = ["multi-freq-ldpy", "pure-ldp"]


@pytest.fixture(autouse=True)
def _same_reports_every_time():
    numba = pytest.importorskip("numba")

    @numba.njit
    def seed_compiled_code():  # it has a generator of its own
        np.random.seed(17)  # noqa: NPY002

    seed_compiled_code()
    random.seed(17)
    np.random.seed(17)  # noqa: NPY002  (the packages draw from the global generators)


def pure_oracles():
    return pytest.importorskip("pure_ldp.frequency_oracles")


def reports_of(package, file, kind, **options):
    """Everyone's reports, by the function of one package or by the client class of the other."""
    if package == "pure-ldp":
        client = getattr(pure_oracles(), f"{kind}Client")(EPSILON, LABELS, **options)
        return [client.privatise(OWN + 1) for _ in range(PEOPLE)]  # it counts labels from 1
    module = pytest.importorskip(f"multi_freq_ldpy.pure_frequency_oracles.{file}")
    client = getattr(module, f"{file}_Client")
    return [client(OWN, LABELS, EPSILON) for _ in range(PEOPLE)]


def accepted(supports, mechanism):
    """Whether each count of support is within binomial quantiles that leave out LEVEL in all."""
    chances = np.full(LABELS, mechanism.miss)
    chances[OWN] = mechanism.hit
    tail = LEVEL / (2 * LABELS)
    low, high = (stats.binom.ppf(tail, PEOPLE, chances), stats.binom.isf(tail, PEOPLE, chances))
    return bool(np.all((low <= supports) & (supports <= high)))


def check(supports, kind, domain):
    assert accepted(supports, kind(domain, EPSILON))
    assert not accepted(supports, kind(domain, 1.1 * EPSILON))
    assert not accepted(supports, kind(domain, EPSILON / 1.1))


@pytest.mark.parametrize("package", PACKAGES)
def test_krr(package):
    domain = Categories(range(LABELS))
    reports = reports_of(package, "GRR", "DE")
    check(KRR(domain, EPSILON).supports(reports), KRR, domain)


@pytest.mark.parametrize("package", PACKAGES)
def test_oue(package):
    domain = Categories(range(LABELS))
    flags = np.array(reports_of(package, "UE", "UE", use_oue=True), dtype=bool)
    packed = np.packbits(flags, axis=1, bitorder="little")
    check(OUE(domain, EPSILON).supports(packed), OUE, domain)


@pytest.mark.parametrize("package", PACKAGES)
def test_olh(package):
    # Both hash alike and not as we do, so pure-ldp's server counts. For 100 labels we take as many hash values.
    server = pure_oracles().LHServer(EPSILON, LABELS, use_olh=True)
    domain = Categories(range(100))
    assert server.g == OLH(domain, EPSILON).hash_size == OLH(domain, 1.1 * EPSILON).hash_size
    server.aggregate_all(reports_of(package, "LH", "LH", use_olh=True))
    check(server.aggregated_data, OLH, domain)
