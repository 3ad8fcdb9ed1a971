"""Self-contained HTML reports: comparisons, explanations, the tour."""
