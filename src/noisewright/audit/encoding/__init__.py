"""Outputs of any shape as rows of numbers, and as codes where there are few different ones.

Everything an encoder knows it learned on the rows set apart for fitting; what it has not seen there goes to
"other", so that a bound on later rows holds whatever comes.
"""

from noisewright.audit.encoding.bits import BitEncoder
from noisewright.audit.encoding.encoder import Encoder
from noisewright.audit.encoding.features import Features
from noisewright.audit.encoding.fitting import fit_encoder
from noisewright.audit.encoding.numeric import NumberEncoder
from noisewright.audit.encoding.textual import WordEncoder

__all__ = ["BitEncoder", "Encoder", "Features", "NumberEncoder", "WordEncoder", "fit_encoder"]
