"""Whatever can be asked for outputs: functions, mechanisms, commands and addresses, all behind one method."""

from noisewright.audit.blackbox.base import BlackBox
from noisewright.audit.blackbox.calls import Calls
from noisewright.audit.blackbox.carrying import carries_state
from noisewright.audit.blackbox.choosing import black_box
from noisewright.audit.blackbox.command import Command
from noisewright.audit.blackbox.endpoint import Endpoint
from noisewright.audit.blackbox.mechanism import MechanismBox
from noisewright.audit.blackbox.vectorized import Vectorized

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
