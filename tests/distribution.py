"""Build wheel and sdist, install them into clean environments away from the checkout, and use them there.

    python tests/distribution.py        # what `make dist` runs; the files are left in dist/

The wheel is installed without extras, the sdist with all of them; dependencies come from where pip is set up to
look, in the versions of ``requirements.lock``. ``clean_environment.py`` then does what the README says. Times are
printed for people to read; nothing depends on them.
"""

from __future__ import annotations

import hashlib
import os
import re
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
BUILT_FROM = ("src", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff",
              "SECURITY.md")  # fmt: skip
DOCUMENTS = {"CHANGELOG.md", "CITATION.cff", "LICENSE", "MANIFEST.in", "PKG-INFO", "README.md", "SECURITY.md",
             "pyproject.toml", "setup.cfg"}  # fmt: skip
"""What the sdist holds beside the package."""


def check(holds: bool, complaint: str) -> None:
    """Stop with a sentence; an assertion would vanish under ``python -O``."""
    if not holds:
        raise SystemExit(f"make dist: {complaint}")


class Clock:
    """Wall-clock time and processor time of everything that was started, since it was made."""

    def __init__(self) -> None:
        self.started, self.used = time.monotonic(), self._processor()

    @staticmethod
    def _processor() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    def __str__(self) -> str:
        wall, processor = time.monotonic() - self.started, self._processor() - self.used
        return f"{wall:.0f} s ({processor:.0f} s of processor time)"


def clean_variables(environment: Path | None = None) -> dict[str, str]:
    """The variables of this process without what would lead Python back to the checkout."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))
    }
    path = os.environ["PATH"].split(os.pathsep)
    path = [folder for folder in path if not Path(folder).resolve().is_relative_to(ROOT)]
    front = [str(environment / "bin")] if environment else []
    return kept | {
        "PATH": os.pathsep.join(front + path),
        "PYTHONNOUSERSITE": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def run(*command: str | Path, cwd: Path, environment: Path | None = None, quiet: bool = False) -> None:
    """Run a command that has to end with 0; what it prints is shown, if quiet only when it fails."""
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=clean_variables(environment), check=False, text=True,
        stdout=subprocess.PIPE if quiet else None, stderr=subprocess.STDOUT if quiet else None,
    )  # fmt: skip
    if done.returncode:
        print(done.stdout or "", end="", file=sys.stderr)
    check(done.returncode == 0, f"{' '.join(map(str, command))} ended with {done.returncode}")


def build(folder: Path) -> tuple[Path, Path]:
    """Build the sdist, and from it the wheel, into ``dist/``; compare the wheel with one built directly."""
    shutil.rmtree(DIST, ignore_errors=True)
    copy = folder / "copy"  # an old `build` or `egg-info` of the checkout could bring files back
    for name in BUILT_FROM:
        source, target = ROOT / name, copy / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    maker = (sys.executable, "-m", "build", "--no-isolation")
    run(*maker, "--outdir", DIST, copy, cwd=folder, quiet=True)
    run(*maker, "--wheel", "--outdir", folder / "direct", copy, cwd=folder, quiet=True)
    wheels, sdists = list(DIST.glob("*.whl")), list(DIST.glob("*.tar.gz"))
    check(len(wheels) == len(sdists) == 1, "there is not one wheel and one sdist")
    (direct,) = (folder / "direct").glob("*.whl")
    check(wheel_files(wheels[0]) == wheel_files(direct), "the sdist builds another wheel than the checkout")
    return wheels[0], sdists[0]


def wheel_files(wheel: Path) -> dict[str, str]:
    """The names and digests of the files of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in names}


def package_files() -> set[str]:
    """Every file of the package in the checkout: modules, stubs, the mark of types, data."""
    found = (ROOT / "src" / "noisewright").rglob("*")
    return {
        path.relative_to(ROOT / "src").as_posix()
        for path in found
        if path.is_file() and "__pycache__" not in path.parts
    }


