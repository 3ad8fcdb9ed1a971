"""``python -m noisewright.cli``, for where the ``noisewright`` command is not on the path."""

from noisewright.cli.main import run

run()
