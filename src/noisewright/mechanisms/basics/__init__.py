"""What every mechanism rests on: the base class, the window channel, integer tables, exact comparisons."""
