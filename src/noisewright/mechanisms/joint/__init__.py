"""Joint randomized response: people in small groups share coins, so that their lies cancel in a count."""

from noisewright.mechanisms.joint.collusion import Collusion
from noisewright.mechanisms.joint.group_law import GroupLaw
from noisewright.mechanisms.joint.hashing import JointOLH
from noisewright.mechanisms.joint.response import JointRandomizedResponse
from noisewright.mechanisms.joint.unary import JointOUE, JointSUE

__all__ = ["Collusion", "GroupLaw", "JointOLH", "JointOUE", "JointRandomizedResponse", "JointSUE"]
