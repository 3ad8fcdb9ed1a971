"""``python -m noisewright``: the command line, for where the ``noisewright`` command is not on the path."""

from importlib import import_module

if __name__ == "__main__":
    import_module("noisewright.cli.main").run()
