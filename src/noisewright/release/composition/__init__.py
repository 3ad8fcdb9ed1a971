"""Several releases from one secret world, and a total that they never exceed together.

**Theorem.** Let J be the secret world and Z₁, Z₂, … the releases. After each, somebody who has seen all of
them picks the next algorithm, its budget β_t and the shape of its noise, or stops. If the noise of step t is
planned with the posterior of J given the releases z before it, so that I(J; Z_t | z) ≤ β_t(z), and if the
running sum of the budgets never exceeds the total β, then

    I(J; Z₁, …, Z_k) = Σ_t E I(J; Z_t | Z₁ … Z_{t−1} = z) ≤ E Σ_t β_t(z) ≤ β.

by the chain rule (proof: ``docs/theory/release.md``, section 31). With the covariance under the *uniform* law
in every step the sum proves nothing. Releases that are all fixed beforehand do not need the posterior of each
other: given J they are independent.

**Limits.** Membership in the pool is not protected, only which world was used. And whoever picks the
algorithms may know about the secret world from releases only: a choice that depends on the world itself
reveals it.
"""

from noisewright.release.composition.account import Account, Entry
from noisewright.release.composition.secret import Secret

__all__ = ["Account", "Entry", "Secret"]
