"""Surveys: estimates about the people behind a collection of reports, and plans for one."""

from noisewright.survey.estimates import EstimateRequest, Estimates, estimate_all
from noisewright.survey.groups import GroupEstimates, estimate_file
from noisewright.survey.plan import Plan, PlannedModel, Question

__all__ = [
    "EstimateRequest",
    "Estimates",
    "GroupEstimates",
    "Plan",
    "PlannedModel",
    "Question",
    "estimate_all",
    "estimate_file",
]
