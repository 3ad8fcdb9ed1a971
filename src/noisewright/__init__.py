"""Provable privacy noise between personal data and everyone else."""

from noisewright.domains import Categories, Circle, Domain, Interval, Product

__version__ = "0.1.0"

__all__ = ["Categories", "Circle", "Domain", "Interval", "Product", "__version__"]
