"""The questions that clients are asked, and how their answers hide them.

>>> from noisewright.learn.questions import SplitQuestion
>>> SplitQuestion(1.0, width=4).guarantee
PureLDP(epsilon=1.0)
"""

from noisewright.learn.questions.base import Question
from noisewright.learn.questions.choice import CellQuestion, CheckQuestion, ComparisonQuestion
from noisewright.learn.questions.feedback import FeedbackQuestion
from noisewright.learn.questions.product import ProductQuestion, RecordProduct, ScoreQuestion
from noisewright.learn.questions.split import SampledQuestion, SplitQuestion

__all__ = [
    "CellQuestion",
    "CheckQuestion",
    "ComparisonQuestion",
    "FeedbackQuestion",
    "ProductQuestion",
    "Question",
    "RecordProduct",
    "SampledQuestion",
    "ScoreQuestion",
    "SplitQuestion",
]
