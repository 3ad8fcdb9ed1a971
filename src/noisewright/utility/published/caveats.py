"""What the published framework does not promise, in words that stand beside every number it yields.

Its utility is called a lower bound but is none. On the stroke data, with a logistic regression trained as the
authors do, their program claims 0.5959 for PM at ε = 1 where exactly 0.5756 is true; a model with a strip of
0.4 % of the interval beside the record gets the claim 1 at ε = 8 where 0.78 is true
(``docs/theory/utility.md``).
"""

from __future__ import annotations

from typing import Final

AS_PUBLISHED: Final = "as published (Zheng and Hu): an estimate, not a bound"
"""How every number of this package must be marked where it is shown."""

CAVEATS: Final = (
    "The published utility can exceed the true one: it multiplies the probability of a report in a box with "
    "the share of the box's volume in which the answer holds, but a mechanism does not spread its reports "
    "evenly over the box; where it favours the failing part, the product is too large.",
    "The refined form even drops the factor (1 − ω)(1 − τ), so the points that were seen to fail count as "
    "successes.",
    "A box is accepted by a share of its volume, so growing it along a feature that does not matter thins "
    "the failures out and lets it grow further where it does matter.",
    "Each test errs with probability ω on its own, and a search makes dozens of them; nothing is corrected "
    "for that.",
    "Reports outside 0..1 count as lost, although a model would answer them or take them clipped.",
)
"""Why the number is no lower bound; ``docs/theory/utility.md`` has an example that can be checked by hand."""
