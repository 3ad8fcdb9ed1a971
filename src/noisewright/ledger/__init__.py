"""Budgets of people who report repeatedly: what each has spent, and what they reported before.

>>> import tempfile
>>> from noisewright import Interval, PureLDP
>>> from noisewright.mechanisms import OGPM
>>> ledger = Ledger.create(tempfile.mkdtemp() + "/people.db", budget=4.0, columns={"heart_rate": 2.0})
>>> mechanism = OGPM(Interval(40, 200), epsilon=1.0)
>>> first = ledger.perturb("anna", "heart_rate", 71.0, mechanism)
>>> first == ledger.perturb("anna", "heart_rate", 71.0, mechanism)   # remembered, and free
True
>>> ledger.spent("anna"), ledger.remaining("anna")
(PureLDP(epsilon=1.0), 3.0)
"""

from noisewright.ledger.ledger import Ledger
from noisewright.ledger.status import ColumnStatus, Entry, Statement, Status
from noisewright.ledger.terms import Terms

__all__ = ["ColumnStatus", "Entry", "Ledger", "Statement", "Status", "Terms"]
