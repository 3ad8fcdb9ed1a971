"""The papers' own methods, as published: kept for comparison only, so no room imports them."""
