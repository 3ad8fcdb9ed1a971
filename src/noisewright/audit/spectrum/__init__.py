"""The spectrum of one pair of inputs: from runs to bounds, their sentences and report."""

from noisewright.audit.spectrum.pair import AuditRequest
from noisewright.audit.spectrum.spectrum import Spectrum

__all__ = ["AuditRequest", "Spectrum"]
