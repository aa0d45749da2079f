"""Serve the follow-up queue: put a link off, take it back, add a note."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from uuid import UUID

from flask import abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.follow_up import MAX_NOTE, SNOOZE, NotSnoozed
from dashboard.domain.registration import spaced
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.web.links.routes import subject_of_saved_form
from dashboard.web.shared.current import audit, current_services, person_id, today, zone
from dashboard.web.shared.saved_forms import resumes_on_its_own_page
from dashboard.web.sharing import texts
from dashboard.web.sharing.follow_up_page import follow_up_page, places
from dashboard.web.sharing.routes import bp

_MORNING = time(9)


@bp.get("/follow-up")
def follow_up() -> str:
    return follow_up_page()


@bp.post("/follow-up/<uuid:link_id>/snooze")
def snooze(link_id: UUID) -> ResponseReturnValue:
    """Put a link off for some hours or until tomorrow morning, or take it back."""
    services = current_services()
    link = _find(link_id)
    plate = spaced(link.rc) if link.rc else None
    match request.form.get("until"):
        case "now":
            until = services.follow_ups.resume(link.id, person_id())
            flash(texts.resumed(plate), "good")
        case "hours" | "morning" as chosen:
            asked = services.clock() + SNOOZE if chosen == "hours" else _tomorrow_morning()
            try:
                snooze = services.follow_ups.snooze(link.id, asked, person_id())
            except NotSnoozed as refused:
                flash(texts.not_snoozed(plate, refused.problem), "wrong")
                return redirect(url_for("sharing.follow_up", **places()), 303)
            until = snooze.until
            flash(texts.snoozed(plate, snooze), "good")
        case _:
            abort(400)
    audit("snooze", link.id, until=until.isoformat())
    return redirect(url_for("sharing.follow_up", **places()), 303)


@bp.post("/follow-up/<uuid:link_id>/note")
def add_note(link_id: UUID) -> ResponseReturnValue:
    """Add a note to a link's history; the queue shows the newest one."""
    text = " ".join(request.form.get("note", "").split())
    link = _find(link_id)
    if not text or len(text) > MAX_NOTE:
        return follow_up_page(link.id, text, texts.NOTE_TOO_LONG if text else texts.NO_NOTE), 422
    current_services().follow_ups.add_note(link.id, text, person_id())
    audit("note", link.id)
    if request.form.get("back") == "link":
        return redirect(url_for("links.show", link_id=link_id), 303)
    return redirect(url_for("sharing.follow_up", **places()), 303)


resumes_on_its_own_page("sharing.add_note", texts.LINK_NOTE, texts.NOTE_LABELS, subject_of_saved_form)


def _find(link_id: UUID) -> Link:
    with current_services().store.read() as connection:
        return links.find(connection, str(link_id)) or abort(404)


def _tomorrow_morning() -> datetime:
    return datetime.combine(today() + timedelta(days=1), _MORNING, zone())
