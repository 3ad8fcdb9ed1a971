"""Model files that run code when they are opened: pickles and joblib files."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

from noisewright.errors import BadModel


def load_trusted(path: Path) -> Any:
    """The object in a pickle or joblib file; only for a file whose maker the user trusts."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        loaded = _load(path)
    versions = [item for item in caught if hasattr(item.message, "original_sklearn_version")]
    if versions:
        _warn_of_versions(path, versions[0].message)
    for item in caught:
        if item not in versions:
            warnings.warn_explicit(item.message, item.category, item.filename, item.lineno)
    return loaded


def _load(path: Path) -> Any:
    """Unpickle; whatever goes wrong is a refusal."""
    try:
        return _opener()(path)
    except ModuleNotFoundError as missing:
        raise BadModel(f"{path.name} needs the package {missing.name}, which is not installed") from None
    except (Exception, SystemExit) as error:
        raise BadModel(
            f"{path.name} could not be opened as a pickle ({type(error).__name__}); it is damaged, or was "
            "written by versions of Python or its packages that do not fit those here"
        ) from None


def _opener() -> Any:
    """The reader of joblib, which reads plain pickles, too; Python's own where joblib is not installed."""
    try:
        import joblib  # noqa: PLC0415  # heavy, and only such files need it
    except ImportError:
        return lambda path: pickle.loads(path.read_bytes())  # noqa: S301  # the user said --trust
    return joblib.load


def _warn_of_versions(path: Path, mismatch: Any) -> None:
    """One sentence in place of scikit-learn's, which says it once for every tree of a forest."""
    warnings.warn(
        f"{path.name} was written with scikit-learn {mismatch.original_sklearn_version} and is opened with "
        f"{mismatch.current_sklearn_version}; its answers may differ from those of its maker",
        stacklevel=2,
    )
