"""Outputs of any shape as rows of numbers, and as codes if there are few different ones.

An encoder learns from the fitting rows only. Anything it has not seen there counts as "other", so a bound on
later rows holds whatever comes.
"""

from noisewright.audit.encoding.encoder import Encoder, Features, fit_encoder

__all__ = ["Encoder", "Features", "fit_encoder"]
