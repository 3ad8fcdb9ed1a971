"""Bounds on spectra that hold at a stated confidence: exact events, bands along chains, upper bounds."""
