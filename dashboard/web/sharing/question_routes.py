"""Ask the driver of a link whose payment failed on WhatsApp whether money was taken, and note the answer."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import quote
from uuid import UUID

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.links import may_have_taken_money
from dashboard.domain.messages import compose_question
from dashboard.domain.payment_references import normalized
from dashboard.domain.phones import digits
from dashboard.domain.registration import spaced
from dashboard.domain.sharing import Answer
from dashboard.services.sharing.messages import facts_of
from dashboard.services.sharing.share import TooLateToUndo
from dashboard.store.engine import NotStored
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.sharing import shares
from dashboard.store.sharing.drivers import Driver
from dashboard.web.links import failed_texts
from dashboard.web.links.payment import whom_to_ask
from dashboard.web.links.records import PaymentReference
from dashboard.web.links.routes import page_of, subject_of_saved_form
from dashboard.web.shared.current import audit, current_services, format_amount, person_id
from dashboard.web.shared.saved_forms import resumes_on_its_own_page
from dashboard.web.shared.toasts import notice, toast
from dashboard.web.sharing import recipients, texts, unsaved_driver
from dashboard.web.sharing.messages_sent import recipient
from dashboard.web.sharing.page import spoken_by
from dashboard.web.sharing.receipt_page import few_numbers
from dashboard.web.sharing.records import OpenedMessage
from dashboard.web.sharing.routes import bp, page_of_undo


@bp.post("/links/<uuid:link_id>/ask")
def ask_driver(link_id: UUID) -> ResponseReturnValue:
    """Record that the driver is asked, and open WhatsApp: one tap. Of a link that has not failed nobody is asked.

    A form may name whom: a driver, or somebody by number, as the forms that send a link do.
    """
    link, driver, _number = _asked(link_id)
    meant = recipients.of_form(request.form)
    if meant is not None and meant.problem:
        notice(meant.problem, "wrong")
    cannot = meant is not None and (meant.problem or recipient(meant.asked, meant.number) is None)
    if cannot or not may_have_taken_money(link.status):
        return redirect(url_for("links.show", link_id=link_id), 303)
    driver_id = driver.id if driver else None
    if meant is not None:
        meant = recipients.saved(meant, link.id)
        driver_id = meant.driver_id
        unsaved_driver.store_number(link.id, meant.number)
    if current_services().sharing.record_question(link.id, person_id(), driver_id):
        audit("question", link.id, channel="whatsapp", driver=driver_id)
    return redirect(url_for("sharing.question_opened", link_id=link_id), 303)


@bp.get("/links/<uuid:link_id>/ask")
def question_opened(link_id: UUID) -> ResponseReturnValue:
    """Open WhatsApp with the question; a reload records nothing."""
    link, driver, number = _asked(link_id)
    if not may_have_taken_money(link.status):
        return redirect(url_for("links.show", link_id=link_id), 303)
    plate, spoken = spaced(link.rc) if link.rc else None, spoken_by(driver, None)
    with current_services().store.read() as connection:
        challans = links.challans_of(connection, link.id)
    facts = facts_of(link, len(challans), driver.name if driver else None)
    facts = replace(facts, challan_numbers=few_numbers(challans))
    text = compose_question(spoken, facts, format_amount=format_amount)
    address = f"https://wa.me/{digits(number)}?text={quote(text, safe='')}"
    to = driver.name if driver else number
    message = OpenedMessage(((plate, link.total),), to, text, spoken, address)
    return render_template("sharing/reminder_sent.html", message=message, link_id=link.id, is_question=True)


@bp.post("/links/<uuid:link_id>/ask/<int:question_id>/undo")
def undo_question(link_id: UUID, question_id: int) -> ResponseReturnValue:
    """Take back that this person asked the driver just now."""
    try:
        current_services().sharing.undo_question(str(link_id), question_id, person_id())
    except NotStored:
        abort(404)
    except TooLateToUndo:
        notice(str(texts.TOO_LATE_TO_UNDO), "wrong")
    else:
        audit("question undone", str(link_id))
        toast(str(texts.QUESTION_TAKEN_BACK))
    return redirect(page_of_undo(link_id, request.form.get("back", "link")), 303)


@bp.post("/links/<uuid:link_id>/answer")
def note_answer(link_id: UUID) -> ResponseReturnValue:
    """Note what the driver says of money, or take that back: an empty answer."""
    said = request.form.get("answer", "")
    try:
        answer = Answer(said) if said else None
    except ValueError:
        abort(400)
    link, driver, _number = _asked(link_id)
    driver_id, sharing = driver.id if driver else None, current_services().sharing
    if may_have_taken_money(link.status) and sharing.note_answer(link.id, answer, person_id(), driver_id):
        audit("answer", link.id, answer=said or "none")
    return redirect(url_for("links.show", link_id=link_id), 303)


@bp.post("/links/<uuid:link_id>/payment-reference")
def note_payment_reference(link_id: UUID) -> ResponseReturnValue:
    """Note the reference of a payment that failed though money was taken, or take it back: an empty field."""
    typed = request.form.get("reference", "").strip()
    reference = normalized(typed)
    if reference is None:
        shown = PaymentReference(typed=typed, problem=failed_texts.not_a_reference())
        return page_of(link_id, reference=shown), 422
    try:
        if current_services().sharing.note_payment_reference(str(link_id), reference, person_id()):
            audit("payment reference", str(link_id), reference=reference or "none")
            toast(str(failed_texts.REFERENCE_SAVED if reference else failed_texts.REFERENCE_REMOVED))
    except NotStored:
        abort(404)
    return redirect(url_for("links.show", link_id=link_id), 303)


resumes_on_its_own_page(
    "sharing.note_payment_reference",
    failed_texts.REFERENCE,
    {"reference": failed_texts.REFERENCE},
    subject_of_saved_form,
)


def _asked(link_id: UUID) -> tuple[Link, Driver | None, str]:
    """Return a link with whom to ask about it: a driver, or else the number that this person sent it to."""
    with current_services().store.read() as connection:
        link = links.find(connection, str(link_id)) or abort(404)
        driver = whom_to_ask(connection, link)
        number = "" if driver else unsaved_driver.number_of(link.id, shares.of_link(connection, link.id))
    return link, driver, driver.phone or "" if driver else number
