"""The spectrum of one pair of inputs: from runs to bounds, and what they say."""

from noisewright.audit.spectrum.pair import AuditRequest
from noisewright.audit.spectrum.spectrum import Spectrum

__all__ = ["AuditRequest", "Spectrum"]
