"""Joint randomized response between real devices: pairs, a relay, and a coin that neither side can see whole.

>>> from noisewright.protocol import CoinLaw
>>> CoinLaw(both=1 << 63, first_only=1 << 62, second_only=1 << 62, neither=0).truth_weight(first=True) / 2**64
0.75
"""

from noisewright.protocol.coins.coin import MAX_COINS, SECURITY_MODEL, draw_coins
from noisewright.protocol.coins.law import CoinLaw
from noisewright.protocol.coins.messages import Role
from noisewright.protocol.party import Outcome, take_part
from noisewright.protocol.transport.pair_token import PairToken
from noisewright.protocol.transport.rendezvous import Rendezvous

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
