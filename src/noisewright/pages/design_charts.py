"""The figures of a design. Each function returns a matplotlib figure and knows nothing of HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noisewright.design.design_table import DesignTable
from noisewright.mechanisms import DesignedLaw, DesignedTable, NumericMechanism
from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.charts import dial, fit_domain
from noisewright.pages.design_words import error_words
from noisewright.pages.explanation import usual_values
from noisewright.pages.figures import PALETTE, drawing_style
from noisewright.pages.heat_maps import map_of_labels, map_of_numbers

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def error_curves(table: DesignTable) -> Figure:
    """The expected loss over the true values, and the bound where it is one of the worst case."""
    with drawing_style():
        drawn = new_figure(10, 3.8)
        axes = drawn.add_subplot()
        table.plot(axes)
        if table.task.looks_at_worst and table.bound is not None:
            axes.axhline(table.bound.value, color=PALETTE[7], linewidth=1, label="no worst case is below")
        if not table.task.finite:
            fit_domain(axes, table.task.domain)
        axes.set_ylabel(error_words(table.task))
        axes.grid(alpha=0.2)
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return drawn


def law_picture(table: DesignTable) -> Figure:
    """The optimal law: how likely every report is for every true value."""
    law = table.optimal.mechanism
    if isinstance(law, DesignedLaw):
        return map_of_numbers(law)
    if isinstance(law, DesignedTable):
        return map_of_labels(law)
    assert isinstance(law, NumericMechanism)
    return dial(law, usual_values(law.domain))
