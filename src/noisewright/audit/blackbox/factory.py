"""From what a user points at to a black box."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from noisewright.audit.blackbox.base import BlackBox
from noisewright.audit.blackbox.command import Command
from noisewright.audit.blackbox.endpoint import Endpoint
from noisewright.audit.blackbox.functions import Calls, MechanismBox, Vectorized
from noisewright.errors import InvalidParameter
from noisewright.io.http_client import is_url


def black_box(
    thing: Any,
    *,
    vectorized: bool = False,
    timeout: float = 60.0,
    token_env: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> BlackBox:
    """Return the black box for a function, a mechanism, a command line with ``{input}``, or a web address.

    A function is called as ``f(data)``, or with ``vectorized`` as ``f(data, count)``; if it has a parameter
    named ``generator`` it gets a NumPy generator, which is the safest way to chance. A command line with
    ``{count}`` prints one output a line.

    Args:
        thing: What is to be audited.
        vectorized: Whether a function returns many outputs at once.
        timeout: Seconds that one output may take.
        token_env: For a web address: the environment variable that holds a bearer token.
        headers: For a web address: further headers, each with the environment variable of its value.

    >>> black_box("./tool {input}").title, black_box(lambda data, count: [0] * count, vectorized=True).title
    ('tool', '<lambda>')
    """
    if (token_env is not None or headers) and not is_url(thing):
        raise InvalidParameter("token_env and headers are for web addresses; leave them out")
    match thing:
        case BlackBox():
            return thing
        case str() if is_url(thing):
            return Endpoint(thing, timeout, token_env=token_env, headers=headers or {})
        case str():
            return Command(thing, timeout)
        case _ if callable(getattr(thing, "perturb", None)) and not isinstance(thing, type):
            return MechanismBox(thing, timeout)
        case _ if callable(thing):
            return Vectorized(thing, timeout) if vectorized else Calls(thing, timeout)
    raise InvalidParameter(
        "a mechanism to audit is a function, an object with perturb, a command line with {input}, or a web "
        f"address, not {type(thing).__name__}"
    )
