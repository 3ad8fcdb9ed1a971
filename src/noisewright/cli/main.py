"""The ``noisewright`` command: it registers the verbs and turns every error into one sentence.

A verb has a file of its own and is a plain function with typer annotations. It imports slow modules inside
itself, so that ``noisewright --help`` is quick. It prints results on stdout and everything else on stderr,
returns nothing, and refuses by raising a :class:`~noisewright.errors.NoisewrightError`.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from types import FrameType
from typing import Annotated, Any, Final, NoReturn

import typer
from typer.main import get_command

from noisewright import __version__
from noisewright.cli.apply import apply
from noisewright.cli.audit import audit
from noisewright.cli.budget import budget
from noisewright.cli.classify import classify
from noisewright.cli.compare import compare
from noisewright.cli.design import design
from noisewright.cli.estimate import estimate
from noisewright.cli.explain import explain
from noisewright.cli.joint import joint
from noisewright.cli.learn import learn
from noisewright.cli.perturb import perturb
from noisewright.cli.plan import plan
from noisewright.cli.predict import predict
from noisewright.cli.release import release
from noisewright.cli.routes import routes
from noisewright.cli.terminal import guard_for_good, guarded, print_text, say
from noisewright.cli.tour import tour
from noisewright.cli.verb import Verb
from noisewright.cli.verify import verify
from noisewright.errors import FormulaCells, NoisewrightError

PLAIN: Final = {
    "Input should be a valid number, unable to parse string as a number": "it must be a number, such as 0.5",
    "Input should be a valid integer, unable to parse string as an integer": "it must be a whole number",
}
"""What typer says of values that are not numbers, in plainer words."""

REFUSED: Final = 2
INTERRUPTED: Final = 130
TERMINATED: Final = 143

app = typer.Typer(
    name="noisewright",
    invoke_without_command=True,
    rich_markup_mode=None,  # plain help: no boxes, and nothing to load for it
    pretty_exceptions_enable=False,  # its tracebacks would show local variables: people's data
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(cls=Verb)(plan)
app.command(cls=Verb)(perturb)
app.command(cls=Verb)(estimate)
app.command(cls=Verb)(compare)
app.command(cls=Verb)(design)
app.command(cls=Verb)(explain)
app.command(cls=Verb)(predict)
app.command(cls=Verb)(learn)
app.command(cls=Verb)(classify)
app.command(cls=Verb)(release)
app.command(cls=Verb)(apply)
app.command(cls=Verb)(audit)
app.command(cls=Verb)(verify)
app.command(cls=Verb)(tour)
app.add_typer(joint)
app.add_typer(budget)
app.add_typer(routes)


def _version(wanted: bool) -> None:
    if wanted:
        print_text(f"noisewright {__version__}")
        raise typer.Exit


@app.callback()
def noisewright(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Provable privacy noise between personal data and everyone else."""
    if context.invoked_subcommand is None:
        print_text(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; never raises, never shows a traceback.

    Hidden characters become visible in everything that is printed meanwhile, by libraries too.
    """
    with guarded(), _warnings_as_notices():
        return _main(arguments)


@contextmanager
def _warnings_as_notices() -> Iterator[None]:
    """Print the warning about cells that begin like formulas as a notice; leave all other warnings alone."""
    with warnings.catch_warnings():
        warnings.filterwarnings("always", category=FormulaCells)
        usual = warnings.showwarning

        def notify(message: Warning | str, category: type[Warning], *place: Any) -> None:
            if issubclass(category, FormulaCells):
                say(str(message))
            else:
                usual(message, category, *place)

        warnings.showwarning = notify  # type: ignore[assignment]
        yield


def _main(arguments: Sequence[str] | None) -> int:
    try:
        code = _command().main(
            args=None if arguments is None else list(arguments),
            prog_name="noisewright",
            standalone_mode=False,
        )
        if sys.stdout is not None:  # it is None where the shell has closed it: >&-
            sys.stdout.flush()
    except NoisewrightError as refusal:
        return _refused(str(refusal))
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:  # the reader of our output has gone, as in `| head`
        return 1
    except OSError as error:  # errors of files have sentences of their own; this one is about stdout
        return _refused(f"cannot print the result: {error.strerror or type(error).__name__}")
    except Exception as error:
        return _failed(error)
    if code == INTERRUPTED:
        say("interrupted")
    return code if isinstance(code, int) else 0


@cache
def _command() -> Any:
    """Return all verbs with their options, built once: that takes longer than some verbs do."""
    return get_command(app)


def run() -> NoReturn:
    """Run the command line of this process: the entry point of the package."""
    signal.signal(signal.SIGTERM, _terminate)  # so that a terminated run tidies up like an interrupted one
    guard_for_good()  # tracebacks, too
    try:
        code: Any = main()
    except SystemExit as end:  # terminated
        code = end.code
    _fall_silent()
    sys.exit(code)


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(TERMINATED)


def _fall_silent() -> None:
    """Discard everything that is printed from now on.

    A closed pipe must not cause a second error when the interpreter exits. Audited code may have left threads
    and full buffers that would still print.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream, descriptor in ((sys.stdout, 1), (sys.stderr, 2)):
        if stream is not None:
            with suppress(OSError, ValueError):
                stream.flush()
            os.dup2(nowhere, descriptor)


def _refused(message: str) -> int:
    say(message)
    return REFUSED


def _failed(error: Any) -> int:
    if hasattr(error, "format_message"):  # how typer words a wrong use of the command line
        command = getattr(getattr(error, "ctx", None), "command_path", "noisewright")
        said = error.format_message().rstrip(".")
        for raw, plain in PLAIN.items():
            said = said.replace(raw, plain)
        return _refused(f"{said}; see {command} --help")
    if os.environ.get("NOISEWRIGHT_DEBUG"):
        raise error
    # The text of an unexpected error may quote the data, so it is withheld.
    say(
        f"an unexpected {type(error).__name__} stopped the run, which is a fault of Noisewright; run again "
        "with NOISEWRIGHT_DEBUG=1 to see where"
    )
    return 1
