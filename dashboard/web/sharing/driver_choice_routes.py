"""Serve the choice of drivers for the vehicles of the follow-up queue that lack one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.follow_up import is_urgent
from dashboard.domain.money import add_up
from dashboard.domain.registration import spaced
from dashboard.store.links.totals import Total
from dashboard.store.sharing import drivers, shares
from dashboard.store.sharing.driverless import DriverlessLink
from dashboard.web.shared.current import current_services, person_id
from dashboard.web.shared.saved_forms import resumes
from dashboard.web.sharing import driver_choice, texts, unsent
from dashboard.web.sharing.driver_choice import Choices
from dashboard.web.sharing.driver_choice_records import VehicleToChoose
from dashboard.web.sharing.reminder_address import queue_address, queue_of
from dashboard.web.sharing.routes import bp


@bp.get("/follow-up/drivers")
def choose_drivers() -> str:
    """Ask for the usual drivers of the vehicles that lack one."""
    return _shown()


@bp.post("/follow-up/drivers")
def save_drivers() -> ResponseReturnValue:
    """Save the usual drivers of vehicles, and add who is new; nothing is saved where a row is wrong."""
    if (typed := driver_choice.typed_row()) is not None:
        return typed
    services, listed = current_services(), _without_driver()
    choices = driver_choice.read(_vehicles(listed), request.form)
    waiting = [link.id for link in listed if link.rc in choices.chosen]
    if again := driver_choice.save(choices, lambda chosen: services.drivers.choose(chosen, person_id())):
        return _shown(again), again.status
    if "send" in request.form and waiting:
        return redirect(queue_address(queue_of(waiting, services.clock())), 303)
    return redirect(url_for("sharing.follow_up"), 303)


def _shown(choices: Choices | None = None) -> str:
    """Show a page of vehicles, and who was sent the links of each before."""
    page = driver_choice.choice_page(_vehicles(_without_driver()), choices)
    with current_services().store.read() as connection:
        last = shares.last_drivers(connection, [each.rc for each in page.rows])
        present = drivers.present(connection, {of_vehicle[0] for of_vehicle in last.values()})
    names = {rc: present[ids[0]].name for rc, ids in last.items() if ids[0] in present}
    rows = (replace(each, why=texts.last_sent_to(names[each.rc]) if each.rc in names else "") for each in page.rows)
    return render_template("sharing/choose_drivers.html", page=replace(page, rows=tuple(rows)))


def _without_driver() -> list[DriverlessLink]:
    with current_services().store.read() as connection:
        return list(unsent.without_driver(connection))


def _vehicles(listed: Sequence[DriverlessLink]) -> list[VehicleToChoose]:
    """Put the links of each vehicle together, in the order in which the first of them ends."""
    now = current_services().clock()
    found: dict[str, list[DriverlessLink]] = {}
    for link in listed:
        found.setdefault(link.rc, []).append(link)
    return [
        VehicleToChoose(
            rc,
            spaced(rc),
            Total(len(links), add_up(link.total for link in links)),
            ends_at=links[0].expires_at,
            is_urgent=is_urgent(links[0].expires_at, now),
        )
        for rc, links in found.items()
    ]


resumes("sharing.save_drivers", waits=True)(driver_choice.address_of)
