"""Moments of records behind randomized answers, and the linear rules that they make."""
