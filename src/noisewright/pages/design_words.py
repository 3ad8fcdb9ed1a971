"""A design in words, for the page and the terminal: the task, what is proved, and how to use the result."""

from __future__ import annotations

from shlex import quote

from noisewright.design.design_table import DesignTable
from noisewright.design.designer import certificate_of
from noisewright.design.task import Task
from noisewright.domains import Domain, FiniteDomain, NumericDomain
from noisewright.mechanisms import DesignedLaw, OptimalWindow
from noisewright.mechanisms.finite import ZERO_ONE
from noisewright.pages.wording import domain_words, loss_words, percent, short

PUBLIC_PRIOR = (
    "The prior is public knowledge, such as a published survey. It must never be taken from the data that is "
    "to be protected: the mechanism shows what it was designed for."
)


def where(domain: Domain) -> str:
    """A domain of numbers or labels for a reader."""
    if isinstance(domain, FiniteDomain):
        return f"{domain.lattice} labels"
    assert isinstance(domain, NumericDomain)
    return domain_words(domain)


def error_words(task: Task) -> str:
    """What an error is measured in."""
    if not task.finite:
        return loss_words(task.loss)
    if not isinstance(task.loss, str | int | float):
        return "expected loss"
    if task.loss == ZERO_ONE:
        return "share of wrong reports"
    return loss_words(task.loss).replace("|error|", "distance")


def objective_words(task: Task) -> str:
    """What the design is to be best at."""
    over = "over all true values alike" if task.prior is None else "over the prior"
    return {
        "worst": "the worst true value",
        "average": f"the average {over}",
        "point": f"the true value {task.point}",
        "lexicographic": f"the worst true value, and then the average {over}",
    }[task.objective]


def conditions(table: DesignTable) -> list[str]:
    """What a mechanism had to keep to take part."""
    found = []
    if table.limit is not None:
        found.append(f"The worst case may be at most {short(table.limit, 6)}.")
    if table.task.unbiased:
        found.append("The expected report must be the true value.")
    if table.task.prior is not None:
        found.append(PUBLIC_PRIOR)
    return found


def bound_words(table: DesignTable) -> str:
    """The line of the table that no mechanism gets below."""
    if table.bound is None:
        return "No bound is proved for this task: the budget makes noise finer than any table of this size."
    what = f"At {objective_words(table.task)}, by {error_words(table.task)},"
    return f"{what} {table.bound.sentence}."


def certificate_words(table: DesignTable) -> list[str]:
    """What is proved of the optimal law, and what is not."""
    certificate = certificate_of(table.optimal.mechanism)
    if certificate is None:
        return [bound_words(table)]
    what = "average" if table.task.objective == "lexicographic" else "value"
    return [
        bound_words(table),
        f"The optimal law carries a certificate: its {what} is {short(certificate.value, 7)}, and the "
        f"certificate proves that none of its kind has less than {short(certificate.bound, 7)}. The gap of "
        f"{certificate.gap:.2g} is all that could be gained. {_kind(table)}",
        "The proof is one number for every constraint of the design. Anyone can check it in exact "
        "arithmetic, without trust in a solver: noisewright.design.verify does.",
        "Privacy does not rest on the certificate. ε is proved on the integers of the table whenever the "
        f"mechanism is built or read from a file; they spend {percent(_spent(table))} of it.",
    ]


def _spent(table: DesignTable) -> float:
    return table.optimal.mechanism.epsilon_upper / table.task.epsilon


def _kind(table: DesignTable) -> str:
    law = table.optimal.mechanism
    if isinstance(law, OptimalWindow):
        return "On a circle that holds for every mechanism there is: the best window is the best law."
    if isinstance(law, DesignedLaw):
        inputs = "knots" if law.dithered else "equal parts of the domain as inputs"
        return (
            f"Its kind are the laws with {len(law.weights)} {inputs} and reports on a grid of "
            f"{law.reports.lattice} places."
        )
    return "Its kind are all mechanisms that report these labels."


def notes(table: DesignTable) -> list[str]:
    """What a reader must know of the numbers."""
    average = "over the prior" if table.task.prior is not None else "over all true values alike"
    found = [
        f"Worst is at the true value whose reports err most; average is {average}.",
        "Bits are what it takes to tell one report from all other possible ones; spent is the share of ε "
        "that the sampler's integers use up.",
    ]
    return [
        *found,
        *_together(table),
        *conditions(table),
        *(f"Not in the table: {refusal}." for refusal in table.absent),
    ]


def _together(table: DesignTable) -> list[str]:
    """What the best law for one report means for those who estimate from many."""
    law = table.optimal.mechanism
    if not isinstance(law, DesignedLaw):
        return []
    rows, kinds = len(law.weights), len(set(law.weights))
    merged = f" and gives one law to several of them, so that {kinds} are told apart" if kinds < rows else ""
    return [
        f"All of this is about one report. The optimal law has {len(law.outputs)} possible reports for "
        f"{rows} parts of the domain{merged}: many reports together may say less about a distribution than "
        "those of a window, which -o writes with --mechanism window."
    ]


def usage(task: Task, file: str) -> list[str]:
    """Commands that use the file of a mechanism."""
    if task.finite:
        return [f"Mechanism.from_dict(json.load(open({file!r}))['mechanism']).perturb(labels)"]
    option = f"--{task.domain.kind}"
    ends = (task.domain.period,) if task.domain.kind == "circle" else task.domain.ends
    span = ":".join(f"{end:.17g}" for end in ends)
    return [
        f"noisewright explain {quote(f'@{file}')}",
        f"noisewright perturb readings.csv --epsilon NAME={task.epsilon:.17g} {option} NAME={span} "
        f"--mechanism {quote(f'NAME=@{file}')} -o reports.parquet",
        "noisewright estimate reports.parquet",
    ]
