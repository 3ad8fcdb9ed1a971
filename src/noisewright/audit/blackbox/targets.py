"""What an audit can be pointed at: a function, an object that randomizes values, a command, an address."""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from operator import attrgetter
from typing import Any, Final

from noisewright.audit.basics.claim import Claim
from noisewright.audit.blackbox.base import BlackBox
from noisewright.audit.blackbox.command import Command
from noisewright.audit.blackbox.endpoint import Endpoint
from noisewright.audit.blackbox.functions import Calls, MechanismBox, Vectorized
from noisewright.domains import FiniteDomain, NumericDomain
from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.guarantees import Guarantee
from noisewright.io.http_client import is_url
from noisewright.mechanisms import Mechanism


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
        case _ if randomizes(thing):
            return MechanismBox(thing, timeout)
        case _ if callable(thing):
            return Vectorized(thing, timeout) if vectorized else Calls(thing, timeout)
    raise InvalidParameter(
        "a mechanism to audit is a function, an object with perturb, a command line with {input}, or a web "
        f"address, not {type(thing).__name__}"
    )


# -- names ---------------------------------------------------------------------------------------------


IN_MODULE: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


@contextmanager
def current_folder() -> Iterator[None]:
    """Modules of the current folder are found, here and in every worker, after those installed."""
    here = os.getcwd()
    sys.path.append(here)
    try:
        yield
    finally:
        sys.path.remove(here)


def import_target(text: str) -> Any:
    """Return the callable ``module:name``; what goes wrong in the module is told by its kind alone."""
    module, name = text.split(":")
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = error.name
        if missing is None or not f"{module}.".startswith(f"{missing}."):
            why = f"the module {module} needs {missing}, which is not installed here"
        elif module.endswith(".py"):
            why = f"name the module without .py: {module.removesuffix('.py')}:function"
        else:
            why = f"there is no module {module} in this folder or among those installed"
        raise BadMechanism(why) from None
    except (Exception, SystemExit) as error:
        kind = type(error).__name__
        raise BadMechanism(
            f"the module {module} could not be imported ({kind}); import it in Python to see why"
        ) from None
    try:
        target = attrgetter(name)(found)
    except AttributeError:
        raise BadMechanism(f"the module {module} has nothing of the name {name}") from None
    if not (callable(target) or randomizes(target)):
        raise BadMechanism(f"{text} is a {type(target).__name__}; name a function or a mechanism")
    return target


def randomizes(thing: object) -> bool:
    """Whether a thing is no function but randomizes values: one of our mechanisms, or one like them."""
    return callable(getattr(thing, "perturb", None)) and not isinstance(thing, type)


def own_claim(thing: object) -> Claim | None:
    """Return what a thing says of itself, where that is an ε and perhaps a δ for any two inputs."""
    guarantee = getattr(thing, "guarantee", None)
    if not isinstance(guarantee, Guarantee):
        return None
    try:
        return Claim.from_guarantee(guarantee)
    except InvalidParameter:
        return None


def farthest(mechanism: Mechanism) -> tuple[Any, Any]:
    """Return two inputs of a mechanism that lie as far apart as its domain allows.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> farthest(OGPM(Interval(40, 200), 1.0))
    (40.0, 200.0)
    """
    domain = mechanism.domain
    if isinstance(domain, FiniteDomain):
        return domain.labels[0], domain.labels[-1]
    if not isinstance(domain, NumericDomain):
        raise InvalidParameter(f"give two inputs of {type(mechanism).__name__} with --left and --right")
    left, right = domain.places(2).tolist()
    return left, right
