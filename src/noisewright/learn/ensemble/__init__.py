"""Many weak rules combined into one: who is asked what, the rounds of questions, and the use of feedback.

>>> make_plan(3000, width=4)
Plan(weak=48, training=600, subset=60, evaluation=2400, checking=0)
"""

from noisewright.learn.ensemble.mixture import Mixing, Mixture
from noisewright.learn.ensemble.plan import Plan, make_plan
from noisewright.learn.ensemble.procedure import mrma_procedure

__all__ = ["Mixing", "Mixture", "Plan", "make_plan", "mrma_procedure"]
