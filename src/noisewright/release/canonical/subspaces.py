"""The basis of a subspace: of all that span it, the one closest to a public reference.

A basis is a matrix with one basis vector in each row. Turning it by an orthogonal matrix changes every number
in it and nothing about the subspace, so each world turns its basis to the reference first.
"""

from __future__ import annotations

import numpy as np

from noisewright.domains import Floats


def rotation_onto(target: Floats, basis: Floats) -> Floats:
    """The orthogonal matrix M (rotation or reflection) that minimizes ‖target − M·basis‖ in Frobenius norm.

    M = U Vᵀ for the singular value decomposition target·basisᵀ = U S Vᵀ: the norm is least where
    tr(Mᵀ·target·basisᵀ) is largest, and that trace is at most Σ S. Where singular values vanish several M
    are equally good, and any one of them comes back. Stacks (…, count, features) are turned one by one.

    >>> rotation_onto(np.array([[0.0, 1.0, 0.0]]), np.array([[0.0, -0.8, 0.6]])).tolist()
    [[-1.0]]
    """
    # Sridhar et al. 2024, claim 1 has V_A V_Bᵀ cut to its corner: in general not orthogonal, nor the minimum.
    left, _, right = np.linalg.svd(target @ np.swapaxes(basis, -1, -2))
    return np.asarray(left @ right)


def aligned(basis: Floats, reference: Floats) -> Floats:
    """The basis of the same subspace that lies closest to a reference.

    >>> turned = aligned(np.array([[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0]]), reference=np.eye(2, 3))
    >>> bool(np.allclose(turned, np.eye(2, 3)))
    True
    """
    return rotation_onto(reference, basis) @ basis


def orthonormal(rows: Floats) -> Floats:
    """The orthonormal basis of the span of some rows that lies closest to the rows themselves.

    Noise leaves a basis neither straight nor of length one: QR finds the span, Procrustes turns it back.
    Rows that depend on each other are completed. Works on stacks (…, count, features) too.

    >>> orthonormal(np.array([[2.0, 0.0, 0.0], [0.0, 0.5, 0.0]])).round(12).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    span = np.linalg.qr(np.swapaxes(rows, -1, -2)).Q
    return aligned(np.swapaxes(span, -1, -2), rows)
