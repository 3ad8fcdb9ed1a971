"""Black boxes: functions, mechanisms, commands and web addresses, all asked for outputs by one method."""

from noisewright.audit.blackbox.base import BlackBox, carries_state
from noisewright.audit.blackbox.command import Command
from noisewright.audit.blackbox.endpoint import Endpoint
from noisewright.audit.blackbox.functions import Calls, MechanismBox, Vectorized, black_box

__all__ = [
    "BlackBox",
    "Calls",
    "Command",
    "Endpoint",
    "MechanismBox",
    "Vectorized",
    "black_box",
    "carries_state",
]
