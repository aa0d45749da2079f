"""Build the pages of drivers."""

from __future__ import annotations

from collections.abc import Sequence

from flask import render_template

from dashboard.domain.languages import LANGUAGES
from dashboard.domain.registration import spaced
from dashboard.store.sharing import drivers, shares
from dashboard.store.sharing.drivers import Driver
from dashboard.store.sharing.shares import DriverShare
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, name_of
from dashboard.web.shared.edit_conflicts import Editing
from dashboard.web.sharing import texts
from dashboard.web.sharing.forms import DriverForm
from dashboard.web.sharing.records import DriverCard, GivenLink, Vehicle


def drivers_page(form: DriverForm) -> str:
    """Render the list of drivers around the form for a new one."""
    with current_services().store.read() as connection:
        present, left = drivers.listed(connection), drivers.listed(connection, left=True)
        vehicles = drivers.vehicles(connection, [driver.id for driver in (*present, *left)])

    def cards(listed: Sequence[Driver]) -> list[DriverCard]:
        return [_card(driver, vehicles[driver.id]) for driver in listed]

    return render_template("sharing/drivers.html", form=form, drivers=cards(present), left=cards(left))


def driver_page(driver: Driver, form: DriverForm, editing: Editing) -> str:
    """Render the page of a driver around the form for the details."""
    with current_services().store.read() as connection:
        given = shares.of_driver(connection, driver.id)
    return render_template(
        "sharing/driver.html",
        form=form,
        driver=driver_card(driver),
        given=[_given(each) for each in given],
        editing=editing,
    )


def driver_card(driver: Driver) -> DriverCard:
    with current_services().store.read() as connection:
        return _card(driver, drivers.vehicles(connection, [driver.id])[driver.id])


def _given(share: DriverShare) -> GivenLink:
    return GivenLink(
        id=share.link_id,
        plate=spaced(share.rc) if share.rc else None,
        state=shared_texts.state_of(share),
        total=share.total,
        at=share.at,
        by=name_of(share.person_id),
        channel=texts.CHANNELS[share.channel],
    )


def _card(driver: Driver, vehicles: Sequence[str]) -> DriverCard:
    language = LANGUAGES.get(driver.language)
    return DriverCard(
        id=driver.id,
        name=driver.name,
        phone=driver.phone,
        email=driver.email,
        language=language.name if language else driver.language,
        note=driver.note,
        vehicles=tuple(Vehicle(rc, spaced(rc)) for rc in vehicles),
        has_left=driver.left_at is not None,
    )
