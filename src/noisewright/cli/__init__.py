"""The command line: one file a verb, registered in ``main.py``."""
