"""Auditing: whether a mechanism, ours or a vendor's, is as private as it claims.

An audit runs a black box on two inputs that differ in one person, and learns to tell the outputs apart. It
draws the whole curve δ(ε) with bounds that hold at a stated confidence. It says "this claim is false, and
this event shows it", or "nothing found in these runs; a larger violation would have been found".

    >>> def release(total, count, generator):
    ...     return total + generator.laplace(scale=1.0, size=count)
    >>> found = audit(release, 0.0, 1.0, claim="epsilon=0.5", samples=20_000, vectorized=True, seed=1)
    >>> found.verdict, 0.5 < found.epsilon_lower() < 1.0
    ('false', True)

Read ``audits.py`` first, then ``spectrum/pair.py``. It draws runs (``experiment/``) of a black box
(``blackbox/``), learns to tell them apart (``encoding/``, ``scores/``), and bounds what that shows
(``bounds/``). ``spectrum/`` is the result and its report. ``neighbours/`` searches for a worst pair, and
``monitor/`` audits without end. ``evidence.py`` signs results, ``verification.py`` checks them, and
``truth.py`` has spectra that are known exactly.
"""

from importlib.util import find_spec

from noisewright.errors import MissingExtra

if find_spec("sklearn") is None:
    raise MissingExtra.of("auditing needs scikit-learn", "models")

from noisewright.audit.audits import audit, audit_database, audit_pair, audit_relative
from noisewright.audit.basics.claim import Claim
from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.blackbox import BlackBox, black_box
from noisewright.audit.experiment import Experiment
from noisewright.audit.monitor import Monitor, State, watch
from noisewright.audit.neighbours import Found, RelativeSpectrum, SearchRequest, find_pair
from noisewright.audit.spectrum import AuditRequest, Spectrum
from noisewright.audit.spectrum.explanation import Witness
from noisewright.audit.spectrum.power import best_event, plan_sentence, samples_to_refute, smallest_visible
from noisewright.audit.spectrum.spectrum import TradeOff

__all__ = [
    "AuditRequest",
    "BlackBox",
    "Claim",
    "Experiment",
    "Found",
    "Monitor",
    "Outputs",
    "RelativeSpectrum",
    "SearchRequest",
    "Spectrum",
    "State",
    "TradeOff",
    "Witness",
    "audit",
    "audit_database",
    "audit_pair",
    "audit_relative",
    "best_event",
    "black_box",
    "find_pair",
    "plan_sentence",
    "samples_to_refute",
    "smallest_visible",
    "watch",
]
