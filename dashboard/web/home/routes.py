"""The first page: search, what needs attention, recent vehicles and links."""

from __future__ import annotations

from datetime import timedelta

from flask import Blueprint, render_template, url_for

from dashboard.domain.intents import IntentState
from dashboard.domain.links import is_live
from dashboard.domain.registration import spaced
from dashboard.store.creation import intents, releases
from dashboard.store.links import duplicates, links
from dashboard.web.creation import release
from dashboard.web.home import page as home_page
from dashboard.web.home.records import AttentionItem
from dashboard.web.links import page as link_page
from dashboard.web.shared.current import current_services, format_moment
from dashboard.web.vehicles import page as vehicle_page
from dashboard.web.vehicles.forms import SearchVehicleForm

bp = Blueprint("home", __name__)

_ENDS_SOON = timedelta(hours=6)


@bp.get("/")
def index() -> str:
    return page(SearchVehicleForm(formdata=None))


def page(form: SearchVehicleForm, notice: str | None = None) -> str:
    """The first page around a search form, empty or as it was sent."""
    cards = link_page.cards()
    return render_template(
        "home/index.html",
        form=form,
        first_search=form.first_search,
        vehicles=vehicle_page.cards(),
        links=cards,
        panel=home_page.home_panel(attention(), cards),
        notices_wanted=home_page.wants_notice(),
        query="",
        freshness_notice=notice,
    )


def attention() -> list[AttentionItem]:
    """What waits for a person: requests whose outcome is not known, and unpaid links that end soon.

    Last come the requests that were set aside.
    """
    services = current_services()
    now = services.clock()
    with services.store.read() as connection:
        states = (IntentState.NEEDS_ATTENTION, IntentState.UNKNOWN, IntentState.SENDING)
        unclear = intents.in_states(connection, states, but_set_aside=True)
        aside = releases.still_looked_for(connection)
        doubled = [row for row in duplicates.standing(connection) if row.id == row.doubled]
        ending = links.ending_between(connection, now, now + _ENDS_SOON)
    items = [
        AttentionItem(
            words=f"{spaced(row.rc)}: the outcome of a request for a link is not known yet.",
            address=url_for("creation.request_page", request_id=row.id),
            action="Look at the request",
            since=row.prepared_at,
            meaning="wrong" if row.state == IntentState.NEEDS_ATTENTION else "waiting",
        )
        for row in unclear
    ]
    items += [
        AttentionItem(
            words=f"{spaced(row.rc) if row.rc else 'A link'}: two links hold the same challans; "
            "money may be paid twice.",
            address=url_for("links.show", link_id=row.id),
            action="Open the link",
            since=row.status_since,
            meaning="wrong",
        )
        for row in doubled
    ]
    items += [
        AttentionItem(
            words=f"{spaced(row.rc) if row.rc else 'A link'}: unpaid, "
            f"and its link ends at {format_moment(row.expires_at)}.",
            address=url_for("links.show", link_id=row.id),
            action="Open the link",
            since=row.created_at or row.first_seen_at,
        )
        for row in ending
        if is_live(row.status) and row.expires_at is not None
    ]
    # Somebody has taken it upon them: nobody has to do anything, and everybody can find it.
    items += [
        AttentionItem(
            words=f"{spaced(row.rc)}: a request was set aside by {release.by_whom(row)}; its link may or may not "
            "exist, and we go on looking.",
            address=url_for("creation.request_page", request_id=row.id),
            action="Look at the request",
            since=row.set_aside_at,
            meaning="neutral",
        )
        for row in aside
    ]
    return items
