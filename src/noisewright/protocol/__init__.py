"""Joint randomized response between real devices: pairs, a relay, and a coin that neither side can see whole.

>>> from noisewright.protocol import CoinLaw
>>> CoinLaw(both=1 << 63, first_only=1 << 62, second_only=1 << 62, neither=0).truth_weight(first=True) / 2**64
0.75
"""

from noisewright.protocol.coin import MAX_COINS, SECURITY_MODEL, draw_coins
from noisewright.protocol.law import CoinLaw
from noisewright.protocol.messages import Role
from noisewright.protocol.pair_token import PairToken
from noisewright.protocol.party import Outcome, take_part
from noisewright.protocol.rendezvous import Rendezvous

__all__ = [
    "MAX_COINS",
    "SECURITY_MODEL",
    "CoinLaw",
    "Outcome",
    "PairToken",
    "Rendezvous",
    "Role",
    "draw_coins",
    "take_part",
]
