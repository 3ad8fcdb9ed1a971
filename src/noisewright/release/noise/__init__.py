"""Noise for a release: how much, in which directions, drawn as integers, with the proof that it is enough."""

from noisewright.release.noise.plan import NoisePlan, plan_noise
from noisewright.release.noise.variances import SHAPES, information_upper, noise_variances

__all__ = ["SHAPES", "NoisePlan", "information_upper", "noise_variances", "plan_noise"]
