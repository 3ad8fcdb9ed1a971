"""Several releases from one secret world, and a total that they never exceed together.

**Theorem.** Let J be the secret world and Z₁, Z₂, … the releases. After each, somebody who has seen all of
them picks the next algorithm, its budget β_t and the shape of its noise, or stops. If the noise of step t is
planned with the posterior of J given the releases z before it, so that I(J; Z_t | z) ≤ β_t(z), and if the
running sum of the budgets never exceeds the total β, then

    I(J; Z₁, …, Z_k) = Σ_t E I(J; Z_t | Z₁ … Z_{t−1} = z) ≤ E Σ_t β_t(z) ≤ β.

*Proof.* The chain rule, whose terms are averages over z. Given z, algorithm and budget are fixed, the outputs
Y_t of the worlds are known numbers and J follows the posterior; the bound of a single release,
½ ln det(1 + Cov(Y_t | z)·Σ_t⁻¹), needs no more than the covariance under the law that J has. ∎

With the covariance under the *uniform* law in every step the sum proves nothing: who picks an algorithm whose
outputs differ only among the worlds that are still likely gets noise made for its small variance over all
worlds, and learns far more than β_t.

Releases that are all fixed beforehand do not need the posterior of each other: given J they are independent,
so I(J; Z₁, Z₂) ≤ I(J; Z₁) + I(J; Z₂), and each is planned with what was known before any of them.

**What is not promised.** Membership in the pool; only which half of it was used. And whoever picks the
algorithms must know the secret world from releases only: a choice that follows the world itself tells it.
"""

from noisewright.release.composition.account import Account, Entry
from noisewright.release.composition.secret import Secret

__all__ = ["Account", "Entry", "Secret"]
