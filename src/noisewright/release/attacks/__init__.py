"""Attacks on a release: the best one there is, LiRA, their curves, and noise calibrated against them."""

from noisewright.release.attacks.attacking import attack
from noisewright.release.attacks.bayes import BayesAttack
from noisewright.release.attacks.calibration import calibrate_success
from noisewright.release.attacks.certificate import SuccessCertificate
from noisewright.release.attacks.information import measured_information
from noisewright.release.attacks.linear import LinearAttack
from noisewright.release.attacks.lira import EmpiricalLira, GaussianLira
from noisewright.release.attacks.report import AttackReport
from noisewright.release.attacks.result import AttackResult
from noisewright.release.attacks.selection import Bonferroni, Split

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
