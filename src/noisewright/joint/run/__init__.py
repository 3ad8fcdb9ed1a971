"""The whole protocol between processes on one machine, from a configuration to counts."""
