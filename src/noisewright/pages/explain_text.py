"""An explanation in the terminal."""

from __future__ import annotations

import textwrap

from noisewright.domains import NumericDomain
from noisewright.guarantees.words import epsilon_words
from noisewright.pages.explanation import Example, Explanation
from noisewright.pages.law_words import in_words
from noisewright.pages.proof_words import drawing_facts, proof
from noisewright.pages.textplot import text_plot
from noisewright.pages.wording import domain_words, report_span, short

WIDTH = 100


def told(explanation: Explanation) -> str:
    """The whole explanation as text, with a small plot of the law at the middle example."""
    made = explanation.mechanism
    shown = explanation.examples[len(explanation.examples) // 2].value
    heading = f"{type(made).title}: {domain_words(made.domain)}, ε = {epsilon_words(made.epsilon)}"
    parts = [
        (heading, _wrapped(explanation.purpose)),
        ("What it does", [line for sentence in in_words(made) for line in _wrapped(sentence)]),
        (f"Where reports fall if the true value is {short(shown)}", text_plot(made.law(shown))),
        ("How wrong a report is", _errors(explanation)),
        ("What it promises", [*_wrapped(made.guarantee.explain()), *_wrapped(proof(made))]),
        ("How it is drawn", [f"{name}: {value}" for name, value in drawing_facts(made)]),
    ]
    return "\n\n".join("\n".join([name, *("  " + line.rstrip() for line in lines)]) for name, lines in parts)


def _errors(explanation: Explanation) -> list[str]:
    rows = [("true value", "window", "|error|", "squared", "half within", "95 % within")]
    rows += [_example(example, explanation.mechanism.domain) for example in explanation.examples]
    for name, absolute, squared in (
        ("worst", explanation.worst_absolute, explanation.worst_squared),
        ("average", explanation.average_absolute, explanation.average_squared),
    ):
        rows.append((name, "", short(absolute), short(squared), "", ""))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in rows]


def _example(example: Example, domain: NumericDomain) -> tuple[str, str, str, str, str, str]:
    return (
        short(example.value),
        report_span(*example.window, domain) if example.window else "",
        short(example.expected_absolute),
        short(example.expected_squared),
        short(example.half_within),
        short(example.most_within),
    )


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ")
