"""Whatever can be asked for outputs: functions, mechanisms, commands and addresses, all behind one method."""

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
