"""Mechanisms for labels from a public list, made for counting how frequent each label is."""

from noisewright.mechanisms.categorical.choice import Candidate, OracleChoice, best_oracle
from noisewright.mechanisms.categorical.exponential import LabelExponential
from noisewright.mechanisms.categorical.hadamard import HadamardResponse
from noisewright.mechanisms.categorical.hashing import OLH
from noisewright.mechanisms.categorical.krr import KRR, RR
from noisewright.mechanisms.categorical.oracle import CodedOracle, FrequencyOracle, SupportLaw
from noisewright.mechanisms.categorical.subset import SubsetSelection
from noisewright.mechanisms.categorical.unary import OUE, SUE, UnaryEncoding

__all__ = [
    "KRR",
    "OLH",
    "OUE",
    "RR",
    "SUE",
    "Candidate",
    "CodedOracle",
    "FrequencyOracle",
    "HadamardResponse",
    "LabelExponential",
    "OracleChoice",
    "SubsetSelection",
    "SupportLaw",
    "UnaryEncoding",
    "best_oracle",
]
