"""The report of the case studies: one self-contained page with every figure, theirs and ours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.classifiers.channels import FAILURE
from benchmarks.classifiers.curves import draw
from benchmarks.classifiers.digits import interval
from benchmarks.classifiers.results import Figure, Map, Panel, Study
from noisewright.published.classifier_utility import AS_PUBLISHED, CAVEATS, PrivacyIndicator
from noisewright.published.classifier_utility.framework import DRAWS
from noisewright.report import Block, Bullets, Details, Facts, Report, Section, Strong, Table, number
from noisewright.report import Figure as Drawing
from noisewright.report.html import render_page
from noisewright.text import percent

LEAD = (
    "A service classifies records whose sensitive features were randomized before they were sent. How often "
    "does it still give the answer that it gives for the true record? Every curve of figures 6 to 16 of "
    "Zheng and Hu, “Quantifying classifier utility under local differential privacy”, computed anew, with a "
    "certificate beside it that is never too optimistic."
)

DRAWN = f"{DRAWS:,} draws"

READING = (
    "Solid lines are certified: the line is our lower bound, and a band reaches up to our upper bound. For "
    "logistic regression and forests both come from the model itself and meet; for the network all bands of "
    "a figure hold at once with 99 % confidence.",
    f"Dashed lines are the number ρ of the published framework ({AS_PUBLISHED}), found with the rule of the "
    "authors' program: a box is taken if the answer changes at no more than a few per cent of its points.",
    f"Marks are the paper's empirical utility: the share of {DRAWS:,} simulated reports that keep the "
    "answer.",
    "A cross marks a published number above our upper bound, so it cannot be a lower bound.",
    "What the paper calls PM, normalized to [0, 1], is our OGPM; its SW is a window centred on the value. "
    "The exponential mechanism and k-RR have 100 parts.",
    "As in the paper, ε is that of each sensitive feature, and reports of the Laplace and Gaussian "
    "mechanisms outside [0, 1] count as lost in dashed lines and marks. Our certificate sends them to the "
    "classifier as they are, so its curves lie far above; that costs no privacy.",
)


def case_page(studies: Sequence[Study]) -> str:
    """The whole page."""
    sections = [
        Section("What it shows", [Bullets([each for study in studies for each in study.findings])]),
        Section("How to read the figures", [Bullets(READING)]),
        *(Section(study.title, _study(study)) for study in studies),
        Section("Why the published number is no bound", [Bullets(CAVEATS)]),
        Section("What the privacy indicator costs", [Bullets(PrivacyIndicator(FAILURE).caveats())]),
    ]
    seconds = sum(study.seconds for study in studies)
    note = f"Computed in {seconds:.0f} seconds; reports are simulated."
    title = "Classifiers under local privacy: three case studies"
    return render_page(Report(title, LEAD, sections, verb="predict", data={}, note=note))


def _study(study: Study) -> list[Block]:
    drawn = [block for figure in study.figures for block in _figure(study, figure)]
    return [Facts(list(study.facts)), *([_readings(study)] if study.readings else []), *drawn]


def _readings(study: Study) -> Table:
    """One number as the paper's text, the program and the figures have it."""
    rows = [
        [
            reading.name,
            reading.box,
            number(f"{reading.published:.4f}"),
            number(f"{reading.low:.4f}"),
            "above the truth" if reading.too_high else "below the truth",
        ]
        for reading in study.readings
    ]
    caption = "One published number, five readings: logistic regression, record of figure 6, PM at ε = 1"
    return Table(caption, ["reading", "box (age × BMI)", "published", "exact", ""], rows)


def _figure(study: Study, figure: Figure) -> list[Block]:
    """The chart, its caption, and its numbers to be unfolded."""
    name = f"{study.name}-{figure.name.lower().replace(' ', '-')}"
    heading = f"{figure.name}. {figure.title}"
    chart = Drawing(name, [(heading, lambda: draw(figure))], figure.words)
    return [Strong(heading), chart, *map(_numbers, figure.panels)]


def _numbers(panel: Panel | Map) -> Block:
    if isinstance(panel, Map):
        return (
            f"{panel.title}: the answer changes in {percent(panel.failing_inside)} of the published box, "
            f"which leaves out {percent(panel.left_out)} of the area in which the answer is kept."
        )
    header = ["mechanism", "", *_epsilons(panel)]
    shown = Table(f"{panel.title}: share of answers kept", header, list(_rows(panel)))
    return Details(f"Numbers: {panel.title}", [shown])


def _epsilons(panel: Panel) -> list[str]:
    return [f"ε = {epsilon:g}" for epsilon in panel.epsilons.tolist()]


def _rows(panel: Panel) -> Iterable[list[object]]:
    for row, name in enumerate(panel.names):
        published = zip(panel.published[row].tolist(), panel.excess[row].tolist(), strict=True)
        yield [
            name,
            "as published",
            *(number(f"{value:.3f}{' ×' if over > 0 else ''}") for value, over in published),
        ]
        yield ["", DRAWN, *(number(f"{value:.3f}") for value in panel.drawn[row].tolist())]
        bounds = zip(panel.low[row].tolist(), panel.high[row].tolist(), strict=True)
        yield ["", "certified", *(number(interval(low, high)) for low, high in bounds)]
        if panel.everyone is not None:
            yield [
                "",
                "certified, all records",
                *(number(f"{low:.3f}") for low in panel.everyone[row].tolist()),
            ]
