"""Say below the search form why a search failed."""

from __future__ import annotations

from dataclasses import dataclass

from flask import url_for

from dashboard.domain.registration import spaced
from dashboard.errors import Conflict, ServiceError
from dashboard.store.vehicles import vehicles
from dashboard.web.shared.current import current_services
from dashboard.web.shared.errors import explain
from dashboard.web.vehicles import texts


@dataclass(frozen=True, slots=True)
class SearchFailure:
    """Show a search that failed: of which number, why, and the address of its last results, "" where there are none."""

    title: str
    text: str
    address: str


def failure_of(rc: str, error: ServiceError) -> SearchFailure:
    """Explain a failed search of a number, which the title names."""
    title = texts.not_yours(spaced(rc)) if isinstance(error, Conflict) else texts.not_searched(spaced(rc))
    with current_services().store.read() as connection:
        known = vehicles.find(connection, rc) is not None
    return SearchFailure(title, ". ".join(map(str, explain(error))), url_for("vehicles.show", rc=rc) if known else "")
