"""Run the scenes and write down what they show: ``python tests/golden/recording.py FOLDER``."""

from __future__ import annotations

import contextlib
import hashlib
import io
import itertools
import os
import re
import secrets
import shlex
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from scenes import SCENES, prepare  # noqa: E402

BLOCKS = {"h1", "h2", "h3", "p", "li", "dt", "dd", "th", "td", "caption", "pre", "figcaption", "footer", "tr"}


class PageText(HTMLParser):
    """The text of a page, a line for each block, without style and drawings."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.hidden = 0
        self.name = ""

    def handle_starttag(self, tag, attrs):
        if tag in ("style", "svg"):
            self.hidden += 1
            if tag == "svg":
                self.lines.append(f"svg: {dict(attrs).get('aria-label')}")
        elif tag in BLOCKS:
            self.lines.append(f"{tag}: ")

    def handle_endtag(self, tag):
        if tag in ("style", "svg"):
            self.hidden -= 1

    def handle_data(self, data):
        if not self.hidden and data.strip() and self.lines:
            self.lines[-1] += " ".join(data.split()) + " "


def page_text(html: str) -> str:
    """What a reader of a page reads."""
    parser = PageText()
    parser.feed(html)
    return "\n".join(line.rstrip() for line in parser.lines if line.rstrip() not in ("tr:", "td:")) + "\n"


def timeless(text: str, folder: Path) -> str:
    """A text without the folder, moments and durations."""
    text = text.replace(str(folder), "FOLDER")
    text = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00| UTC)?", "MOMENT", text)
    return re.sub(r"\b\d+(\.\d+)? (seconds|s|ms)\b", "TIME", text)


def record(names=SCENES) -> dict[str, str]:
    """What each scene prints and writes, by the name of the file that keeps it."""
    from noisewright.cli.main import main

    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place), fixed_chance():
        folder = Path(place).resolve()
        sys.path.insert(0, str(folder))
        prepare(folder)
        for name in names:
            arguments = shlex.split(SCENES[name])
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = main(arguments)
            found[f"{name}.txt"] = timeless(
                f"exit {code}\n-- stderr\n{err.getvalue()}-- stdout\n{out.getvalue()}", folder
            )
            if "--html" in arguments:
                page = folder / arguments[arguments.index("--html") + 1]
                html = page.read_text() if page.exists() else ""
                found[f"{name}.page.txt"] = timeless(page_text(html), folder)
        sys.path.remove(str(folder))
    return found


@contextlib.contextmanager
def fixed_chance():
    """Within this, what the system says is random is the same every time."""
    count = itertools.count()
    former = os.urandom, secrets.randbits, dict(os.environ)
    os.urandom = lambda size: hashlib.shake_128(b"%d" % next(count)).digest(size)
    secrets.randbits = lambda bits: 1
    os.environ |= {"COLUMNS": "110", "NO_COLOR": "1", "TZ": "UTC"}
    try:
        yield
    finally:
        os.urandom, secrets.randbits = former[:2]
        os.environ.clear()
        os.environ |= former[2]


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(exist_ok=True)
    for name, text in record(sys.argv[2:] or SCENES).items():
        (target / name).write_text(text)
