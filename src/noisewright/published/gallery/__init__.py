"""The gallery: mechanisms of the literature, right and wrong, on which every auditor can show what it finds.

>>> exhibit("svt-4").sentence
'sparse vector technique 4 claims ε = 0.1; it keeps ε = 0.175: the noise of the queries is half of ...'
>>> sum(shown.right for shown in GALLERY), sum(not shown.right for shown in GALLERY)
(22, 23)
"""

from noisewright.errors import InvalidParameter
from noisewright.published.gallery.counts import COUNTS
from noisewright.published.gallery.exhibit import (
    Exhibit,
    FiniteLaw,
    FiniteMechanism,
    Pair,
    Published,
    ShownMechanism,
)
from noisewright.published.gallery.local import LOCAL
from noisewright.published.gallery.maxima import MAXIMA
from noisewright.published.gallery.numbers import NUMBERS
from noisewright.published.gallery.sparse_vector import SPARSE

GALLERY: tuple[Exhibit, ...] = (*NUMBERS, *COUNTS, *MAXIMA, *SPARSE, *LOCAL)


def exhibit(name: str) -> Exhibit:
    """Return the exhibit of a name.

    Args:
        name: What the exhibit is called, such as "svt-4".

    >>> exhibit("laplace").claim
    Claim(epsilon=0.1, delta=0.0)
    """
    for shown in GALLERY:
        if shown.name == name:
            return shown
    raise InvalidParameter(f"the gallery has {', '.join(shown.name for shown in GALLERY)}, and no {name!r}")


__all__ = [
    "GALLERY",
    "Exhibit",
    "FiniteLaw",
    "FiniteMechanism",
    "Pair",
    "Published",
    "ShownMechanism",
    "exhibit",
]
