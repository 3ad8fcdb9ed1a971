"""Surveys: estimates about the people behind a collection of reports, and plans for one."""

from noisewright.survey.estimates import EstimateRequest, Estimates, estimate_all, estimate_file
from noisewright.survey.plan import Plan, PlannedModel, Question

__all__ = [
    "EstimateRequest",
    "Estimates",
    "Plan",
    "PlannedModel",
    "Question",
    "estimate_all",
    "estimate_file",
]
