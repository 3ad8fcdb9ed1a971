"""What MRMA is measured against: the other columns of Qin and Bai's tables, as classifiers of the same kind.

=============  ==============================================================================================
Weak           one weak classifier, drawn at random: its expected error is the mean of all
Reversed       the same after reversal by feedback ("MR" in the text)
MRMA           with ``reversal=False``: weighted by feedback, not reversed ("MA")
Voting         every client sends a noisy record; one classifier for each part of them, majority vote
Averaging      the same parts, mean of the scores
AllData        one classifier from all noisy records
Histogram      noisy counts of records in the cells of a grid (Berrett and Butucea 2019)
=============  ==============================================================================================
"""

from noisewright.learn.baselines.histogram import Histogram
from noisewright.learn.baselines.records import AllData, Averaging, Voting
from noisewright.learn.baselines.weak import Reversed, Weak

__all__ = ["AllData", "Averaging", "Histogram", "Reversed", "Voting", "Weak"]
