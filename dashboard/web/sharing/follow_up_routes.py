"""Serve the follow-up queue: snooze a link, undo that, add a note."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.follow_up import MAX_NOTE, NotSnoozed
from dashboard.domain.registration import spaced
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.web.links.routes import subject_of_saved_form
from dashboard.web.shared import htmx
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.saved_forms import resumes_on_its_own_page
from dashboard.web.shared.toasts import Undo, notice, toast
from dashboard.web.sharing import reminder_address, texts
from dashboard.web.sharing.follow_up_page import (
    contact_region,
    entry_now,
    entry_of,
    follow_up_page,
    moved_rows,
    places,
    queues,
)
from dashboard.web.sharing.reminder_address import LINKS
from dashboard.web.sharing.reminder_page import reminder_step, reminders_done
from dashboard.web.sharing.routes import bp, message_links
from dashboard.web.sharing.snoozes import snooze_until


@bp.get("/follow-up")
def follow_up() -> str:
    """Show the queue, and above it what became of the reminders that the address names."""
    return follow_up_page(done=reminders_done() if LINKS in request.args else None)


@bp.get("/follow-up/reminders")
def reminders() -> ResponseReturnValue:
    """Show the reminders one by one; what nobody opens is not recorded. Those that wait now, where none are named."""
    step = reminder_step(goes_on="next" in request.args)
    if step is None and LINKS not in request.args and (now := queues().remind):
        return redirect(now, 303)
    if step is None:  # The queue says what its links lack.
        return redirect(url_for("sharing.follow_up"), 303)
    if htmx.puts_into("reminder"):
        is_asked = "next" in request.args and reminder_address.number(request.args) == step.current.number
        if is_asked and step.current.is_all_to_send:
            return htmx.vary(Response(status=204))  # It is not recorded yet, and is asked for again.
        said = step.last.entry.undoable if step.last else step.entry.undoable
        words = said.undoable.words if said and said.undoable and "next" in request.args else ""
        answer = htmx.region("sharing/_reminder.html", step=step, announce=words, page_title=step.title, counted=True)
        answer.headers["HX-Replace-Url"] = step.current.address
        return answer
    return render_template("sharing/reminders.html", step=step)


@bp.get("/follow-up/<uuid:link_id>/contact")
def last_contact(link_id: UUID) -> ResponseReturnValue:
    """Serve how a driver got the links of a row last; the queue asks for it after a send, until that is recorded."""
    if not htmx.wants_region():
        return redirect(url_for("sharing.follow_up"), 303)
    entry = entry_now(message_links(link_id, request.args))
    if request.args.get("seen") == entry.seen:
        return htmx.vary(Response(status=204))
    return contact_region(entry)


@bp.post("/follow-up/<uuid:link_id>/snooze")
def snooze(link_id: UUID) -> ResponseReturnValue:
    """Put a link off for some hours or until tomorrow morning, or take it back.

    Until the evening is for a driver who will pay today, which is noted.
    """
    services = current_services()
    link = _find(link_id)
    plate = spaced(link.rc) if link.rc else None
    match request.form.get("until"):
        case "now":
            until = services.follow_ups.resume(link.id, person_id())
            toast(texts.resumed(plate))
        case str() as chosen if asked := snooze_until(chosen, link.expires_at, services.clock()):
            try:
                snooze = services.follow_ups.snooze(link.id, asked, person_id())
            except NotSnoozed as refused:
                words = texts.not_snoozed(plate, refused.problem)
                if htmx.is_on(url_for("sharing.follow_up")):
                    return htmx.notice(render_template("shared/_notice.html", title="", text=words), 422)
                notice(words, "wrong")
                return redirect(url_for("sharing.follow_up", **places()), 303)
            until = snooze.until
            if chosen == texts.EVENING:
                services.follow_ups.add_note(link.id, str(texts.WILL_PAY_TODAY), person_id())
                audit("note", link.id)
            toast(texts.snoozed(plate, snooze), undo=Undo("sharing.snooze", _here(link_id), {"until": "now"}))
        case _:
            abort(400)
    audit("snooze", link.id, until=until.isoformat())
    if htmx.is_on(url_for("sharing.follow_up")):
        return moved_rows([link.id])
    return redirect(url_for("sharing.follow_up", **places()), 303)


@bp.post("/follow-up/<uuid:link_id>/note")
def add_note(link_id: UUID) -> ResponseReturnValue:
    """Add a note to a link's history; the queue shows the newest one."""
    text = " ".join(request.form.get("note", "").split())
    link = _find(link_id)
    if not text or len(text) > MAX_NOTE:
        refused = texts.NOTE_TOO_LONG if text else texts.NO_NOTE
        return _row(link.id, text, refused) or (follow_up_page(link.id, text, refused), 422)
    current_services().follow_ups.add_note(link.id, text, person_id())
    audit("note", link.id)
    if (changed := _row(link.id)) is not None:
        return changed
    if request.form.get("back") == "link":
        return redirect(url_for("links.show", link_id=link_id), 303)
    return redirect(url_for("sharing.follow_up", **places()), 303)


resumes_on_its_own_page("sharing.add_note", texts.LINK_NOTE, texts.NOTE_LABELS, subject_of_saved_form)


def _row(link_id: str, typed: str = "", problem: str | None = None) -> Response | None:
    """Answer with the row of a link alone; None where its page is needed."""
    if not htmx.is_on(url_for("sharing.follow_up")):
        return None
    page = queues(link_id, typed, problem)
    entry = entry_of(page, link_id)
    if entry is None or not htmx.puts_into(f"follow-{entry.link_id}"):
        return None
    said = problem or texts.NOTE_ADDED
    shown: dict[str, Any] = {"page": page, "entry": entry, "noted": "" if problem else link_id}
    return htmx.region("sharing/_follow_row.html", 422 if problem else 200, announce=said, **shown)


def _here(link_id: UUID) -> dict[str, Any]:
    """Return the arguments of the address of an action, which comes back to the same pages of the lists."""
    return {"link_id": link_id, **places()}


def _find(link_id: UUID) -> Link:
    with current_services().store.read() as connection:
        return links.find(connection, str(link_id)) or abort(404)
