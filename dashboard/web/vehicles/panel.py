"""The payment links of a vehicle as its page follows them, and when its list of challans has become old."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection

from dashboard.domain.links import is_live
from dashboard.store.creation import intents
from dashboard.store.links import links
from dashboard.store.vehicles import vehicles
from dashboard.store.vehicles.vehicles import Vehicle
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, format_moment, names
from dashboard.web.shared.fingerprints import fingerprint
from dashboard.web.shared.live import whole_seconds
from dashboard.web.vehicles.records import VehicleLink, VehiclePanel

#: A link that can no longer be paid is still told of for so long.
_TOLD_FOR = timedelta(hours=24)


def vehicle_panel(
    connection: Connection, rc: str, drawn: str | None = None, *, listed: bool = True
) -> VehiclePanel | None:
    """The live region, or None for a vehicle that was never searched.

    `drawn` is what the page was drawn from, without it the page is drawn now; `listed` says whether it lists challans.
    """
    services = current_services()
    now = services.clock()
    row = vehicles.find(connection, rc)
    if row is None:
        return None
    known = links.of_vehicle(connection, rc)
    told = [each for each in known if is_live(each.status) or now - each.status_since < _TOLD_FOR]
    counts = links.challan_counts(connection, told) if told else {}
    at_work = sorted(each.id for each in intents.open_of_vehicle(connection, rc))
    here = ".".join(
        fingerprint((facet,)) for facet in (row.searched_at, [(each.id, each.status) for each in known], at_work)
    )
    cards = tuple(
        VehicleLink(each.id, shared_texts.link_state(each.status), counts[each.id], each.expires_at, each.status_since)
        for each in told
    )
    return VehiclePanel(
        rc=rc,
        listed=listed,
        links=cards,
        news=_news(row, (drawn or here).split("."), here.split(".")),
        poll_seconds=whole_seconds(services.schedule.poll),
        seen=fingerprint((here, cards)),
        drawn=drawn or here,
    )


def _news(row: Vehicle, drawn: list[str], here: list[str]) -> tuple[str, ...]:
    """What has happened since the list was drawn, in sentences."""
    if len(drawn) != len(here):
        return ("This list may be old.",)
    searched, links_of_it, requests = (before != now for before, now in zip(drawn, here, strict=True))
    news = []
    if searched:
        by = names().get(row.searched_by) if row.searched_by else None
        news.append(f"The vehicle was searched again at {format_moment(row.searched_at)}{f' by {by}' if by else ''}.")
    if links_of_it:
        news.append("The state of a payment link has changed, so other challans may be payable now.")
    if requests:
        news.append("A request for a payment link has begun or ended.")
    return tuple(news)
