"""Build the page on which drivers are chosen for the vehicles of a plan, and read what was typed there.

A driver is typed by name or by phone number; who is not among the drivers is added, once the number is known.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from werkzeug.datastructures import MultiDict

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.languages import DEFAULT_LANGUAGE
from dashboard.domain.money import add_up
from dashboard.domain.phones import InvalidPhone, international, is_phone, shown
from dashboard.services.fleet.plan_drivers import NewPhoneTaken
from dashboard.store.sharing import drivers
from dashboard.store.sharing.drivers import Driver
from dashboard.web.fleet import plan_texts as texts
from dashboard.web.fleet.choice_records import PlanDriversPage, VehicleToChoose
from dashboard.web.fleet.plan_records import PAGE_SIZE, PlanShare, SharedLink
from dashboard.web.shared.current import current_services
from dashboard.web.sharing.forms import DriverForm
from dashboard.web.sharing.page import digits


@dataclass(frozen=True, slots=True)
class Choices:
    """Hold what was sent: the vehicles of the page as they are shown again, and who was chosen for which of them."""

    rows: tuple[VehicleToChoose, ...]
    chosen: Mapping[str, int | DriverDetails]

    @property
    def is_sound(self) -> bool:
        return all(not each.problem and each.form is None for each in self.rows)

    def refused(self, taken: NewPhoneTaken, sent: MultiDict[str, str]) -> Choices:
        """Return these with the number refused that was typed for somebody new, as it is that of another driver."""
        rows = tuple(_taken(each, taken.driver, sent) if each.rc == taken.rc else each for each in self.rows)
        return replace(self, rows=rows)


def choice_page(
    share: PlanShare,
    page: int,
    *,
    choices: Choices | None = None,
    also_usual: bool = True,
    typed: Mapping[str, str] | None = None,
    focused: str = "",
    problem: str = "",
) -> PlanDriversPage:
    """Show the vehicles of a plan whose driver is chosen here, with what was sent of this page or was `typed` before.

    The page is that of the vehicle that is `focused`, if there is one.
    """
    listed = _vehicles(share)
    pages = max(1, math.ceil(len(listed) / PAGE_SIZE))
    places = [place for place, each in enumerate(listed) if each.rc == focused]
    page = places[0] // PAGE_SIZE + 1 if places else min(page, pages)
    rows = choices.rows if choices else _here(listed, page)
    if typed is not None:
        rows = tuple(replace(each, typed=typed.get(field_of(each.rc), each.typed)) for each in rows)
    wrong = next((each.rc for each in rows if each.problem and each.form is None), "")
    return PlanDriversPage(
        plan_id=share.plan_id,
        rows=rows,
        names=tuple(named(each) for each in everybody() if digits(each.phone)),
        also_usual=also_usual,
        left=len(share.to_choose),
        left_sum=share.without_sum,
        problem=problem,
        focused=wrong or (rows[0].rc if problem and rows else focused),
        page=page,
        pages=pages,
    )


def read(share: PlanShare, page: int, sent: MultiDict[str, str]) -> Choices:
    """Read who was typed for the vehicles of a page; where nothing was typed, nobody is chosen."""
    known, rows, chosen = everybody(), [], {}
    for each in _here(_vehicles(share), page):
        row = replace(each, typed=" ".join(sent.get(field_of(each.rc), "").split()))
        found = _read_row(row, known, sent) if row.typed else None
        if isinstance(found, VehicleToChoose):
            row = found
        elif found is not None:
            chosen[row.rc] = found
        rows.append(row)
    return Choices(tuple(rows), chosen)


def everybody() -> list[Driver]:
    with current_services().store.read() as connection:
        return drivers.listed(connection)


def field_of(rc: str) -> str:
    """Return the name of the field for the driver of a vehicle."""
    return f"driver-{rc}"


def named(driver: Driver) -> str:
    """Return a driver as they are offered and typed."""
    return f"{driver.name}, {shown(driver.phone or '')}" if driver.phone else driver.name


def _vehicles(share: PlanShare) -> list[VehicleToChoose]:
    """Return the vehicles without a driver, then those for which one was chosen and nothing was sent yet."""
    found = [
        VehicleToChoose(each.rc, each.plate, len(each.to_choose), each.to_pay, each.no_driver)
        for each in share.to_choose
    ]
    for driver in share.drivers:
        of_vehicle: dict[str, list[SharedLink]] = {}
        for each in driver.unsent:
            if each.rc in share.chosen:
                of_vehicle.setdefault(each.rc, []).append(each)
        typed = ", ".join(part for part in (driver.name, driver.phone) if part)
        for rc, links in of_vehicle.items():
            to_pay = add_up(each.total for each in links)
            found.append(VehicleToChoose(rc, links[0].plate, len(links), to_pay, why="", typed=typed))
    return found


def _here(listed: list[VehicleToChoose], page: int) -> tuple[VehicleToChoose, ...]:
    return tuple(listed[(page - 1) * PAGE_SIZE : page * PAGE_SIZE])


def _read_row(
    row: VehicleToChoose, known: list[Driver], sent: MultiDict[str, str]
) -> int | DriverDetails | VehicleToChoose:
    """Return who is meant, or the row with what is wrong or still lacking."""
    found = _meant(row.typed, known)
    if len(found) > 1:
        return replace(row, problem=str(texts.SEVERAL_OF_THE_NAME))
    if found:
        [driver] = found
        if digits(driver.phone):
            return driver.id
        return replace(row, problem=texts.has_no_phone(driver.name), driver_id=driver.id)
    form = _new_driver(row, sent)
    if form.validate() and not digits(form.phone.data):
        form.phone.errors = [texts.PHONE_NEEDED]
    return replace(row, form=form) if form.errors else form.details()


def _new_driver(row: VehicleToChoose, sent: MultiDict[str, str]) -> DriverForm:
    """Return the form for somebody who is not among the drivers, filled with what was typed."""
    prefix = f"new-{row.rc}-"
    name, phone = _name_and_phone(row.typed)
    fields = {
        "name": name,
        "phone": sent.get(f"{prefix}phone", phone),
        "language": sent.get(f"{prefix}language", DEFAULT_LANGUAGE.code),
    }
    formdata = MultiDict({f"{prefix}{field}": value for field, value in fields.items()})
    return DriverForm(formdata=formdata, prefix=prefix, meta={"csrf": False})


def _meant(typed: str, known: list[Driver]) -> list[Driver]:
    """Return the drivers who are named so, who have this number, or both."""
    text = typed.casefold()
    if exact := [each for each in known if named(each).casefold() == text]:
        return exact[:1]
    name, phone = _name_and_phone(typed)
    if phone:
        return [each for each in known if _same(each.phone, phone) and name.casefold() in ("", each.name.casefold())]
    return [each for each in known if each.name.casefold() == text]


def _name_and_phone(typed: str) -> tuple[str, str]:
    """Split "Ravi, 98765 43210"; either may be missing."""
    if is_phone(typed):
        return "", typed
    name, _comma, phone = typed.rpartition(",")
    return (name.strip(), phone.strip()) if name.strip() and is_phone(phone) else (typed, "")


def _same(phone: str | None, typed: str) -> bool:
    try:
        return international(phone or "") == international(typed)
    except InvalidPhone:
        return False


def _taken(row: VehicleToChoose, driver: Driver, sent: MultiDict[str, str]) -> VehicleToChoose:
    form = _new_driver(row, sent)
    form.phone_is_of(driver)
    return replace(row, form=form)
