"""Several servers with clients of their own, who learn from each other without trusting each other."""

from noisewright.learn.servers.server import Clients, Server, Training, collaborate, comparison
from noisewright.learn.servers.transfer import Combined, Transfer, fair, not_all_coins

__all__ = [
    "Clients",
    "Combined",
    "Server",
    "Training",
    "Transfer",
    "collaborate",
    "comparison",
    "fair",
    "not_all_coins",
]
