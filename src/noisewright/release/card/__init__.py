"""The privacy card of a release: what it holds, what it says in words, and how a terminal shows it."""

from noisewright.release.card.card import Card

__all__ = ["Card"]
