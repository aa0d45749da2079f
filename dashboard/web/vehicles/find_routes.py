"""Find vehicles, challans and links by what is typed into the find box; the service is not called."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.registration import InvalidRegistration, normalize, normalize_part, spaced
from dashboard.store.vehicles import quick_find
from dashboard.store.vehicles.quick_find import FoundChallan, FoundLink
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services
from dashboard.web.vehicles import texts
from dashboard.web.vehicles.records import FindPage, Found
from dashboard.web.vehicles.routes import bp

#: The most results of each kind, and the most characters of the search text.
_MOST = 20
_LONGEST = 100
#: A link's id, or its beginning.
_LINK_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{0,4}){0,3}(-[0-9a-f]{0,12})?")


@bp.get("/find")
def find() -> ResponseReturnValue:
    """Redirect to the one thing that is found or named exactly; otherwise list all that is found."""
    typed = request.args.get("q", "").strip()[:_LONGEST]
    if not typed:
        return redirect(url_for("home.index"), 303)
    part = normalize_part(typed)
    with current_services().store.read() as connection:
        plates = quick_find.vehicles(connection, part, _MOST)
        challans = quick_find.challans(connection, typed, _MOST)
        links = quick_find.links(connection, typed.lower(), _MOST) if _LINK_ID.fullmatch(typed.lower()) else []
    found = [
        *(_vehicle(rc) for rc in plates),
        *(_challan(item) for item in challans),
        *(_link(item) for item in links),
    ]
    exact = [item for rc, item in zip(plates, found, strict=False) if rc == part]
    exact += [_challan(item) for item in challans if item.challan_no.upper() == typed.upper()]
    for candidates in (exact, found):
        if len(candidates) == 1:
            return redirect(candidates[0].address, 303)
    return render_template("vehicles/find.html", page=_page(typed, plates, challans, links))


def _page(typed: str, known: Sequence[str], challans: list[FoundChallan], links: list[FoundLink]) -> FindPage:
    try:
        rc = normalize(typed)
    except InvalidRegistration:
        rc = ""
    unknown = "" if known else rc
    return FindPage(
        typed=typed,
        vehicles=tuple(_vehicle(rc) for rc in known),
        challans=tuple(_challan(item) for item in challans),
        links=tuple(_link(item) for item in links),
        most=_MOST,
        search_plate=spaced(unknown) if unknown else None,
        search_address=url_for("vehicles.show", rc=unknown) if unknown else None,
    )


def _vehicle(rc: str) -> Found:
    return Found(spaced(rc), url_for("vehicles.show", rc=rc))


def _challan(item: FoundChallan) -> Found:
    if item.link_id:
        more = texts.on_link_of(spaced(item.rc))
        return Found(item.challan_no, url_for("links.show", link_id=item.link_id), more)
    return Found(item.challan_no, url_for("vehicles.show", rc=item.rc), texts.of_vehicle(spaced(item.rc)))


def _link(item: FoundLink) -> Found:
    plate = spaced(item.rc) if item.rc else texts.NO_VEHICLE
    return Found(plate, url_for("links.show", link_id=item.id), item.id, shared_texts.state_of(item))
