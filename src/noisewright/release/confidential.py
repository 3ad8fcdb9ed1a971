"""Results that hold more than was released: they stay where they were made."""

from __future__ import annotations

from typing import NoReturn

from noisewright.errors import InvalidParameter


class Confidential:
    """A result whose plan or facts are exact about the data, and which is therefore never copied or pickled.

    A pickle is something that people send, and that workers and caches write to disk. What may leave is in
    ``vector`` and ``model``, which can be pickled by themselves, and in a model file.
    """

    def __reduce__(self) -> NoReturn:
        raise InvalidParameter(
            f"a {type(self).__name__} holds exact outputs of private data, so it is not pickled or copied; "
            "take its model or vector, or write a model file with noisewright.release.save"
        )
