"""The page of a privacy card: the card on one printed page, then what attacks on the release achieved."""

from __future__ import annotations

from typing import Final

from noisewright import __version__
from noisewright.pages.markup import Content, Html, bullets, facts, tag
from noisewright.pages.release_attack import attack_sections
from noisewright.pages.tables import number, table
from noisewright.pages.template import Section, page
from noisewright.release.attacks import AttackReport
from noisewright.release.card import Card, words
from noisewright.release.card.released import released_words, taken_as_public
from noisewright.release.card.shown import percent_up
from noisewright.text import plain

LOOK: Final = Html(
    "<style>.void { color: var(--line-1); } "
    "@media (max-width: 40rem) { tbody th, td.number { white-space: normal; } "
    "th, td { padding-right: .5rem; } table { font-size: .8rem; } } "
    "@media print { @page { margin: 10mm; } html { font-size: 10.5px; } "
    "body { font-size: 1rem; line-height: 1.3; } header { padding-top: 0; } nav { display: none; } "
    "h1 { font-size: 1.7rem; } .lead { margin: 0; } .warning { padding: .4rem .8rem; } "
    "h2 { font-size: 1.2rem; margin: .6rem 0 .2rem; padding-top: .4rem; } p, ul, dl { margin: .3rem 0; } "
    ".scroll { margin: .3rem 0; } th, td { padding-top: .1rem; padding-bottom: .1rem; } "
    "p, li, dd, .lead { max-width: none; } footer { padding: .5rem 1.25rem 0; } "
    "section:has(.attack) { break-before: page; } }</style>"
)
"""Tables that fit a phone; on paper the card is one sheet, and the attacks begin on the next."""


def card_page(card: Card, report: AttackReport | None = None) -> str:
    """The whole document; ``report`` is what attacks achieved, if any were played."""
    sections = [
        Section("The promise", _promise(card)),
        Section("What is not promised", _not_promised(card)),
        Section("What was released", [facts(_capital(released_words(card)))]),
        Section("Taken as public, and told without noise", [bullets(taken_as_public(card))]),
        Section("The noise", [_noise(card), words.HIDES]),
        *([] if report is None else attack_sections(report)),
    ]
    footer = f"Written by noisewright release, version {__version__}."
    return page(words.heading(card), _lead(card), sections, footer)


def _lead(card: Card) -> Content:
    if card.simulated:
        return tag("strong", words.promise(card), class_="void")
    return _unbroken(words.promise(card))


def _promise(card: Card) -> list[Content]:
    void = [tag("p", tag("strong", words.WOULD)), words.bound(card)] if card.simulated else []
    told = facts([
        ("Carries", words.nats_words(card)),
        ("A nat is", words.A_NAT),
        ("In comparison", words.epsilon_words(card)),
    ])  # fmt: skip
    note = [] if card.worlds is None else [words.LIST]
    return [LOOK, *void, told, *([_guesses(card), *note] if card.guesses else [])]


def _guesses(card: Card) -> Html:
    rows = [
        [
            guess.question,
            *(number(_unbroken(t)) for t in (percent_up(guess.blind), words.at_most(card, guess))),
        ]
        for guess in card.guesses
    ]
    caption = f"How often a guess is right; bounds are rounded up{words.certainty(card)}"
    return table(caption, ["Question", "Blindly", "With the release, at most"], rows)


def _not_promised(card: Card) -> list[Content]:
    first, *others = words.not_promised(card)
    return [tag("p", tag("strong", first), class_="warning"), bullets(others)]


def _noise(card: Card) -> Html:
    rows = [
        [plain(group.name), number(f"{group.numbers:,}"), number(f"{group.deviation:.3g}"),
         number(f"{group.moved:.3g}")]
        for group in card.groups
    ]  # fmt: skip
    header = ["Released numbers", "How many", "Noise ±", "Moves from half to half ±"]
    return table(f"Noise of {words.noise_words(card)}; ± are standard deviations", header, rows)


def _unbroken(text: str) -> str:
    """Never a line that begins with the sign."""
    return text.replace(" %", "\u00a0%")


def _capital(pairs: list[tuple[str, str]]) -> list[tuple[Content, Content]]:
    return [(name.capitalize(), value) for name, value in pairs]
