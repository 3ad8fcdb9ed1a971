"""The privacy card of a release: its values, and the document made from them."""

from noisewright.release.card.card import Card

__all__ = ["Card"]
