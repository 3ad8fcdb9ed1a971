"""The encoder that fits the outputs at hand."""

from __future__ import annotations

from noisewright.audit.encoding.bits import BitEncoder
from noisewright.audit.encoding.encoder import Encoder
from noisewright.audit.encoding.numeric import NumberEncoder
from noisewright.audit.encoding.textual import WordEncoder
from noisewright.audit.outputs import Outputs


def fit_encoder(left: Outputs, right: Outputs, bits: bool = False) -> Encoder:
    """For turning outputs of any shape into features: learned on the fitting rows of both inputs.

    Numbers and vectors of one length stay what they are; everything else is taken apart as text. With
    ``bits`` the way the machine writes each number is a feature too; outputs that have none are refused.

    >>> encoder = fit_encoder(Outputs.of(["yes", "no"] * 40), Outputs.of(["yes", None] * 40))
    >>> encoder.kind, encoder.atoms
    ('words', ('"yes"', '"no"', 'null', 'any other output'))
    """
    alike = (left.width, left.listed) == (right.width, right.listed)
    if left.numbers is not None and right.numbers is not None and alike:
        fit = BitEncoder.fit if bits else NumberEncoder.fit
        return fit(left.numbers, right.numbers, left.listed)
    return WordEncoder.fit(left.as_words(), right.as_words(), bits)
