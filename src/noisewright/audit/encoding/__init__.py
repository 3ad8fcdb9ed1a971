"""Outputs of any shape as rows of numbers, and as codes where there are few different ones.

Everything an encoder knows it learned on the rows set apart for fitting; what it has not seen there goes to
"other", so that a bound on later rows holds whatever comes.
"""

from noisewright.audit.encoding.encoder import Encoder, Features, fit_encoder

__all__ = ["Encoder", "Features", "fit_encoder"]
