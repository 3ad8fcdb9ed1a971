"""Bounds on spectra at a stated confidence: of single events, along chains of sets, and from above."""
