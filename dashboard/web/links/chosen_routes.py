"""Act on the links that are ticked in the list: export them, put them into the follow-up queue, or tick them all."""

from __future__ import annotations

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.link_filters import MAX_CHOSEN, LinkFilter
from dashboard.domain.links import is_live
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.links import listing
from dashboard.web.links import filters, list_texts
from dashboard.web.links.list_routes import list_shown
from dashboard.web.links.routes import bp
from dashboard.web.shared.current import audit, current_services, person_id, zone
from dashboard.web.shared.saved_forms import resumes
from dashboard.web.shared.toasts import notice, toast


@bp.post("/links/chosen/export")
def export_chosen() -> ResponseReturnValue:
    """Lead to the export of the chosen links."""
    asked = LinkFilter(chosen=filters.chosen(request.form))
    if not asked.chosen:
        return _nothing_chosen()
    return redirect(url_for("links.export", **filters.write(asked)), 303)


@bp.post("/links/chosen/follow-up")
def follow_up_chosen() -> ResponseReturnValue:
    """Put the chosen links into the follow-up queue, but those that can no longer be paid."""
    ids = filters.chosen(request.form)
    if not ids:
        return _nothing_chosen()
    asked = current_services().follow_ups.ask(ids, person_id())
    for link_id in asked:
        audit("follow up", link_id)
    toast(list_texts.follow_up(len(asked), len(ids) - len(asked)))
    return redirect(list_shown(), 303)


@bp.get("/links/chosen/all")
def choosable() -> ResponseReturnValue:
    """Return the links that the filter finds, whichever page they are on, as far as so many can be chosen."""
    asked, _ = filters.read(request.args)
    services = current_services()
    with services.store.read() as connection:
        found = listing.page(connection, asked, zone(), services.clock(), place=None, limit=MAX_CHOSEN)
    return [{"id": link.id, "isOpen": is_live(link.status), "amount": link.total and str(link.total)} for link in found]


@bp.get("/links/chosen/export")
@bp.get("/links/chosen/follow-up")
def chosen() -> ResponseReturnValue:
    """Show the list where the address of one of its forms is opened."""
    return redirect(url_for("links.index"), 303)


def _nothing_chosen() -> ResponseReturnValue:
    notice(list_texts.NOTHING_CHOSEN, "wrong")
    return redirect(url_for("links.index"), 303)


@resumes("links.export_chosen", "links.follow_up_chosen")
def _chosen_again(form: SavedForm) -> str:
    """Show the links that were chosen."""
    return url_for("links.index", link=form.all("link"))
