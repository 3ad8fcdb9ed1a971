"""The gallery: mechanisms of the literature, right and wrong, on which every auditor can show what it finds.

>>> exhibit("svt-4").sentence
'sparse vector technique 4 claims ε = 0.1; it keeps ε = 0.175: the noise of the queries is half of ...'
>>> sum(shown.right for shown in GALLERY), sum(not shown.right for shown in GALLERY)
(22, 23)
"""

from noisewright.audit.gallery.catalogue.counts import COUNTS
from noisewright.audit.gallery.catalogue.local import LOCAL
from noisewright.audit.gallery.catalogue.maxima import MAXIMA
from noisewright.audit.gallery.catalogue.numbers import NUMBERS
from noisewright.audit.gallery.catalogue.sparse import SPARSE
from noisewright.audit.gallery.catalogue.sparse_large import SPARSE_LARGE
from noisewright.audit.gallery.exhibit import Exhibit, Pair, Published
from noisewright.audit.gallery.mechanism import FiniteLaw, FiniteMechanism, ShownMechanism
from noisewright.errors import InvalidParameter

GALLERY: tuple[Exhibit, ...] = (*NUMBERS, *COUNTS, *MAXIMA, *SPARSE, *SPARSE_LARGE, *LOCAL)


def exhibit(name: str) -> Exhibit:
    """The exhibit of a name.

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
