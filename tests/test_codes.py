"""Reports that are codes: their bytes, and refusals of what no mechanism can have made."""

from __future__ import annotations

import json

import numpy as np
import pytest

from noisewright.domains import BitStrings, Domain, HashedLabels, Places
from noisewright.domains.codes import SEEDED
from noisewright.errors import InvalidParameter, OutOfDomain

BITS = np.array([[255, 3], [0, 0]], dtype=np.uint8)
HASHED = np.array([(2**64 - 1, 4), (0, 0)], dtype=SEEDED)
PLACES = np.array([299, 0])
GOOD = [(BitStrings(10), BITS), (HashedLabels(5), HASHED), (Places(300), PLACES)]
every = pytest.mark.parametrize(("domain", "reports"), GOOD, ids=["bits", "hashed", "places"])


@every
def test_reports_survive_their_bytes(domain, reports):
    stored = domain.to_bytes(reports)
    assert stored.dtype == np.uint8
    assert stored.shape == (2, domain.width)
    np.testing.assert_array_equal(domain.from_bytes(stored), reports)
    np.testing.assert_array_equal(domain.checked(reports), reports)
    assert domain.bits <= 8 * domain.width


@every
def test_no_reports_are_fine(domain, reports):
    assert domain.from_bytes(domain.to_bytes(reports[:0])).shape == reports[:0].shape


@every
def test_descriptions_rebuild_the_domain(domain, reports):
    assert Domain.from_dict(json.loads(json.dumps(domain.to_dict()))) == domain


@every
@pytest.mark.parametrize(
    "rows", [np.zeros((2, 5), dtype=np.uint8), np.zeros(4, dtype=np.uint8), np.zeros((2, 2))]
)
def test_rows_of_another_width_are_refused(domain, reports, rows):
    with pytest.raises(OutOfDomain, match="bytes"):
        domain.from_bytes(rows)


def test_bits_beyond_the_labels_are_refused():
    for spare in (4, 128):
        with pytest.raises(OutOfDomain, match="beyond the 10 labels"):
            BitStrings(10).from_bytes(np.array([[0, spare]], dtype=np.uint8))
    assert BitStrings(16).from_bytes(np.array([[0, 128]], dtype=np.uint8)).shape == (1, 2)


def test_hash_values_and_places_out_of_range_are_refused_without_quoting_them():
    stored = HashedLabels(5).to_bytes(HASHED)
    with pytest.raises(OutOfDomain, match="outside 0 to 3") as refusal:
        HashedLabels(4).from_bytes(stored)
    assert "18446744073709551615" not in str(refusal.value)
    for bad in ([299, 300], [-1]):
        with pytest.raises(OutOfDomain, match="outside 0 to 299"):
            Places(300).to_bytes(bad)


@pytest.mark.parametrize("bad", [[1.5], [[1]], ["1"]])
def test_reports_of_another_kind_are_refused(bad):
    for domain in (HashedLabels(5), Places(300)):
        with pytest.raises(OutOfDomain):
            domain.to_bytes(bad)


@pytest.mark.parametrize("kind", [BitStrings, HashedLabels, Places])
@pytest.mark.parametrize("size", [0, 1, 1 << 40, 2.5, "3"])
def test_senseless_sizes_are_refused(kind, size):
    with pytest.raises(InvalidParameter, match="whole number"):
        kind(size)
