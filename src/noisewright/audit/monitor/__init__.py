"""Continuous monitoring: an audit that may be watched and stopped at any moment and stays valid."""

from noisewright.audit.monitor.monitor import Monitor, State, watch

__all__ = ["Monitor", "State", "watch"]
