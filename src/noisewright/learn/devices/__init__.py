"""Learning with people's devices: a coordinator that asks, clients that pay and answer, JSON in between."""

from noisewright.learn.devices.client import Client
from noisewright.learn.devices.coordinator import Coordinator
from noisewright.learn.devices.messages import Answer, Task

__all__ = ["Answer", "Client", "Coordinator", "Task"]
