"""The messages between a server and a device: a task one way, one randomized answer the other way.

Both are strict JSON of bounded size and nothing else: no pickles, no code. Either side treats the other as a
stranger, so everything is checked before it is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Self

from noisewright.errors import InvalidParameter, NoisewrightError
from noisewright.io.strict_json import strict_json
from noisewright.learn.questions import Question
from noisewright.learn.rules.schema import Schema
from noisewright.ledger.keys import digest

MOST_BYTES: Final = 32 << 20
"""Bytes of one message: a rule of a million numbers fits, a flood does not."""

MOST_PARTS: Final = 2_000_000
"""Values in one message, counted by its commas and brackets before it is read. A list or an object counts as
ten: eight million empty ones would take seconds to read, and the million numbers of the largest rule do not.
"""

NAME: Final = re.compile(r"[A-Za-z0-9_.:-]{1,128}")


@dataclass(frozen=True)
class Task:
    """A question that one device is asked, with the schema that its server expects.

    Attributes:
        id: The name of the task, 1 to 128 letters, digits, dots, colons, dashes or underscores.
        question: The question.
        schema: The name of the schema (:func:`schema_name`).

    >>> from noisewright.learn.questions import SplitQuestion
    >>> from noisewright.learn.rules.schema import read_schema
    >>> task = Task("round-1", SplitQuestion(1.0, width=2), schema_name(read_schema(None, 2)))
    >>> Task.from_json(task.to_json()) == task
    True
    """

    id: str
    question: Question
    schema: str

    def __post_init__(self) -> None:
        check_name("the id of a task", self.id)
        check_name("the schema of a task", self.schema)
        if not isinstance(self.question, Question):
            raise InvalidParameter(f"a task asks a question, not a {type(self.question).__name__}")

    @property
    def receipt(self) -> str:
        """The key of the device's answer: another question under an old id is another task."""
        return f"{self.id} {digest(self.question.to_dict()).hex()}"

    def to_json(self) -> str:
        """Return the task as text for the wire."""
        parts = {"task": self.id, "question": self.question.to_dict(), "schema": self.schema}
        return json.dumps(parts, allow_nan=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read a task from a stranger's message, or refuse it."""
        parts = read_message(text, ("task", "question", "schema"))
        with refuse_broken("the question of a task"):
            question = Question.from_dict(parts["question"])
        return cls(parts["task"], question, parts["schema"])


@dataclass(frozen=True)
class Answer:
    """One device's randomized answer to a task, in plain JSON values.

    Attributes:
        task: The id of the task.
        value: The randomized answer.

    >>> Answer.from_json('{"task": "round-1", "answer": true}')
    Answer(task='round-1', value=True)
    """

    task: str
    value: Any

    def __post_init__(self) -> None:
        check_name("the task of an answer", self.task)

    def to_json(self) -> str:
        """Return the answer as text for the wire."""
        return json.dumps({"task": self.task, "answer": self.value}, allow_nan=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read an answer from a stranger's message; its question checks whether it fits."""
        parts = read_message(text, ("task", "answer"))
        return cls(parts["task"], parts["answer"])


def schema_name(schema: Schema) -> str:
    """Return a short name of a schema, the same for the same features in the same order."""
    return digest(schema.to_dict()).hex()


def read_message(text: str | bytes, fields: tuple[str, ...]) -> Mapping[str, Any]:
    """Read a JSON object with exactly some fields, or refuse it without repeating its values.

    >>> read_message('{"task": 1, "task": 2}', ("task",))
    Traceback (most recent call last):
    ...
    noisewright.errors.BadDocument: a message is not the strict JSON that Noisewright reads: a name stands
    twice (at task)
    """
    if not isinstance(text, str | bytes):
        raise InvalidParameter("a message must be JSON text")
    if len(text) <= MOST_BYTES and _parts(text) > MOST_PARTS:
        raise InvalidParameter(f"a message must hold at most {MOST_PARTS:,} values")
    parts = strict_json(text, "a message", largest=MOST_BYTES)
    if not isinstance(parts, dict) or set(parts) != set(fields):
        raise InvalidParameter(f"a message must have exactly the fields {', '.join(fields)}")
    return parts


def _parts(text: str | bytes) -> int:
    """Return an upper bound on the number of values in a JSON text."""
    if isinstance(text, bytes):
        return text.count(b",") + 10 * (text.count(b"[") + text.count(b"{"))
    return text.count(",") + 10 * (text.count("[") + text.count("{"))


@contextmanager
def refuse_broken(what: str) -> Iterator[None]:
    """Turn whatever goes wrong while a stranger's message is read into a refusal, so that nobody crashes.

    >>> with refuse_broken("the answer"):
    ...     float({})
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: the answer is broken
    """
    try:
        yield
    except NoisewrightError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise InvalidParameter(f"{what} is broken") from None


def check_name(what: str, name: object) -> None:
    """Refuse a name that no task could have."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise InvalidParameter(
            f"{what} must be 1 to 128 letters, digits, dots, colons, dashes or underscores"
        )
