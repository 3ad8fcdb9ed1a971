"""What must be said with a lesson, so that nobody takes a simulation for protection."""

from __future__ import annotations

from noisewright.guarantees import PureLDP
from noisewright.pages.learn_lesson import Lesson
from noisewright.randomness import SIMULATED
from noisewright.text import plain

PLAYED = (
    "The clients were simulated: one program held all rows and played every client with them. It shows what "
    "would be learned from people's devices, and protects nobody whose row is in the table. In the field a "
    "Client on each device and a Coordinator do the same, and no record leaves a device."
)
COVERED = "ε covers the whole record, the label included, and every client answers once."
CHECKED = (
    "The private scorecard is paid for within the same ε: clients who had no part in learning answered one "
    "randomized question each. Its intervals hold one by one, in 95 % of collections from such people."
)
PASSED_ON = (
    "The classifier follows from randomized answers alone, so learning it from devices and passing it on "
    "costs nobody more than ε."
)
UNLISTED = (
    "The classes were read off the table. In the field their list must be public: name it with --classes."
)
NOT_SHOWN = (
    "Nothing shows that this classifier beats always giving the same answer: more clients, a larger ε or "
    "fewer features may, and so may domains that fit where people are."
)
UNCALIBRATED = "Scores of MRMA are no log odds, so its probabilities need not mean what they say."


def caveats(lesson: Lesson) -> list[str]:
    """What must be said, the most important first."""
    card = lesson.card
    return [
        PLAYED,
        *([f"The noise was {SIMULATED}."] if lesson.simulated else []),
        f"{COVERED} {PureLDP(lesson.epsilon).explain()}",
        *([] if card is None else [CHECKED]),
        *([NOT_SHOWN] if card is not None and card.beats_majority != "yes" else []),
        *([UNCALIBRATED] if lesson.method.name == "mrma" else []),
        *([] if lesson.source.listed else [UNLISTED]),
        *([] if lesson.test is None else [_tested(lesson)]),
        *([] if lesson.simulated else [PASSED_ON]),
    ]


def _tested(lesson: Lesson) -> str:
    return (
        f"The records of {plain(lesson.tested)} were looked at as they are, so the measured scorecard is NOT "
        "private: keep what shows it as confidential as they are. The saved classifier does not hold it."
    )
