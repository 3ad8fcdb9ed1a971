"""Mechanisms: exact channels from true values to reports.

Importing this package fills :data:`Mechanism.registry`, which the command line, the report files and the
conformance tests read.
"""

from noisewright.mechanisms.additive import Laplace, Purkayastha, Staircase, TruncatedLaplace
from noisewright.mechanisms.basics.base import Mechanism
from noisewright.mechanisms.basics.finite import FiniteLaw, FiniteMechanism
from noisewright.mechanisms.categorical import (
    KRR,
    OLH,
    OUE,
    RR,
    SUE,
    CodedOracle,
    FrequencyOracle,
    HadamardResponse,
    LabelExponential,
    OracleChoice,
    SubsetSelection,
    UnaryEncoding,
    best_oracle,
)
from noisewright.mechanisms.categorical.choice import oracle
from noisewright.mechanisms.designed import DesignedLaw, DesignedTable
from noisewright.mechanisms.duchi import Duchi, Hybrid
from noisewright.mechanisms.gaussian import ExtendedGaussian, Gaussian
from noisewright.mechanisms.joint import JointOLH, JointOUE, JointRandomizedResponse, JointSUE
from noisewright.mechanisms.law import Law
from noisewright.mechanisms.numeric import NumericMechanism
from noisewright.mechanisms.piecewise import OGPM, PM, PMC, SW, SWC, CircularOGPM, UnbiasedOGPM
from noisewright.mechanisms.tabular import BinnedKRR, BoundedLaplace, Exponential
from noisewright.mechanisms.truncated import TPM, TSW
from noisewright.mechanisms.tuned import OptimalWindow, TunedWindow

__all__ = [
    "KRR",
    "OGPM",
    "OLH",
    "OUE",
    "PM",
    "PMC",
    "RR",
    "SUE",
    "SW",
    "SWC",
    "TPM",
    "TSW",
    "BinnedKRR",
    "BoundedLaplace",
    "CircularOGPM",
    "CodedOracle",
    "DesignedLaw",
    "DesignedTable",
    "Duchi",
    "Exponential",
    "ExtendedGaussian",
    "FiniteLaw",
    "FiniteMechanism",
    "FrequencyOracle",
    "Gaussian",
    "HadamardResponse",
    "Hybrid",
    "JointOLH",
    "JointOUE",
    "JointRandomizedResponse",
    "JointSUE",
    "LabelExponential",
    "Laplace",
    "Law",
    "Mechanism",
    "NumericMechanism",
    "OptimalWindow",
    "OracleChoice",
    "Purkayastha",
    "Staircase",
    "SubsetSelection",
    "TruncatedLaplace",
    "TunedWindow",
    "UnaryEncoding",
    "UnbiasedOGPM",
    "best_oracle",
    "oracle",
]
