"""The page of a file of private routes: the promise, the mechanism, and where the reports fall.

Everything on it comes from the reports and from public parameters; true routes are never looked at.
"""

from __future__ import annotations

from noisewright import __version__
from noisewright.pages.figures import figure
from noisewright.pages.markup import Content, Html, bullets, facts, tag
from noisewright.pages.route_densities import densities
from noisewright.pages.route_panels import Layer, route_panels
from noisewright.pages.route_release import CellRelease, Release
from noisewright.pages.route_words import space_words
from noisewright.pages.template import Section, page
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Space
from noisewright.trajectory.words import distance_words, epsilon_words


def release_page(release: Release | CellRelease) -> str:
    """The whole document; reports of cells are no places, so they have no map."""
    sections = [Section("What is promised", _promise(release))]
    if isinstance(release, CellRelease):
        sections.append(Section("How it was made", [_cell_facts(release), bullets(release.reasons)]))
    else:
        routes, space = release.collection.routes, release.collection.mechanism.space
        sections.append(Section("How it was made", [_facts(release), bullets(release.reasons)]))
        sections.append(Section("The reports", [_maps(routes, space), _density(routes, space)]))
    lead = f"{release.counts}, randomness: {release.collection.randomness}."
    footer = f"Written by noisewright routes perturb, version {__version__}."
    return page(f"Private routes in {release.path.name}", lead, sections, footer)


def _promise(release: Release | CellRelease) -> list[Content]:
    collection = release.collection
    promised: Content = collection.guarantee
    if not collection.private:
        promised = tag("p", f"The noise was {collection.guarantee}.", class_="warning")
    warned = [tag("p", f"Warning: {warning}.", class_="warning") for warning in release.warnings]
    return [promised, *warned, f"NOT protected: {release.unprotected}."]


def _facts(release: Release) -> Html:
    mechanism, budget = release.collection.mechanism, release.collection.budget
    known = [
        ("Mechanism", mechanism.title),
        ("Space", release.space),
        ("Budget", f"ε = {epsilon_words(budget.epsilon)} for each {budget.unit}"),
        ("ε of one report", epsilon_words(mechanism.epsilon)),
        ("Expected error of a report", distance_words(mechanism.expected_error(), mechanism.space.units)),
    ]
    if release.collection.processed is not None:
        known.append(("Afterwards", release.collection.processed))
    return facts(known)


def _cell_facts(release: CellRelease) -> Html:
    counting, budget = release.collection.mechanism, release.collection.budget
    return facts(
        [
            ("Mechanism", release.mechanism),
            ("Space", space_words(counting.space, remark=False)),
            ("Budget", f"ε = {epsilon_words(budget.epsilon)} for each {budget.unit}"),
            ("ε of one report", epsilon_words(counting.epsilon)),
            ("Afterwards", "noisewright routes count; the reports can be counted but not reconstructed"),
        ]
    )


def _maps(routes: Routes, space: Space) -> Html:
    """The reports of a few routes."""
    drawn = route_panels(space, [Layer("reports", routes, 1, scattered=True)])
    caption = "Reports of the routes with the most points. Noise and all: these are not the true places."
    return figure("reports", drawn, title="Maps of the reports of a few routes.", caption=caption)


def _density(routes: Routes, space: Space) -> Html:
    drawn = densities(space, [("all reports", routes.points)])
    caption = (
        "Where all reports fall, the darker the more. noisewright routes count estimates the true density."
    )
    return figure("density", drawn, title="Density map of all reports.", caption=caption)
