"""Learning with people's devices: a coordinator that asks, clients that pay and answer, JSON in between."""

from noisewright.learn.field.client import Client
from noisewright.learn.field.coordinator import Coordinator
from noisewright.learn.field.messages import Answer, Task

__all__ = ["Answer", "Client", "Coordinator", "Task"]
