"""Real outputs as the machine holds them: the lattice on which a double lies, and how it betrays inputs.

A density may be right while the doubles that stand for it are wrong: noise near 0 is written with very fine
steps, but noise near −1 is not, so that a fine number near 0 cannot come from input 1 (Mironov 2012).
"""

from noisewright.audit.floating.anatomy import ZERO_GRAIN, exponents, grains
from noisewright.audit.floating.cells import Cells, fit_cells

__all__ = ["ZERO_GRAIN", "Cells", "exponents", "fit_cells", "grains"]
