"""Exhibits that one person runs alone: a label, a string, a place."""

from __future__ import annotations

import math

from noisewright.audit.claim import Claim
from noisewright.audit.gallery.categories import (
    RandomizedResponse,
    UnaryEncoding,
    published_replacement,
    right_replacement,
)
from noisewright.audit.gallery.exhibit import Exhibit, Published
from noisewright.audit.gallery.places import ReachablePlace, Staircase
from noisewright.audit.gallery.rappor import Rappor

BUDGET, LABELS = 1.0, 6
PUBLISHED_RESPONSE = RandomizedResponse(LABELS, published_replacement(LABELS, BUDGET))
RAPPOR, ONE_TIME = Rappor(forgotten=0.75, zero=0.45, one=0.55), Rappor(forgotten=0.95)
LINE = tuple(float(place) for place in range(10))
STAIRCASE = Staircase(LINE, BUDGET, radii=(1.5, 4.5))
RAPPOR_PAPER = "Erlingsson, Pihur & Korolova 2014"

LOCAL = (
    Exhibit(
        name="randomized-response",
        title="k-ary randomized response",
        source="Kairouz, Oh & Viswanath 2016",
        mechanism=RandomizedResponse(LABELS, right_replacement(LABELS, BUDGET)),
        pairs=((0, 1),),
        claim=Claim(BUDGET),
        true_epsilon=BUDGET,
        right=True,
        note="the true label is e^ε times as likely as each other one.",
    ),
    Exhibit(
        name="randomized-response-published",
        title="k-ary randomized response, wrongly flipped",
        source="published code of Zheng 2026, chapter 6",
        mechanism=PUBLISHED_RESPONSE,
        pairs=((0, 1),),
        claim=Claim(BUDGET),
        true_epsilon=PUBLISHED_RESPONSE.epsilon(0, 1),
        right=False,
        note="the probability of one other label was taken for that of any other.",
    ),
    Exhibit(
        name="unary-encoding",
        title="optimized unary encoding",
        source="Wang et al. 2017",
        mechanism=UnaryEncoding(LABELS, BUDGET, randomized=LABELS),
        pairs=((0, LABELS - 1),),
        claim=Claim(BUDGET),
        true_epsilon=BUDGET,
        right=True,
        note="two bits differ, and together they spend ε.",
    ),
    Exhibit(
        name="unary-encoding-short",
        title="unary encoding, off by one",
        source="Wang et al. 2017",
        mechanism=UnaryEncoding(LABELS, BUDGET, randomized=LABELS - 1),
        pairs=((0, LABELS - 1),),
        claim=Claim(BUDGET),
        true_epsilon=math.inf,
        right=False,
        note="the loop over bits stops one early, and the last bit is sent as it is.",
    ),
    Exhibit(
        name="rappor",
        title="RAPPOR",
        source=RAPPOR_PAPER,
        mechanism=RAPPOR,
        pairs=((3, 5), (1, 3)),
        claim=Claim(RAPPOR.most),
        true_epsilon=RAPPOR.most,
        right=True,
        note="filters without a common bit spend ε; six bits differ in the first pair, as in the published "
        "experiment, which spend 0.30006 and not the 0.3008 that was published.",
        published=Published(logistic=0.292985, network=0.300802),
    ),
    Exhibit(
        name="rappor-one-time",
        title="one-time RAPPOR",
        source=RAPPOR_PAPER,
        mechanism=ONE_TIME,
        pairs=((3, 5), (1, 3)),
        claim=Claim(ONE_TIME.most),
        true_epsilon=ONE_TIME.most,
        right=True,
        note="the first step alone; six bits differ in the first pair, as in the published experiment.",
        published=Published(logistic=0.597778, network=0.599899),
    ),
    Exhibit(
        name="l-srr",
        title="staircase randomized response (L-SRR)",
        source="Wang et al. 2022",
        mechanism=STAIRCASE,
        pairs=(STAIRCASE.worst_pair,),
        claim=Claim(BUDGET),
        true_epsilon=STAIRCASE.worst,
        right=False,
        note="how many places are near depends on the true place, and with that every probability.",
    ),
    Exhibit(
        name="ngram",
        title="NGram as it was evaluated",
        source="Zheng 2026, section 6.3.2",
        mechanism=ReachablePlace(LINE, BUDGET, reach=6.75),
        pairs=((0, 9),),
        claim=Claim(BUDGET),
        true_epsilon=math.inf,
        right=False,
        note="only places within reach of the true one are reported, which rules all others out.",
    ),
)
