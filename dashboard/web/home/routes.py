"""Serve the first page: its live regions, paid notifications, and the banner of every page."""

from __future__ import annotations

from datetime import timedelta

from flask import Blueprint, redirect, render_template, request, url_for
from flask.blueprints import BlueprintSetupState
from flask.typing import ResponseReturnValue
from flask_login import current_user

from dashboard.domain.registration import MAX_LENGTH
from dashboard.web.home import page as home_page
from dashboard.web.home.records import PaidNotifications
from dashboard.web.shared import htmx, request_args
from dashboard.web.shared.banner import silent_since
from dashboard.web.shared.current import current_services, person_id
from dashboard.web.shared.live import checked_event
from dashboard.web.shared.redirects import own_page
from dashboard.web.vehicles import page as vehicle_page
from dashboard.web.vehicles.forms import SearchVehicleForm

bp = Blueprint("home", __name__)

#: A browser that was away for longer is not notified of that time; the first page lists what was paid.
_MAX_ABSENCE = timedelta(minutes=10)


@bp.get("/")
def index() -> str:
    # Who typed a part of a number into the find box goes on with it here.
    number = request.args.get("number", "")[:MAX_LENGTH]
    return page(SearchVehicleForm(formdata=None, data={"rc_number": number} if number else None))


def page(form: SearchVehicleForm) -> str:
    """Render the first page around a search form, empty or as it was sent."""
    with current_services().store.read() as connection:
        region, recent = home_page.home_panel(connection)
        vehicles = vehicle_page.cards_to_open(connection)
    return render_template(
        "home/index.html",
        form=form,
        first_search=form.first_search,
        vehicles=vehicles,
        links=recent,
        panel=region,
        silent_since=silent_since(current_services()),
        notifications_wanted=home_page.wants_notifications(),
    )


@bp.get("/panel")
@htmx.region_of("home.index")
def panel() -> ResponseReturnValue:
    """Serve the live region. While the change token is the same, a poll reads nothing else."""
    seen, _, token = request.args.get("seen", "").partition(".")
    with current_services().store.read() as connection:
        if token and token == home_page.change_token(connection):
            return htmx.unchanged(checked_event(poll_seconds=home_page.poll_seconds()))
        region, _recent = home_page.home_panel(connection)
    if region.seen.partition(".")[0] == seen:
        event = checked_event(poll_seconds=region.poll_seconds, seen=region.seen, links=region.links_mark)
        return htmx.unchanged(event)
    return htmx.region("home/_panel.html", checked=checked_event(links=region.links_mark), panel=region)


@bp.get("/banner")
@htmx.region_of("home.index")
def banner() -> ResponseReturnValue:
    """Serve the banner, which says what is wrong with the service; a live region fetches it when it has changed."""
    return htmx.region("shared/_banner.html")


@bp.get("/recent-links")
@htmx.region_of("home.index")
def recent_links() -> ResponseReturnValue:
    """Serve the list of recent links, which is fetched again when the panel says that it has changed."""
    with current_services().store.read() as connection:
        recent = home_page.recent_links(connection)
    wanted = home_page.wants_notifications()
    return htmx.region(
        "home/_recent_links.html",
        links=recent,
        mark=home_page.links_mark(recent),
        silent_since=silent_since(current_services()),
        notifications_wanted=wanted,
    )


@bp.get("/paid-news")
@htmx.region_of("home.index")
def paid_notifications() -> ResponseReturnValue:
    """Serve what the browser is to notify of: links of this person that were paid since its last poll."""
    now = current_services().clock()
    after = request_args.moment(request.args.get("after")) or now
    shown = home_page.notifications(max(after, now - _MAX_ABSENCE))
    if not shown.cards and request.args.get("count") == str(shown.count):
        return htmx.unchanged({"at": now.isoformat(), "now": now.isoformat(), "poll_seconds": shown.poll_seconds})
    return htmx.region("home/_paid_notifications.html", notifications=shown)


@bp.post("/paid/seen")
def mark_seen() -> ResponseReturnValue:
    """Mark the listed links as seen; those paid after the list was drawn stay unseen."""
    services = current_services()
    until = request_args.moment(request.form.get("until")) or services.clock()
    services.paid_notifications.mark_all_seen(person_id(), until)
    return redirect(url_for("home.index"), 303)


@bp.post("/paid/notices")
def set_notifications() -> ResponseReturnValue:
    """Switch browser notifications of paid links on or off, from the first page or from one's own account."""
    current_services().paid_notifications.set_wanted(person_id(), request.form.get("wanted") == "yes")
    return redirect(own_page(request.form.get("next")) or url_for("home.index"), 303)


@bp.record_once
def _register_notifications(state: BlueprintSetupState) -> None:
    """Let the layout poll on every page of a person who wants notifications."""
    state.app.jinja_env.globals["paid_notifications"] = _paid_notifications


def _paid_notifications() -> PaidNotifications | None:
    wanted = current_user.is_authenticated and home_page.wants_notifications()
    return home_page.notifications(current_services().clock()) if wanted else None
