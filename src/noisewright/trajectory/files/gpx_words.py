"""Words of GPX that its reader and its writer share."""

from __future__ import annotations

from typing import Final

GPX_1_0: Final = "http://www.topografix.com/GPX/1/0"
GPX_1_1: Final = "http://www.topografix.com/GPX/1/1"

OWN: Final = "urn:noisewright:routes:1"
"""Our namespace: the element ``reported`` among the extensions of a point says whether it is a report."""
