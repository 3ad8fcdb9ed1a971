"""Exact utilities: models whose stable region is known, so that no chance is involved."""
