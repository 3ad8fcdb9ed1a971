"""What an audit says in sentences; the same on its page and in the terminal."""

from __future__ import annotations

from noisewright.audit import caveats, words
from noisewright.audit.rounding import about, at_least, confidence_words
from noisewright.audit.spectrum import Spectrum
from noisewright.pages.evidence import MARKS
from noisewright.pages.markup import Html, tag
from noisewright.text import plain


def standing(spectrum: Spectrum, verdict: str | None = None) -> str:
    """Return what became of the claim, in one of the words that have a mark.

    Args:
        spectrum: What the audit found.
        verdict: That of a whole search, of which ``spectrum`` is the worst pair.
    """
    verdict = spectrum.verdict if verdict is None else verdict
    if spectrum.claim is None:
        return "no claim"
    if verdict == "false":
        return "refuted"
    return "nothing can be said" if verdict == "identified" or spectrum.inconclusive else "not refuted"


def badge(word: str) -> Html:
    """Return the mark and the word of what became of the claim, for the top of a page."""
    return tag("strong", f"{MARKS[word]} {word}", class_="verdict")


def verdict(spectrum: Spectrum) -> str:
    """What comes first."""
    return plain(words.verdict_words(spectrum))


def rests_on(spectrum: Spectrum) -> list[tuple[str, str]]:
    """What the numbers rest on, by name."""
    return [
        ("Mechanism", plain(spectrum.mechanism)),
        ("Inputs", f"{plain(spectrum.left)} against {plain(spectrum.right)}"),
        (
            "Samples",
            f"{spectrum.samples:,} runs over both inputs; bounds rest on {spectrum.bounded:,} a side",
        ),
        *([("Outputs", spectrum.looks.mixture)] if spectrum.looks.mixture else []),
        ("Score", plain(spectrum.score) + _losses(spectrum)),
        (
            "Confidence",
            f"{confidence_words(spectrum.confidence)} for the whole curve, both directions at once",
        ),
        ("Comparisons paid for", f"{spectrum.comparisons:,}"),
    ]


def _losses(spectrum: Spectrum) -> str:
    """What the scores that were tried lost on rows held out, the best first."""
    if len(spectrum.losses) < 2:
        return ""
    ranked = sorted(spectrum.losses.items(), key=lambda tried: tried[1])
    return f" (held-out log loss: {', '.join(f'{plain(name)} {loss:.4f}' for name, loss in ranked)})"


def assumptions(spectrum: Spectrum) -> list[str]:
    """What has to be true for the bounds to hold."""
    return [words.closed(plain(sentence)) for sentence in caveats.assumptions(spectrum)]


def not_looked_at(spectrum: Spectrum) -> list[str]:
    """What this audit says nothing about."""
    return [words.closed(plain(sentence)) for sentence in caveats.not_looked_at(spectrum)]


def readings(spectrum: Spectrum) -> list[tuple[str, str, str]]:
    """The curve in other currencies: what is measured, its bound from below, its estimate.

    Nothing where all outputs were the same: zeros that nothing was done for say nothing.
    """
    if spectrum.looks.same:
        return []
    epsilons = [
        (
            f"ε at δ = {delta:g}",
            at_least(spectrum.epsilon_lower(delta)),
            about(spectrum.epsilon_estimate(delta)),
        )
        for delta in words.READ
    ]
    orders = [
        (f"Rényi divergence of order {order:g}", at_least(spectrum.renyi_lower(order)), "–")
        for order in words.ORDERS
    ]
    return [*epsilons, ("ρ of zero-concentrated privacy", at_least(spectrum.zcdp_lower()), "–"), *orders]
