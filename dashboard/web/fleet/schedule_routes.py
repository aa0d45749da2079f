"""Serve repeated searches of the fleet."""

from __future__ import annotations

from flask import abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.services.fleet.schedules import TooManySchedules
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.engine import NotStored
from dashboard.store.fleet import schedules
from dashboard.store.fleet.schedules import FleetSchedule
from dashboard.web.fleet import forms, page, texts
from dashboard.web.fleet.records import ScheduleRow
from dashboard.web.fleet.routes import bp, shown
from dashboard.web.shared import saved_forms
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.toasts import Undo, toast


@bp.post("/fleet/repeats")
def add_schedule() -> ResponseReturnValue:
    """Repeat a search on the chosen days."""
    repeat, problems = forms.repeat(request.form)
    if repeat is None:
        return shown(page.fleet_page(repeat=request.form, repeat_problems=problems)), 422
    services = current_services()
    try:
        schedule_id = services.fleet_schedules.add(repeat, person_id())
    except NotStored:
        problems = {"what": str(texts.NO_SCOPE)}
    except TooManySchedules:
        problems = {"what": str(texts.TOO_MANY_SCHEDULES)}
    if problems:
        return shown(page.fleet_page(repeat=request.form, repeat_problems=problems)), 422
    added = _find(schedule_id)
    audit("fleet search repeated", added.what, when=added.when)
    toast(texts.REPEAT_SAVED.format(what=added.what, when=added.when))
    return _back()


@saved_forms.resumes("fleet.add_schedule")
def _resume(_form: SavedForm) -> str:
    return url_for("fleet.index")


@bp.post("/fleet/repeats/<int:schedule_id>/pause")
def pause_schedule(schedule_id: int) -> ResponseReturnValue:
    """Start nothing until somebody lets it go on."""
    paused = _find(schedule_id)
    current_services().fleet_schedules.pause(schedule_id)
    audit("fleet search paused", paused.what, when=paused.when)
    undo = Undo("fleet.resume_schedule", {"schedule_id": schedule_id})
    toast(texts.REPEAT_PAUSED.format(what=paused.what), undo=undo)
    return _back()


@bp.post("/fleet/repeats/<int:schedule_id>/resume")
def resume_schedule(schedule_id: int) -> ResponseReturnValue:
    """Go on with the next time."""
    resumed = _find(schedule_id)
    current_services().fleet_schedules.resume(schedule_id)
    audit("fleet search repeated", resumed.what, when=resumed.when)
    toast(texts.REPEAT_RESUMED.format(what=resumed.what, when=resumed.when))
    return _back()


@bp.post("/fleet/repeats/<int:schedule_id>/source")
def change_source(schedule_id: int) -> ResponseReturnValue:
    """Let the next runs ask the source, or take what the service has in its cache."""
    changed, at_source = _find(schedule_id), forms.at_source(request.form)
    current_services().fleet_schedules.set_source(schedule_id, at_source=at_source)
    audit("fleet search repeated", changed.what, when=changed.when, at_source="yes" if at_source else "no")
    words = texts.ASKS_SOURCE if at_source else texts.ASKS_CACHE
    undo = Undo("fleet.change_source", {"schedule_id": schedule_id}, {"source": "" if at_source else "yes"})
    toast(words.format(what=changed.what), undo=undo)
    return _back()


@bp.post("/fleet/repeats/<int:schedule_id>/delete")
def delete_schedule(schedule_id: int) -> ResponseReturnValue:
    """Delete a repeated search; it can be saved again."""
    try:
        removed = current_services().fleet_schedules.remove(schedule_id)
    except NotStored:
        abort(404)
    row = page.schedule_row(removed)
    audit("fleet repeat deleted", row.what, when=row.when)
    undo = Undo("fleet.add_schedule", fields=_fields(removed))
    toast(texts.REPEAT_DELETED.format(what=row.what, when=row.when), undo=undo)
    return _back()


def _find(schedule_id: int) -> ScheduleRow:
    with current_services().store.read() as connection:
        found = schedules.find(connection, schedule_id)
    return page.schedule_row(found) if found else abort(404)


def _fields(removed: FleetSchedule) -> dict[str, str]:
    """Return the fields of the form that saves a repeated search again."""
    repeat = removed.repeat
    return {
        "what": f"{repeat.scope}:{repeat.list_id}" if repeat.list_id else repeat.scope.value,
        "days": str(repeat.days or ""),
        "weekdays": "".join(map(str, sorted(repeat.weekdays))),
        "at": f"{repeat.at:%H:%M}",
        "source": "yes" if repeat.at_source else "",
    }


def _back() -> ResponseReturnValue:
    return redirect(url_for("fleet.index"), 303)
