"""The basis of every mechanism: the base class, the window channel, integer tables, exact comparisons."""
