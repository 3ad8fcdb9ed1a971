"""Learners that know their channel: what the noise did to the answers is taken back, not averaged over."""
