"""Canonical forms: one vector for all the ways an algorithm may write down the same answer.

Clusters come in any order and a basis in any rotation. Unless worlds agree on one of them, the noise has to
hide differences that mean nothing.
"""

from noisewright.release.canonical.clusters import in_reference_order, order_by_class, order_like
from noisewright.release.canonical.subspaces import aligned, orthonormal, rotation_onto

__all__ = [
    "aligned",
    "in_reference_order",
    "order_by_class",
    "order_like",
    "orthonormal",
    "rotation_onto",
]
