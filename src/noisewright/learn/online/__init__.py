"""Rules that are weighed anew as answers come in, in a world that changes."""

from noisewright.learn.online.fading import Fading
from noisewright.learn.online.mixture import OnlineMixture
from noisewright.learn.online.procedure import online_procedure

__all__ = ["Fading", "OnlineMixture", "online_procedure"]
