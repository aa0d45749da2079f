"""Serve saved lists of vehicles, which all managers share."""

from __future__ import annotations

from flask import abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.fleet_input import lines_of
from dashboard.services.fleet.lists import NameTaken
from dashboard.store.engine import NotStored
from dashboard.web.fleet import forms, page, texts
from dashboard.web.fleet.routes import bp, shown
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.saved_forms import resumes_on_its_own_page
from dashboard.web.shared.toasts import Undo, notice, toast


@bp.post("/fleet/lists/<int:list_id>/use")
def use_list(list_id: int) -> ResponseReturnValue:
    """Make a draft of a list, to be searched or changed."""
    services = current_services()
    try:
        used, vehicles = services.fleet_lists.use(list_id)
    except NotStored:
        abort(404)
    draft = services.fleet_drafts.add(person_id(), used.name, lines_of(vehicles), list_id=list_id)
    return redirect(url_for("fleet.draft", draft_id=draft), 303)


@bp.post("/fleet/lists/<int:list_id>/rename")
def rename_list(list_id: int) -> ResponseReturnValue:
    """Give a list another name."""
    name, typed = forms.list_name(request.form), request.form.get("name", "")
    if name is None:
        return shown(page.fleet_page(renamed=(list_id, typed, str(texts.LIST_NAME)))), 422
    try:
        before = current_services().fleet_lists.rename(list_id, name)
    except NameTaken:
        return shown(page.fleet_page(renamed=(list_id, typed, texts.NAME_TAKEN.format(name=name)))), 409
    except NotStored:
        abort(404)
    if before.name != name:
        audit("fleet list renamed", before.name, name=name)
        undo = Undo("fleet.rename_list", {"list_id": list_id}, {"name": before.name})
        toast(texts.LIST_RENAMED.format(before=before.name, name=name), undo=undo)
    return redirect(url_for("fleet.index"), 303)


resumes_on_its_own_page("fleet.rename_list", texts.RENAMED_LIST, texts.NAME_LABELS)


@bp.post("/fleet/lists/<int:list_id>/delete")
def delete_list(list_id: int) -> ResponseReturnValue:
    """Delete a list; it can be restored."""
    try:
        deleted = current_services().fleet_lists.delete(list_id)
    except NotStored:
        abort(404)
    audit("fleet list deleted", deleted.name)
    toast(texts.LIST_DELETED.format(name=deleted.name), undo=Undo("fleet.restore_list", {"list_id": list_id}))
    return redirect(url_for("fleet.index"), 303)


@bp.post("/fleet/lists/<int:list_id>/restore")
def restore_list(list_id: int) -> ResponseReturnValue:
    """Bring a deleted list back."""
    try:
        restored = current_services().fleet_lists.restore(list_id)
    except NameTaken as taken:
        notice(texts.NOT_RESTORED.format(name=taken.name), "waiting")
    except NotStored:
        abort(404)
    else:
        audit("fleet list restored", restored.name)
        toast(texts.LIST_RESTORED.format(name=restored.name))
    return redirect(url_for("fleet.index"), 303)
