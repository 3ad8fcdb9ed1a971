"""The correlated coin: two parties draw flags together, and each learns its own only."""
