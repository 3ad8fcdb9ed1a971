"""The experiment: two inputs, one black box, and as many outputs as the question needs, each drawn once."""

from noisewright.audit.experiment.experiment import Experiment
from noisewright.audit.experiment.sampler import CHUNK

__all__ = ["CHUNK", "Experiment"]
