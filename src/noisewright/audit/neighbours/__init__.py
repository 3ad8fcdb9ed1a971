"""The search for a worst pair: neighbours of a database, a race among them, and bounds for the winner."""

from noisewright.audit.neighbours.draws import keeps_runs
from noisewright.audit.neighbours.pairs import Pair
from noisewright.audit.neighbours.proposals import Proposals, Relation, SearchRequest, propose
from noisewright.audit.neighbours.relative_spectrum import RelativeSpectrum
from noisewright.audit.neighbours.search import Found, Screened, find_pair

__all__ = [
    "Found",
    "Pair",
    "Proposals",
    "Relation",
    "RelativeSpectrum",
    "Screened",
    "SearchRequest",
    "find_pair",
    "keeps_runs",
    "propose",
]
