"""Learners that know their channel: the effect of the noise is inverted, not averaged over."""
