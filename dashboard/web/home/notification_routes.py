"""The live regions of the first page, and what its reader has seen of what was paid."""

from __future__ import annotations

from datetime import timedelta

from flask import redirect, request, url_for
from flask.blueprints import BlueprintSetupState
from flask.typing import ResponseReturnValue
from flask_login import current_user

from dashboard.web.home import page as home_page
from dashboard.web.home.records import PaidNotices
from dashboard.web.home.routes import attention, bp
from dashboard.web.links import page as link_page
from dashboard.web.shared import htmx, request_args
from dashboard.web.shared.current import current_services, person_id
from dashboard.web.shared.fingerprints import fingerprint
from dashboard.web.shared.live import told

#: A browser that was away longer is told of nothing: the first page does that.
_TOLD_WITHIN = timedelta(minutes=10)


@bp.record_once
def _offer(state: BlueprintSetupState) -> None:
    """Every page of somebody who wants to be told carries what asks for it."""
    state.app.jinja_env.globals["paid_notices"] = _paid_notices


def _paid_notices() -> PaidNotices | None:
    wanted = current_user.is_authenticated and home_page.wants_notice()
    return home_page.paid_notices(current_services().clock()) if wanted else None


@bp.get("/panel")
def panel() -> ResponseReturnValue:
    """What was paid and what waits. While nothing has happened anywhere, a poll asks for that alone."""
    if not htmx.is_htmx():
        return redirect(url_for("home.index"), 303)
    mark, _, token = request.args.get("seen", "").partition(".")
    pace = home_page.poll_seconds()
    if token and token == home_page.change_token():
        return htmx.unchanged(**told(), pace=pace)
    region = home_page.home_panel(attention(), link_page.cards())
    known = told(links=region.links_mark)
    if region.seen.partition(".")[0] == mark:
        return htmx.unchanged(**known, pace=pace, seen=region.seen)
    return htmx.region("home/_panel.html", told=known, panel=region)


@bp.get("/banner")
def banner() -> ResponseReturnValue:
    """What is wrong with the service, fetched anew when a live region learns that it has changed."""
    if not htmx.is_htmx():
        return redirect(url_for("home.index"), 303)
    return htmx.region("shared/_banner.html")


@bp.get("/recent-links")
def recent_links() -> ResponseReturnValue:
    """The list of recent links, fetched anew when the panel says that it has changed."""
    if not htmx.is_htmx():
        return redirect(url_for("home.index"), 303)
    cards = link_page.cards()
    return htmx.region("home/_recent_links.html", links=cards, mark=fingerprint(cards))


@bp.get("/paid-news")
def paid_notifications() -> ResponseReturnValue:
    """What the browser is to tell: the links of this person that were paid since it asked last."""
    if not htmx.is_htmx():
        return redirect(url_for("home.index"), 303)
    now = current_services().clock()
    after = request_args.moment(request.args.get("after")) or now
    notices = home_page.paid_notices(max(after, now - _TOLD_WITHIN))
    if not notices.cards and request.args.get("count") == str(notices.count):
        return htmx.unchanged(now.isoformat(), now=now.isoformat(), pace=notices.poll_seconds)
    return htmx.region("home/_paid_notifications.html", notices=notices)


@bp.post("/paid/seen")
def mark_seen() -> ResponseReturnValue:
    """All that was listed has been seen; what was paid after the list was drawn stays news."""
    current_services().paid_notifications.saw_all(
        person_id(), request_args.moment(request.form.get("until")) or current_services().clock()
    )
    return redirect(url_for("home.index"), 303)


@bp.post("/paid/notices")
def set_notifications() -> ResponseReturnValue:
    """Have the browser tell when a link is paid, or no longer."""
    current_services().paid_notifications.set_notice(person_id(), request.form.get("wanted") == "yes")
    return redirect(url_for("home.index"), 303)
