"""Serve how the links of a plan reach their drivers: messages one by one, a sheet of QR codes, and an export."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import quote
from uuid import UUID

from flask import Response, abort, redirect, render_template, request, stream_with_context, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.sharing import Channel
from dashboard.errors import ServiceError
from dashboard.services.sharing.share import NotShareable, TooLateToUndo
from dashboard.store.engine import NotStored
from dashboard.store.links import links
from dashboard.web.fleet import forms, share_page
from dashboard.web.fleet import plan_texts as texts
from dashboard.web.fleet.plan_records import DriverLinks, PlanShare
from dashboard.web.fleet.plan_routes import require_plan
from dashboard.web.fleet.routes import bp
from dashboard.web.shared import htmx
from dashboard.web.shared.current import audit, current_services, person_id, settings, zone
from dashboard.web.shared.errors import explain
from dashboard.web.shared.request_args import row_id
from dashboard.web.shared.spreadsheets import csv_download, xlsx_download
from dashboard.web.shared.toasts import notice, toast
from dashboard.web.sharing import texts as sharing_texts


@bp.get("/fleet/plans/<uuid:plan_id>/share")
def share_plan(plan_id: UUID) -> str:
    """Show which driver gets which links of a plan, and for which nobody is known."""
    share = _share(plan_id)
    return render_template(
        "fleet/share.html", page=replace(share, page=min(forms.page_number(request.args), share.pages))
    )


@bp.get("/fleet/plans/<uuid:plan_id>/share/<int:driver_id>/row")
@htmx.region_of("fleet.share_plan")
def plan_driver(plan_id: UUID, driver_id: int) -> ResponseReturnValue:
    """Serve the row of a driver, once a message was opened in another tab."""
    return _driver_region(plan_id, driver_id)


@bp.post("/fleet/plans/<uuid:plan_id>/share/<int:driver_id>/undo")
def undo_plan_message(plan_id: UUID, driver_id: int) -> ResponseReturnValue:
    """Take back the newest message to a driver, as far as this person recorded it just now."""
    share = _share(plan_id)
    driver = next((each for each in share.drivers if each.driver_id == driver_id), None) or abort(404)
    wanted = set(request.form.getlist("share"))
    undone = False
    for each in driver.links:
        if each.share_id is None or str(each.share_id) not in wanted:
            continue
        try:
            current_services().sharing.undo_share(each.id, each.share_id, person_id())
        except (NotStored, TooLateToUndo):
            continue
        audit("share undone", each.id, share=each.share_id)
        undone = True
    words = texts.NOT_SENT_AFTER_ALL if undone else sharing_texts.TOO_LATE_TO_UNDO
    if htmx.puts_into(f"driver-{driver_id}"):
        return _driver_region(plan_id, driver_id, str(words))
    if undone:
        toast(words)
    else:
        notice(words, "wrong")
    if request.form.get("back") == "messages":
        return redirect(url_for("fleet.plan_message", plan_id=plan_id), 303)
    return redirect(url_for("fleet.share_plan", plan_id=plan_id), 303)


@bp.get("/fleet/plans/<uuid:plan_id>/share/<int:driver_id>/undo")
def sent_undo(plan_id: UUID, driver_id: int) -> ResponseReturnValue:
    """Show the drivers where the address of the undo is opened."""
    return redirect(url_for("fleet.share_plan", plan_id=plan_id, _anchor=f"driver-{driver_id}"), 303)


def _driver_region(plan_id: UUID, driver_id: int, said: str = "") -> Response:
    page = _share(plan_id)
    driver = next((each for each in page.drivers if each.driver_id == driver_id), None) or abort(404)
    said = said or (driver.said if driver.undoable else "")
    return htmx.region("fleet/_driver_row.html", announce=said, page=page, driver=driver, with_head=True)


@bp.get("/fleet/plans/<uuid:plan_id>/share/messages")
def plan_message(plan_id: UUID) -> ResponseReturnValue:
    """Show the messages one by one; what nobody opens is not recorded."""
    step = share_page.plan_message(_share(plan_id), _after())
    if step is None:
        notice(texts.NOBODY_LEFT, "good")
        return redirect(url_for("fleet.share_plan", plan_id=plan_id), 303)
    if htmx.puts_into("plan-message"):
        return htmx.region("fleet/_plan_message.html", step=step)
    return render_template("fleet/plan_messages.html", step=step)


@bp.post("/fleet/plans/<uuid:plan_id>/share/<int:driver_id>")
def send_plan_message(plan_id: UUID, driver_id: int) -> ResponseReturnValue:
    """Check the links of a driver now, record the shares, and open WhatsApp with one message about them."""
    share = _share(plan_id)
    driver = next((each for each in share.drivers if each.driver_id == driver_id and each.number), None) or abort(404)
    ready = _checked(driver)
    if not ready:
        notice(texts.NOT_CHECKED, "wrong")
        return redirect(url_for("fleet.share_plan", plan_id=plan_id), 303)
    language, _text = share_page.message_of(driver, ready, fresh=True)
    sharing = current_services().sharing
    new = [each for each in ready if not sharing.was_just_shared(each, Channel.WHATSAPP, person_id(), driver_id)]
    sharing.record_message(new, Channel.WHATSAPP, person_id(), driver_id, language.code)
    for link_id in new:
        channel = str(Channel.WHATSAPP)
        audit("share", link_id, channel=channel, driver=driver_id, language=language.code, plan=str(plan_id))
    return redirect(url_for("fleet.plan_message_sent", plan_id=plan_id, driver_id=driver_id, link=ready), 303)


@bp.get("/fleet/plans/<uuid:plan_id>/share/<int:driver_id>")
def plan_message_sent(plan_id: UUID, driver_id: int) -> ResponseReturnValue:
    """Open WhatsApp with the message while the checks of its links are fresh; a reload records nothing."""
    share = _share(plan_id)
    driver = next((each for each in share.drivers if each.driver_id == driver_id and each.number), None) or abort(404)
    wanted = request.args.getlist("link")[: share_page.MOST_OF_A_MESSAGE]
    ready = [each.id for each in driver.sendable if each.id in wanted and _is_prepared(each.id)]
    if not ready or len(ready) < len(wanted):
        return redirect(url_for("fleet.plan_message", plan_id=plan_id), 303)
    language, text = share_page.message_of(driver, ready, fresh=True)
    address = f"https://wa.me/{driver.number}?text={quote(text, safe='')}"
    shown = {"driver": driver, "text": text, "spoken": language.code, "address": address}
    return render_template("fleet/plan_message_sent.html", plan_id=str(plan_id), **shown)


def _checked(driver: DriverLinks) -> list[str]:
    """Check the links of a driver with the service; return those that may be sent, the unsent ones first."""
    wanted = [each.id for each in driver.unsent or driver.sendable][: share_page.MOST_OF_A_MESSAGE]
    ready = []
    for link_id in wanted:
        try:
            current_services().sharing.prepare(link_id)
        except NotShareable:
            continue
        except ServiceError as error:
            notice(" ".join(map(str, explain(error))), "wrong")
            break
        ready.append(link_id)
    return ready


def _is_prepared(link_id: str) -> bool:
    with current_services().store.read() as connection:
        link = links.find(connection, link_id)
    return link is not None and current_services().sharing.is_prepared(link)


@bp.get("/fleet/plans/<uuid:plan_id>/sheet")
def plan_sheet(plan_id: UUID) -> str:
    """Show a sheet of QR codes to print."""
    found = share_page.sheet(str(plan_id), _after()) or abort(404)
    title, codes, first, following = found
    shown = {"title": title, "codes": codes, "first": first, "following": following}
    return render_template("fleet/sheet.html", plan_id=str(plan_id), **shown)


@bp.get("/fleet/plans/<uuid:plan_id>/links.csv")
def export_plan_csv(plan_id: UUID) -> ResponseReturnValue:
    """Export the links of a plan, whatever became of them."""
    answer = csv_download(_file(plan_id, "csv"), _head(), share_page.exported(str(plan_id)), zone())
    answer.response = stream_with_context(answer.iter_encoded())  # Outcomes are worded as the rows are sent.
    return answer


@bp.get("/fleet/plans/<uuid:plan_id>/links.xlsx")
def export_plan_xlsx(plan_id: UUID) -> ResponseReturnValue:
    """Export the same as a workbook."""
    name = _file(plan_id, "xlsx")
    return xlsx_download(name, _head(), share_page.exported(str(plan_id)), zone(), str(texts.SHEET))


def _file(plan_id: UUID, kind: str) -> str:
    audit("export", require_plan(plan_id), of="creation plan", format=kind)
    return f"links-{str(plan_id)[:8]}.{kind}"


def _head() -> list[str]:
    return [each.format(zone=zone(), currency=settings().currency) for each in share_page.EXPORT_HEAD]


def _share(plan_id: UUID) -> PlanShare:
    return share_page.plan_share(str(plan_id)) or abort(404)


def _after() -> int:
    try:
        return row_id(request.args.get("after", "0"))
    except ValueError:
        return 0
