"""The size and order of the source tree in numbers, each with a limit that may only fall.

    python -m benchmarks.house [--verbose]

``make lint`` runs it, and fails if a number is above its limit. A smaller number is a reason to lower the
limit in the same change.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1] / "src" / "noisewright"
SMALL: Final = 120
"""Lines below which a module needs a second importer to earn its place."""

NOUNS: Final = {"rounding", "garbling", "smoothing", "boosting", "hashing", "pooling", "string", "ring"}
"""Words of the field that end like a gerund."""

LIMITS: Final = {
    "files": 627,
    "lines": 107_269,
    "import lines, % of code": 9.9,
    f"modules under {SMALL} lines with one importer": 26,
    "files named by a gerund": 1,  # successive_halving, the name of an algorithm
    "pairs of folders that import each other": 0,
}


@dataclass
class House:
    """All modules of the package, and who imports whom.

    Attributes:
        root: The folder of the package.
    """

    root: Path = ROOT
    importers: dict[Path, set[Path]] = field(default_factory=lambda: defaultdict(set))
    folders: dict[Path, set[Path]] = field(default_factory=lambda: defaultdict(set))
    import_lines: int = 0

    def __post_init__(self) -> None:
        for path, text in self.texts.items():
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    self.import_lines += (node.end_lineno or node.lineno) - node.lineno + 1
                    self._note(path, node)

    def _note(self, path: Path, node: ast.Import | ast.ImportFrom) -> None:
        names = {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            names = {str(node.module), *(f"{node.module}.{name}" for name in names)}
        for target in {self.modules[name] for name in names if name in self.modules} - {path}:
            self.folders[path.parent].add(target.parent)
            if path.name != "__init__.py":
                self.importers[target].add(path)

    @cached_property
    def texts(self) -> dict[Path, str]:
        """The source of every module."""
        return {path: path.read_text(encoding="utf-8") for path in sorted(self.root.rglob("*.py"))}

    @cached_property
    def modules(self) -> dict[str, Path]:
        """Every module by its dotted name."""
        parts = {path: path.relative_to(self.root.parent).with_suffix("").parts for path in self.texts}
        return {".".join(names).removesuffix(".__init__"): path for path, names in parts.items()}

    @cached_property
    def lines(self) -> dict[Path, int]:
        """The number of lines of every module."""
        return {path: len(text.splitlines()) for path, text in self.texts.items()}

    @property
    def single(self) -> list[Path]:
        """Small modules that only one other module imports."""
        return [
            path for path, count in self.lines.items()
            if not path.name.startswith("__") and count < SMALL and len(self.importers[path]) == 1
        ]  # fmt: skip

    @property
    def gerunds(self) -> list[Path]:
        """Modules that are named by what a line is doing."""
        named = re.compile(r"(?:.*_)?[a-z]{3,}ing")
        return [path for path in self.texts if named.fullmatch(path.stem) and path.stem not in NOUNS]

    @property
    def mutual(self) -> list[tuple[Path, Path]]:
        """Pairs of folders that import each other."""
        pairs = {(min(one, other), max(one, other)) for one in self.folders for other in self.folders[one]}
        return sorted(
            (one, other)
            for one, other in pairs
            if one != other and other in self.folders[one] and one in self.folders[other]
        )

    def measures(self) -> dict[str, float]:
        """Return the numbers in the order of the limits."""
        code = sum(
            bool(line.strip()) and not line.strip().startswith("#")
            for text in self.texts.values()
            for line in text.splitlines()
        )
        found = (
            len(self.texts), sum(self.lines.values()), round(100 * self.import_lines / code, 1),
            len(self.single), len(self.gerunds), len(self.mutual),
        )  # fmt: skip
        return dict(zip(LIMITS, found, strict=True))


def main() -> int:
    """Print the numbers beside their limits; 1 if one is above."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.house", description=__doc__)
    options.add_argument("--verbose", action="store_true", help="name the modules and folders")
    verbose = options.parse_args().verbose
    house = House()
    measures = house.measures()
    for name, value in measures.items():
        print(f"{name}: {value:g} of at most {LIMITS[name]:g}")
    if verbose:
        for title, paths in (("one importer", house.single), ("gerunds", house.gerunds)):
            print(f"{title}:", *(f"  {path.relative_to(house.root)}" for path in paths), sep="\n")
        pairs = (f"  {one.relative_to(ROOT)} and {other.relative_to(ROOT)}" for one, other in house.mutual)
        print("import each other:", *pairs, sep="\n")
    above = [name for name, value in measures.items() if value > LIMITS[name]]
    if above:
        print(f"above their limit: {', '.join(above)}")
    return int(bool(above))


if __name__ == "__main__":
    raise SystemExit(main())
