"""Options that say which model is meant and how it may be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from noisewright.cli.numbers import read_at_least, read_list, whole_option
from noisewright.errors import InvalidParameter

if TYPE_CHECKING:
    from noisewright.utility.answers import Asking
    from noisewright.utility.models import Classifier

ModelArgument = Annotated[
    str,
    typer.Argument(
        metavar="MODEL",
        help="The classifier: an .onnx file or, with --trust, a .joblib or .pkl file, module:name, or the "
        "https:// address of an endpoint.",
    ),
]
TrustOption = Annotated[
    bool,
    typer.Option(
        "--trust",
        help="Open a model that runs code when it is opened (.joblib, .pkl, module:name), or ask an endpoint "
        "on another machine, which is sent the records. Only for people you trust.",
    ),
]
ClassesOption = Annotated[
    str | None,
    typer.Option(
        "--classes", metavar="A,B,...", help="All labels that the model can answer, if it knows none."
    ),
]
TimeoutOption = Annotated[
    float, typer.Option("--timeout", metavar="SECONDS", help="How long the model may take for one batch.")
]
BatchOption = Annotated[
    int | None, whole_option("--batch", metavar="N", help="Rows that the model is asked about at a time.")
]
BudgetOption = Annotated[
    int | None,
    whole_option(
        "--budget",
        metavar="N",
        help="The most rows that the model is asked about in all: true records, checks and --published, too.",
    ),
]
TokenOption = Annotated[
    str | None,
    typer.Option(
        "--token-env",
        metavar="NAME",
        help="The environment variable that holds the bearer token of an endpoint.",
    ),
]
HeaderOption = Annotated[
    list[str] | None,
    typer.Option(
        "--header",
        metavar="NAME=VARIABLE",
        help="A header that an endpoint wants, such as X-Api-Key=MY_KEY, and the environment variable that "
        "holds its value; may be repeated.",
    ),
]


def read_headers(texts: Sequence[str] | None) -> dict[str, str]:
    """The headers of an endpoint, each with its variable.

    A text that is refused is not repeated: it may hold the value itself.

    >>> read_headers(["X-Api-Key=MY_KEY"])
    {'X-Api-Key': 'MY_KEY'}
    """
    found: dict[str, str] = {}
    for text in texts or ():
        name, equals, variable = text.partition("=")
        if not equals or not variable.isidentifier() or name in found:
            raise InvalidParameter(
                "--header wants the name of a header and that of an environment variable, once for each "
                "header: X-Api-Key=MY_KEY"
            )
        found[name] = variable
    return found


@dataclass(frozen=True)
class ModelRequest:
    """A model as it is named on the command line."""

    where: str
    trust: bool
    classes: tuple[str, ...]
    timeout: float
    batch: int | None
    budget: int | None
    token_env: str | None
    headers: Mapping[str, str]

    @classmethod
    def of(
        cls,
        where: str,
        *,
        trust: bool,
        classes: str | None,
        timeout: float,
        batch: int | None,
        budget: int | None,
        token_env: str | None,
        header: Sequence[str] | None,
    ) -> ModelRequest:
        """Check the options before anything is opened."""
        read_at_least("--timeout", timeout, 1e-3, "a number of seconds above 0")
        read_at_least("--batch", batch, 1, "a whole number of 1 or more")
        read_at_least("--budget", budget, 1, "a whole number of 1 or more")
        labels = read_list("--classes", classes)
        return cls(where, trust, labels, timeout, batch, budget, token_env, read_headers(header))

    def open(self) -> Classifier:
        """The model, opened; nothing is asked yet."""
        from noisewright.utility.models import open_model  # noqa: PLC0415  (slow to load)

        return open_model(
            self.where,
            trust=self.trust,
            classes=self.classes or None,
            token_env=self.token_env,
            headers=self.headers,
            timeout=self.timeout,
        )

    def asking(self) -> Asking:
        """How the model may be asked."""
        from noisewright.utility.answers import Asking  # noqa: PLC0415  (slow to load)

        return Asking(
            batch=self.batch, timeout=self.timeout, budget=self.budget, classes=self.classes or None
        )
