"""Serve how the links of a plan reach their drivers: messages one by one, a sheet of QR codes, and an export."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from flask import abort, redirect, render_template, request, stream_with_context, url_for
from flask.typing import ResponseReturnValue

from dashboard.services.sharing.share import TooLateToUndo
from dashboard.store.engine import NotStored
from dashboard.store.sharing import shares
from dashboard.web.fleet import forms, share_page
from dashboard.web.fleet import plan_texts as texts
from dashboard.web.fleet.plan_routes import require_plan
from dashboard.web.fleet.routes import bp
from dashboard.web.fleet.share_records import PlanShare
from dashboard.web.shared import htmx
from dashboard.web.shared.current import audit, current_services, person_id, settings, zone
from dashboard.web.shared.live import checked_event
from dashboard.web.shared.request_args import row_id
from dashboard.web.shared.spreadsheets import csv_download, xlsx_download
from dashboard.web.shared.toasts import notice, toast
from dashboard.web.sharing import texts as sharing_texts
from dashboard.web.sharing.messages_sent import MOST_OF_A_MESSAGE, opened_message, recipient, send_together


def _place() -> dict[str, str]:
    """Return what the address of the page names."""
    return {"page": request.args["page"]} if request.args.get("page") else {}


@bp.get("/fleet/plans/<uuid:plan_id>/share")
def share_plan(plan_id: UUID) -> str:
    """Show which driver gets which links of a plan, and for which nobody is known."""
    return render_template("fleet/share.html", page=_share_page(plan_id))


@bp.get("/fleet/plans/<uuid:plan_id>/share/rows")
@htmx.region_of("fleet.share_plan", _place)
def share_rows(plan_id: UUID) -> ResponseReturnValue:
    """Serve the drivers anew once a message was opened in another tab."""
    page, sent = _share_page(plan_id), request.args.get("sent", "")
    if request.args.get("seen") == page.seen:
        return htmx.unchanged(checked_event())
    said = next((each.said for each in page.drivers if each.undoable and sent == str(each.driver_id)), "")
    return htmx.region("fleet/_share.html", announce=said, counted=True, page=page)


def _share_page(plan_id: UUID) -> PlanShare:
    """Build the page that the address names."""
    share = _share(plan_id)
    return replace(share, page=min(forms.page_number(request.args), share.pages))


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
    if htmx.puts_into("plan-share"):
        return htmx.region("fleet/_share.html", announce=str(words), page=_share_page(plan_id))
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


@bp.get("/fleet/plans/<uuid:plan_id>/share/messages")
def plan_message(plan_id: UUID) -> ResponseReturnValue:
    """Show the messages one by one; what nobody opens is not recorded."""
    share = _share(plan_id)
    step = share_page.plan_message(share, _after())
    if step is None:
        skipped = [each.name for each in share.waiting]
        kind = "good" if share.reachable and not skipped and not share.to_choose else "neutral"
        notice(texts.queue_ended(share.reachable - len(skipped), skipped, len(share.to_choose)), kind)
        return redirect(url_for("fleet.share_plan", plan_id=plan_id), 303)
    if htmx.puts_into("plan-message"):
        if request.args.get("seen") == step.seen:
            return htmx.unchanged(checked_event())
        return htmx.region("fleet/_plan_message.html", counted=True, step=step)
    return render_template("fleet/plan_messages.html", step=step)


@bp.post("/fleet/plans/<uuid:plan_id>/share/<int:driver_id>")
def send_plan_message(plan_id: UUID, driver_id: int) -> ResponseReturnValue:
    """Check the links of a driver now, record the shares, and open WhatsApp with one message about them."""
    share = _share(plan_id)
    driver = next((each for each in share.drivers if each.driver_id == driver_id and each.number), None) or abort(404)
    return _sent(plan_id, driver_id, [each.id for each in driver.unsent or driver.sendable])


def _sent(plan_id: UUID, driver_id: int, link_ids: Sequence[str]) -> ResponseReturnValue:
    """Check links now, record the shares of those that may be sent, and lead to the message about them."""
    to = recipient(driver_id) or abort(404)
    ready = send_together(to, link_ids, with_doubtful=False, plan=str(plan_id))
    if not ready:
        notice(texts.NOT_CHECKED, "wrong")
        return redirect(url_for("fleet.share_plan", plan_id=plan_id), 303)
    return redirect(url_for("fleet.plan_message_sent", plan_id=plan_id, driver_id=driver_id, link=ready), 303)


@bp.get("/fleet/plans/<uuid:plan_id>/share/<int:driver_id>")
def plan_message_sent(plan_id: UUID, driver_id: int) -> ResponseReturnValue:
    """Open WhatsApp with the message while the checks of its links are fresh; a reload records nothing."""
    share = _share(plan_id)
    driver = next((each for each in share.drivers if each.driver_id == driver_id and each.number), None) or abort(404)
    to, wanted = recipient(driver.driver_id), request.args.getlist("link")[:MOST_OF_A_MESSAGE]
    is_of_driver = wanted and set(wanted) <= {each.id for each in driver.sendable}
    if to is None or not is_of_driver or (opened := opened_message(to, wanted)) is None:
        return redirect(url_for("fleet.plan_message", plan_id=plan_id), 303)
    with current_services().store.read() as connection:
        last = shares.newest_of_links(connection, wanted).get(wanted[0])
    marked = last.at if last else None
    return render_template("fleet/plan_message_sent.html", plan_id=str(plan_id), message=opened, marked=marked)


@bp.get("/fleet/plans/<uuid:plan_id>/sheet")
def plan_sheet(plan_id: UUID) -> str:
    """Show a sheet of QR codes to print."""
    sheet = share_page.sheet(str(plan_id), _after()) or abort(404)
    return render_template("fleet/sheet.html", sheet=sheet)


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
