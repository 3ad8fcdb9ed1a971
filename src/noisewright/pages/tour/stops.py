"""The stops of the tour, in order. To add one, write a function of the trip and name it here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from noisewright.pages.tour.audit_stop import auditing
from noisewright.pages.tour.design_stops import designing, designing_for_the_mean
from noisewright.pages.tour.estimate_stops import the_clock, the_mean
from noisewright.pages.tour.joint_stop import answering_in_pairs
from noisewright.pages.tour.label_stop import the_bands
from noisewright.pages.tour.learn_stop import learning
from noisewright.pages.tour.ledger_stop import asking_again
from noisewright.pages.tour.mechanism_stops import choosing, looking_inside
from noisewright.pages.tour.predict_stop import asking_a_model
from noisewright.pages.tour.release_stop import releasing
from noisewright.pages.tour.route_stop import following_routes
from noisewright.pages.tour.table_stops import randomizing, the_data, the_description
from noisewright.pages.tour.trip import Stop, Trip

STOPS: Final[tuple[Callable[[Trip], Stop], ...]] = (
    the_data,
    randomizing,
    the_description,
    the_mean,
    the_clock,
    the_bands,
    answering_in_pairs,
    choosing,
    looking_inside,
    designing,
    designing_for_the_mean,
    asking_again,
    following_routes,
    asking_a_model,
    learning,
    releasing,
    auditing,
)
