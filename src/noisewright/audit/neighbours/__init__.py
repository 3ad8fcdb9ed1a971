"""Searching for bad pairs: neighbours of a database, a race that finds the worst, and what it gives away."""

from noisewright.audit.neighbours.finding import Found, find_pair
from noisewright.audit.neighbours.keeping import keeps_runs
from noisewright.audit.neighbours.pair import Pair
from noisewright.audit.neighbours.proposals import Proposals, Relation, propose
from noisewright.audit.neighbours.relative import audit_database, audit_relative
from noisewright.audit.neighbours.relative_spectrum import RelativeSpectrum
from noisewright.audit.neighbours.screening import Screened

__all__ = [
    "Found",
    "Pair",
    "Proposals",
    "Relation",
    "RelativeSpectrum",
    "Screened",
    "audit_database",
    "audit_relative",
    "find_pair",
    "keeps_runs",
    "propose",
]
