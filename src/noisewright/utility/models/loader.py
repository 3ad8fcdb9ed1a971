"""Loader of models: from a file, an address, or an object in a module."""

from __future__ import annotations

import importlib
import os
import pickle
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from typing import Any

from noisewright.errors import BadModel, InvalidParameter, MissingExtra
from noisewright.utility.models.classifier import Classifier, as_classifier

PICKLES = (".joblib", ".pkl", ".pickle")
IN_MODULE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
KINDS = "a file .onnx, .joblib, .pkl or .pickle, an address https://..., or module:name"


def open_model(
    where: str | Path,
    *,
    trust: bool = False,
    classes: Sequence[Any] | None = None,
    output: str | None = None,
    token_env: str | None = None,
    headers: Mapping[str, str] | None = None,
    allow_plain: bool = False,
    timeout: float = 10.0,
) -> Classifier:
    """Open the classifier at a place: an ONNX, pickle or joblib file, an HTTP address, or ``module:name``.

    Pickles and modules run code when they are opened, and an endpoint on another machine receives the
    records: all are refused without ``trust``.

    Args:
        where: The place of the model.
        trust: Whether to run its code, or to send it the records.
        classes: The labels of a model that does not declare them.
        output: The output of an ONNX file to read, if it has several.
        token_env: For an address: the environment variable that holds a bearer token.
        headers: For an address: further headers, each with the environment variable of its value.
        allow_plain: For an address: whether http:// is also allowed for other machines.
        timeout: For an address: seconds that each exchange may take.

    >>> open_model("model.pkl")
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: model.pkl runs code when it is opened, ...
    """
    from noisewright.io.http_client import is_url  # noqa: PLC0415  # its room is heavy

    text = str(where)
    if (token_env is not None or headers) and not is_url(text):
        raise InvalidParameter("token_env and headers are for web addresses; leave them out")
    if is_url(text):
        from noisewright.utility.models.endpoint import Endpoint  # noqa: PLC0415  # brings http and ssl along

        declared = None if classes is None else tuple(classes)
        found = Endpoint(
            text, classes=declared, token_env=token_env, headers=headers or {}, allow_plain=allow_plain,
            timeout=timeout,
        )  # fmt: skip
        _need_permission(found, trust)
        return found
    if "://" in text:
        raise InvalidParameter(f"only http:// and https:// addresses are models; give {KINDS}")
    path = Path(where)
    ending = path.suffix.lower()
    if ending in PICKLES:
        _need_trust(path.name, trust)
        return as_classifier(load_trusted(_readable_file(path)), classes=classes)
    if ending == ".onnx":
        from noisewright.utility.models.onnx_file import OnnxClassifier  # noqa: PLC0415

        return OnnxClassifier(_readable_file(path), classes=classes, output=output)
    if IN_MODULE.fullmatch(text) and not os.path.exists(path):
        return as_classifier(_import_object(text, trust), classes=classes)
    raise InvalidParameter(f"{path.name or text!r} does not look like a model; give {KINDS}")


def _import_object(text: str, trust: bool) -> Any:
    """Return the object ``module:name``; modules in the current folder are found after those installed."""
    _need_trust(text, trust)
    module, name = text.split(":")
    try:
        sys.path.append("")
        found = importlib.import_module(module)
    except (Exception, SystemExit) as error:
        raise BadModel(f"the module {module} could not be imported ({type(error).__name__})") from None
    finally:
        sys.path.remove("")
    try:
        return attrgetter(name)(found)
    except AttributeError:
        raise BadModel(f"the module {module} has nothing named {name}") from None


def _need_trust(name: str, trust: bool) -> None:
    if trust is not True:
        raise InvalidParameter(
            f"{name} runs code when it is opened, and could do anything that you can; if you trust its "
            "maker, pass trust=True (an .onnx file needs no trust)"
        )


def _need_permission(endpoint: Any, trust: bool) -> None:
    if trust is not True and not endpoint.local:
        raise InvalidParameter(
            f"{endpoint.name} would receive the true records, and values near them; if it may see them, pass "
            "trust=True"
        )


def _readable_file(path: Path) -> Path:
    """Return a path to a readable file; refuse any other."""
    if os.path.isdir(path):
        raise BadModel(f"{path.name} is a folder, not a model file")
    if not os.path.exists(path):  # unlike Path.exists, silent about names that no file can have
        raise BadModel(f"there is no file {path.name} in that folder")
    if not os.path.isfile(path) or not os.access(path, os.R_OK):
        raise BadModel(f"{path.name} is not a regular file that you may read")
    return path


def load_trusted(path: Path) -> Any:
    """Return the object in a pickle or joblib file; only for a file whose maker the user trusts."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        loaded = _load(path)
    versions = [item for item in caught if hasattr(item.message, "original_sklearn_version")]
    if versions:  # one sentence in place of scikit-learn's warning for every tree of a forest
        mismatch: Any = versions[0].message
        warnings.warn(
            f"{path.name} was written with scikit-learn {mismatch.original_sklearn_version} and is opened "
            f"with {mismatch.current_sklearn_version}; its answers may differ from those of its maker",
            stacklevel=2,
        )
    for item in caught:
        if item not in versions:
            warnings.warn_explicit(item.message, item.category, item.filename, item.lineno)
    return loaded


def _load(path: Path) -> Any:
    """Unpickle with joblib, which also reads plain pickles; every failure is refused."""
    try:
        if find_spec("joblib") is None:
            return pickle.loads(path.read_bytes())  # noqa: S301  # the user said --trust
        import joblib  # noqa: PLC0415  # heavy, and only such files need it

        return joblib.load(path)
    except ModuleNotFoundError as missing:
        if str(missing.name).partition(".")[0] in ("sklearn", "joblib"):
            raise MissingExtra.of(f"{path.name} needs scikit-learn", "models") from None
        raise BadModel(f"{path.name} needs the package {missing.name}, which is not installed") from None
    except (Exception, SystemExit) as error:
        raise BadModel(
            f"{path.name} could not be opened as a pickle ({type(error).__name__}); it is damaged, or was "
            "written by incompatible versions of Python or its packages"
        ) from None
