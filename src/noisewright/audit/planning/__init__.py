"""The sample-size planner of the audit."""

from noisewright.audit.planning.laws import BestEvent, best_event
from noisewright.audit.planning.planner import plan_sentence, samples_to_refute, smallest_visible

__all__ = ["BestEvent", "best_event", "plan_sentence", "samples_to_refute", "smallest_visible"]
