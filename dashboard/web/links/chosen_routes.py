"""Act on the links that are ticked in the list: export or send them, have them followed up, or tick them all."""

from __future__ import annotations

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.link_filters import MAX_CHOSEN, LinkFilter
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.links import links, listing
from dashboard.web.links import filters, list_texts, rows
from dashboard.web.links.list_page import PAGE_SIZE
from dashboard.web.links.list_routes import filter_shown, list_shown
from dashboard.web.links.routes import bp
from dashboard.web.shared import request_args
from dashboard.web.shared.current import audit, current_services, person_id, zone
from dashboard.web.shared.saved_forms import resumes
from dashboard.web.shared.toasts import Undo, notice, toast
from dashboard.web.sharing.reminder_address import link_ids, queue_address, queue_of, queue_of_chosen


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
    for link_id in asked.link_ids:
        audit("follow up", link_id)
    fields = {**queue_of(asked.link_ids, asked.at), "at": asked.at.isoformat()}
    # An address names no more of them than a page has.
    is_undone = asked.may_be_taken_back and len(asked.link_ids) <= PAGE_SIZE
    undo = Undo("links.undo_follow_up", fields=fields) if is_undone else None
    toast(list_texts.follow_up(len(asked.link_ids), len(ids) - len(asked.link_ids)), undo=undo)
    return redirect(list_shown(), 303)


@bp.post("/links/chosen/follow-up/undo")
def undo_follow_up() -> ResponseReturnValue:
    """Take links out of the follow-up queue again that this person has put there."""
    at = request_args.moment(request.form.get("at"))
    ids = link_ids(request.form)
    taken_back = current_services().follow_ups.take_back(ids, at, person_id()) if at else []
    for link_id in taken_back:
        audit("follow up undone", link_id)
    toast(list_texts.not_followed_up(len(taken_back)))
    return redirect(list_shown(), 303)


@bp.post("/links/chosen/send")
def send_chosen() -> ResponseReturnValue:
    """Lead to the messages that send the chosen links, a driver at a time; without a driver, to where one is chosen.

    Those that were not sent go out. Who was given one is reminded where that is asked for, or nothing else is left.
    """
    ids = filters.chosen(request.form)
    if not ids:
        return _nothing_chosen()
    services = current_services()
    with services.store.read() as connection:
        found = links.find_all(connection, ids)
        listed = rows.rows(connection, [found[each] for each in ids if each in found])
    if not any(each.is_open for each in listed):
        notice(list_texts.NONE_CAN_BE_SENT, "wrong")
        return redirect(list_shown(), 303)
    if all(each.is_withheld for each in listed if each.is_open):
        notice(list_texts.NONE_CAN_BE_SENT_NOW, "wrong")
        return redirect(list_shown(), 303)
    ready = [each for each in listed if "ready" in each.traits]
    if not ready:
        notice(list_texts.NO_DRIVER_CHOSEN, "waiting")
        return redirect(url_for("sharing.choose_drivers"), 303)
    unsent, given = [each for each in ready if each.is_unsent], [each for each in ready if not each.is_unsent]
    meant, apart = (given, unsent) if given and ("remind" in request.form or not unsent) else (unsent, given)
    # What must not be shared joins no message later. What can be sent once it has a driver comes before what is over.
    withheld = [each for each in listed if each.is_open and each.is_reached and each.payment is None]
    others = [each for each in listed if each not in ready and each not in withheld]
    others.sort(key=lambda each: not each.is_open)
    if too_many := len(meant[PAGE_SIZE:]) + len(others[PAGE_SIZE:]):
        notice(list_texts.too_many_for_messages(too_many), "waiting")
    besides = others[:PAGE_SIZE]
    # All that is left out has as much room in the address as the messages have.
    left_out = [*withheld, *apart][: PAGE_SIZE - len(besides)]
    named, lacking, kept = ([each.card.id for each in part] for part in (meant[:PAGE_SIZE], besides, left_out))
    return redirect(queue_address(queue_of_chosen(named, lacking, kept, filter_shown(), services.clock())), 303)


@bp.get("/links/chosen/all")
def choosable() -> ResponseReturnValue:
    """Return the links that the filter finds, whichever page they are on, as far as so many can be chosen."""
    asked, _ = filters.read(request.args)
    services = current_services()
    with services.store.read() as connection:
        found = listing.page(connection, asked, zone(), services.clock(), place=None, limit=MAX_CHOSEN)
        chosen_rows = rows.rows(connection, found)
    return [
        {"id": row.card.id, "traits": row.traits, "amount": row.card.total and str(row.card.total)}
        for row in chosen_rows
    ]


@bp.get("/links/chosen/export")
@bp.get("/links/chosen/follow-up")
@bp.get("/links/chosen/follow-up/undo")
@bp.get("/links/chosen/send")
def chosen() -> ResponseReturnValue:
    """Show the list where the address of one of its forms is opened."""
    return redirect(url_for("links.index"), 303)


def _nothing_chosen() -> ResponseReturnValue:
    notice(list_texts.NOTHING_CHOSEN, "wrong")
    return redirect(url_for("links.index"), 303)


@resumes("links.export_chosen", "links.follow_up_chosen", "links.send_chosen")
def _chosen_again(form: SavedForm) -> str:
    """Show the links that were chosen."""
    return url_for("links.index", link=form.all("link"))


@resumes("links.undo_follow_up")
def _list_again(_form: SavedForm) -> str:
    """Show the list; what was put into the queue is taken back there."""
    return url_for("sharing.follow_up")
