"""The tour: every job of the package, end to end, on public data, in one report."""

from noisewright.pages.tour.report import Tour, take_tour

__all__ = ["Tour", "take_tour"]
