"""Build the pages of drivers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from flask import render_template

from dashboard.domain.languages import LANGUAGES
from dashboard.domain.links import is_live, is_paid
from dashboard.domain.money import add_up
from dashboard.domain.phones import shown
from dashboard.domain.registration import spaced
from dashboard.store.sharing import drivers, shares
from dashboard.store.sharing.drivers import Driver
from dashboard.store.sharing.shares import DriverShare, GivenTo
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, name_of
from dashboard.web.shared.edit_conflicts import Editing
from dashboard.web.sharing import texts
from dashboard.web.sharing.forms import DriverForm
from dashboard.web.sharing.page import digits
from dashboard.web.sharing.records import DriverCard, DriverMoney, GivenLink, Vehicle


def drivers_page(form: DriverForm) -> str:
    """Render the list of drivers around the form for a new one."""
    with current_services().store.read() as connection:
        present, left = drivers.listed(connection), drivers.listed(connection, left=True)
        vehicles = drivers.vehicles(connection, [driver.id for driver in (*present, *left)])
    given = _links_by_driver()

    def cards(listed: Sequence[Driver]) -> list[DriverCard]:
        return [_card(driver, vehicles[driver.id], given.get(driver.id, [])) for driver in listed]

    # A link that two drivers were given is one link.
    ids = {driver.id for driver in present}
    everybody = {each.link_id: each for driver_id in ids for each in given.get(driver_id, [])}
    total = _money(list(everybody.values()))
    return render_template("sharing/drivers.html", form=form, drivers=cards(present), left=cards(left), total=total)


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
        vehicles = drivers.vehicles(connection, [driver.id])[driver.id]
    return _card(driver, vehicles, _links_by_driver().get(driver.id, []))


def _links_by_driver() -> dict[int, list[GivenTo]]:
    """Return the links that each driver was given, by driver; read once for as long as nobody commits."""
    found: dict[int, list[GivenTo]] = defaultdict(list)
    for each in current_services().store.cached_read("links given to drivers", shares.given_to_drivers):
        found[each.driver_id].append(each)
    return found


def _money(given: Sequence[GivenTo]) -> DriverMoney:
    still_open = [each for each in given if is_live(each.status) and not each.is_unknown]
    paid = [each for each in given if is_paid(each.status)]
    return DriverMoney(
        links=len(given),
        given=add_up(each.total for each in given),
        open_links=len(still_open),
        open=add_up(each.total for each in still_open),
        paid_links=len(paid),
        paid=add_up(each.total for each in paid),
        last_paid_at=max((each.paid_at for each in paid if each.paid_at), default=None),
    )


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


def _card(driver: Driver, vehicles: Sequence[str], given: Sequence[GivenTo]) -> DriverCard:
    number = digits(driver.phone)
    language = LANGUAGES.get(driver.language)
    return DriverCard(
        id=driver.id,
        name=driver.name,
        phone=shown(driver.phone) if driver.phone else None,
        email=driver.email,
        language=language.name if language else driver.language,
        note=driver.note,
        vehicles=tuple(Vehicle(rc, spaced(rc)) for rc in vehicles),
        has_left=driver.left_at is not None,
        money=_money(given),
        call=f"tel:+{number}" if number else "",
        whatsapp=f"https://wa.me/{number}" if number else "",
    )
