"""Continuous monitoring: an audit that may be watched and stopped at any moment and still keeps its word."""

from noisewright.audit.monitor.monitor import Monitor, State, watch

__all__ = ["Monitor", "State", "watch"]
