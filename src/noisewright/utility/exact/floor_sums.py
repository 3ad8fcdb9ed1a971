"""Counting lattice points under a line, exactly and without visiting each: Σ ⌊(step·j + first)/modulus⌋.

A straight boundary runs through a million columns of cells, and in each column a whole number of cells lies
below it. Euclid's algorithm adds these numbers up in about as many steps as the slope has digits.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
from __future__ import annotations

from noisewright.utility.exact.loops import loop


@loop
def floor_sum(count, step, first, modulus):
    """Σ ⌊(step·j + first)/modulus⌋ over 0 ≤ j < count; nothing is negative, step·count + first below 2⁶³.

    Whole parts are added in closed form; what is left lies below the diagonal of a rectangle, and counting
    it by rows instead of columns swaps step and modulus, as in Euclid's algorithm.

    >>> int(floor_sum(4, 3, 1, 5))     # ⌊1/5⌋ + ⌊4/5⌋ + ⌊7/5⌋ + ⌊10/5⌋
    3
    """
    total = 0
    while True:
        if step >= modulus:
            whole = step // modulus
            total += count * (count - 1) // 2 * whole
            step -= whole * modulus  # a division less than step % modulus
        if first >= modulus:
            whole = first // modulus
            total += count * whole
            first -= whole * modulus
        last = step * count + first
        if last < modulus:
            return total
        count = last // modulus
        first = last - count * modulus
        step, modulus = modulus, step
