"""Joint randomized response between real devices: pairs, a relay, and a coin that neither side can see whole.

>>> from noisewright.joint import CoinLaw
>>> CoinLaw(both=1 << 63, first_only=1 << 62, second_only=1 << 62, neither=0).truth_weight(first=True) / 2**64
0.75
"""

from noisewright.joint.coins.coin import MAX_COINS, SECURITY_MODEL, draw_coins
from noisewright.joint.coins.law import CoinLaw
from noisewright.joint.coins.messages import Role
from noisewright.joint.party import Outcome, take_part
from noisewright.joint.transport.keys import PairToken
from noisewright.joint.transport.rendezvous import Rendezvous

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
