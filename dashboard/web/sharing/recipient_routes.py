"""Serve whom a link can be sent to, and the two answers about whoever is no driver: it was sent, and who they are."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from flask import abort, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from dashboard.domain.languages import DEFAULT_LANGUAGE, LANGUAGES
from dashboard.domain.phones import is_phone
from dashboard.domain.registration import spaced
from dashboard.services.sharing.drivers import PhoneTaken
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.engine import NotStored
from dashboard.store.links import links
from dashboard.web.links.payment import payment_card
from dashboard.web.links.routes import page_of
from dashboard.web.shared import htmx
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.saved_forms import resumes
from dashboard.web.shared.toasts import toast
from dashboard.web.sharing import texts, unsaved_driver
from dashboard.web.sharing.follow_up_page import contact_region, entry_now
from dashboard.web.sharing.forms import DriverForm
from dashboard.web.sharing.routes import bp, message_links, page_of_undo, shares_region
from dashboard.web.sharing.send_to import PLACES, send_to


@bp.get("/links/<uuid:link_id>/send-to", endpoint="send_to")
@htmx.region_of("sharing.show")
def whom_to_send(link_id: UUID) -> ResponseReturnValue:
    """Serve whom a link can be sent to, for a menu that is opened."""
    place = request.args.get("place", "")
    if place not in PLACES:
        abort(404)
    return htmx.region("sharing/_send_to.html", to=send_to(str(link_id)), place=place)


@bp.post("/links/<uuid:link_id>/shared/<int:share_id>/sent")
def confirm_share(link_id: UUID, share_id: int) -> ResponseReturnValue:
    """Confirm that a message without a named recipient was sent; in the queue its row stays, with the undo."""
    _confirm(link_id, share_id)
    if htmx.puts_into(f"contact-{link_id}"):
        return contact_region(entry_now(message_links(link_id, request.args)))
    if htmx.puts_into("share-sent"):
        return shares_region(link_id, None)
    return redirect(_back(link_id), 303)


@bp.post("/links/<uuid:link_id>/shared/<int:share_id>/driver")
def save_driver(link_id: UUID, share_id: int) -> ResponseReturnValue:
    """Save the number that a link was sent to as a driver of its vehicle; a driver who has it becomes a usual one."""
    number, services = request.form.get("number", ""), current_services()
    with services.store.read() as connection:
        link = links.find(connection, str(link_id)) or abort(404)
        known = unsaved_driver.who_has(connection, number) if is_phone(number) else abort(400)
    if link.rc is None:
        abort(400)
    if known is None:
        language = request.form.get("language", "")
        language = language if language in LANGUAGES else DEFAULT_LANGUAGE.code
        typed = {**request.form, "phone": number, "language": language, "vehicles": link.rc}
        form = DriverForm(formdata=MultiDict(typed))
        if not form.validate():
            return _refused(link_id, " ".join(each for errors in form.errors.values() for each in errors))
        details = form.details()
        try:
            driver_id, name = services.drivers.add(details, person_id()), details.name
        except PhoneTaken as taken:
            known = taken.driver
        else:
            audit("driver added", str(driver_id), name=name)
    if known is not None:
        driver_id, name = known.id, known.name
        if services.drivers.make_usual_driver(driver_id, link.rc):
            audit("driver changed", str(driver_id), name=name)
    _confirm(link_id, share_id, driver_id)
    unsaved_driver.store_number(link.id, "")
    toast(texts.is_usual_driver(name, spaced(link.rc)))
    return redirect(_back(link_id, driver_id), 303)


@bp.post("/links/<uuid:link_id>/shared/dismiss")
def dismiss_driver(link_id: UUID) -> ResponseReturnValue:
    """Offer no more to save the number that a link was sent to."""
    unsaved_driver.dismiss(str(link_id))
    return redirect(_back(link_id), 303)


def _confirm(link_id: UUID, share_id: int, driver_id: int | None = None) -> None:
    try:
        current_services().sharing.confirm_share(str(link_id), share_id, person_id(), driver_id)
    except NotStored:
        abort(404)
    audit("share confirmed", str(link_id), share=share_id, driver=driver_id)


def _back(link_id: UUID, driver_id: int | None = None) -> str:
    match request.form.get("back"):
        case "share":
            return url_for("sharing.show", link_id=link_id, driver=driver_id)
        case "follow-up" | "home" | "links" as back:
            return page_of_undo(link_id, back)
    return url_for("links.show", link_id=link_id)


def _refused(link_id: UUID, problem: str) -> ResponseReturnValue:
    """Show the page of the link with what is wrong with the name."""
    card = payment_card(str(link_id)) or abort(404)
    if card.unsaved is None:
        abort(400)
    unsaved = replace(card.unsaved, name=request.form.get("name", ""), problem=problem)
    answer = make_response(page_of(link_id, card=replace(card, unsaved=unsaved)), 422)
    return htmx.at_address(url_for("links.show", link_id=link_id), answer)


@resumes("sharing.save_driver")
def _page_again(form: SavedForm) -> str:
    """Show the link's page with the name that was typed again."""
    link_id = form.view_args["link_id"]
    unsaved_driver.store_number(link_id, form.first("number") or "")
    return url_for("links.show", link_id=link_id, name=form.first("name"))