def check_contents(wheel: Path, sdist: Path) -> str:
    """Check that both have all of the package and nothing else; return the version."""
    version = re.search(r'__version__ = "(.+)"', (ROOT / "src/noisewright/__init__.py").read_text())[1]  # type: ignore[index]
    info = f"noisewright-{version}.dist-info/"
    held = {name for name in wheel_files(wheel) if not name.startswith(info)}
    check({"noisewright/py.typed", "noisewright/__init__.pyi"} <= held, "the wheel has no types")
    lost, extra = package_files() - held, held - package_files()
    check(not lost, f"the wheel lacks {sorted(lost)}")
    check(not extra, f"the wheel has also {sorted(extra)}")
    with tarfile.open(sdist) as archive:
        members = {m.name.split("/", 1)[1] for m in archive.getmembers() if m.isfile()}
    inside = {name for name in members if not name.startswith("src/noisewright.egg-info/")}
    expected = {f"src/{name}" for name in package_files()} | DOCUMENTS
    check(inside == expected, f"the sdist differs by {sorted(inside ^ expected)}")
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read(info + "METADATA").decode()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for line in (f"Version: {version}", f"Requires-Python: {project['requires-python']}",
                 *(f"Provides-Extra: {extra}" for extra in project["optional-dependencies"])):  # fmt: skip
        check(f"\n{line}\n" in metadata, f"the wheel does not say {line}")
    print(
        f"  {wheel.name}: {len(held)} files, {wheel.stat().st_size / 1e6:.1f} MB; the sdist builds the same"
    )
    return version


def constraints(folder: Path) -> Path:
    """The versions of the lock, without digests: pip would ask for one of our own files, too."""
    pinned = re.findall(
        r"^([\w.-]+==[^\\\n]+?)\s*\\?$", (ROOT / "requirements.lock").read_text(), re.MULTILINE
    )
    path = folder / "constraints.txt"
    path.write_text("\n".join([*pinned, ""]))
    return path


def environment(folder: Path, name: str, requirement: str) -> Path:
    """A new virtual environment with one requirement, its dependencies as in the lock."""
    place = folder / name
    run(sys.executable, "-m", "venv", place, cwd=folder)
    pip = (place / "bin" / "python", "-m", "pip", "--disable-pip-version-check")
    run(*pip, "install", "--quiet", "--constraint", constraints(folder), requirement, cwd=folder, quiet=True)
    run(*pip, "check", cwd=folder, quiet=True)
    return place


def use(folder: Path, place: Path, part: str) -> None:
    """Run one part of ``clean_environment.py`` in an environment and an empty folder."""
    work = folder / f"{place.name}-work"
    work.mkdir(exist_ok=True)
    script = folder / "tests" / "clean_environment.py"
    run(place / "bin" / "python", script, part, cwd=work, environment=place)


def main() -> None:
    whole = Clock()
    with tempfile.TemporaryDirectory(prefix="noisewright-dist-") as name:
        folder = Path(name).resolve()
        print("Build wheel and sdist", flush=True)
        wheel, sdist = build(folder)
        version = check_contents(wheel, sdist)
        (folder / "tests").mkdir()
        for file in ("README.md", "tests/reading.py", "tests/clean_environment.py"):
            shutil.copy(ROOT / file, folder / file)

        print(f"The core of {version}, from the wheel, without extras", flush=True)
        clock = Clock()
        core = environment(folder, "core", str(wheel))
        use(folder, core, "core")
        print(f"  empty folder to first estimate: {clock}", flush=True)
        use(folder, core, "refusals")

        print("All extras, from the sdist", flush=True)
        clock = Clock()
        everything = environment(folder, "all", f"noisewright[all] @ {sdist.as_uri()}")
        use(folder, everything, "survey")
        print(f"  empty folder to first estimate, with all extras and the tour: {clock}", flush=True)
        use(folder, everything, "readme")
    print(f"All of it: {whole}. dist/ has {wheel.name} and {sdist.name}.")


if __name__ == "__main__":
    main()
