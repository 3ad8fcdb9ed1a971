"""Continuous monitoring: an audit that may be watched and stopped at any moment and still keeps its word."""

from noisewright.audit.monitor.monitor import Monitor
from noisewright.audit.monitor.state import State
from noisewright.audit.monitor.watching import watch

__all__ = ["Monitor", "State", "watch"]
