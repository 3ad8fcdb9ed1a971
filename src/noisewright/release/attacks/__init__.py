"""Attacks on a release: the best one there is, LiRA, their curves, and noise calibrated against them."""

from noisewright.release.attacks.bayes import BayesAttack, measured_information
from noisewright.release.attacks.calibration import SuccessCertificate, calibrate_success
from noisewright.release.attacks.evaluation import attack
from noisewright.release.attacks.likelihood_ratio import EmpiricalLira, GaussianLira, LinearAttack
from noisewright.release.attacks.result import AttackReport, AttackResult
from noisewright.release.attacks.trials import Bonferroni, Split

__all__ = [
    "AttackReport",
    "AttackResult",
    "BayesAttack",
    "Bonferroni",
    "EmpiricalLira",
    "GaussianLira",
    "LinearAttack",
    "Split",
    "SuccessCertificate",
    "attack",
    "calibrate_success",
    "measured_information",
]
