"""The basis of every part of an audit: outputs, claims, and the budget of runs."""
