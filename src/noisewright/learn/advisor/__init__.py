"""How to share out the clients, from public numbers alone.

>>> advise(people=3000, width=4, epsilon=1.0).training
0
"""

from noisewright.learn.advisor.advice import Advice, advise
from noisewright.learn.advisor.model import Allocation, Setting, expected_accuracy

__all__ = ["Advice", "Allocation", "Setting", "advise", "expected_accuracy"]
