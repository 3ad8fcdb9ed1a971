"""``python -m noisewright``: the command line, for where the ``noisewright`` command is not on the path."""

from noisewright.cli.main import run

if __name__ == "__main__":
    run()
