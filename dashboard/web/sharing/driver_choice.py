"""Build the table in which drivers are chosen for vehicles, read what was typed there, and save it: all, or nothing.

A driver is typed by name or by phone number; who is not among the drivers is added, once the number is known. The
blueprint of such a page has the endpoints `choose_drivers` and `save_drivers`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import request, url_for
from werkzeug.datastructures import MultiDict

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.languages import DEFAULT_LANGUAGE
from dashboard.domain.phones import InvalidPhone, international, is_phone, shown
from dashboard.services.sharing.drivers import Chosen, NewPhoneTaken
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.links.totals import add
from dashboard.store.sharing import drivers
from dashboard.store.sharing.drivers import Driver
from dashboard.web.shared import saved_forms
from dashboard.web.shared.current import audit, current_services
from dashboard.web.shared.toasts import toast
from dashboard.web.sharing import texts
from dashboard.web.sharing.driver_choice_records import NEW, DriverChoicePage, VehicleToChoose, field_of, new_prefix
from dashboard.web.sharing.forms import DriverForm
from dashboard.web.sharing.page import digits

_PAGE_SIZE = 100


@dataclass(frozen=True, slots=True)
class Choices:
    """Hold what was sent: the vehicles as they are shown again, and who was chosen for which of them."""

    rows: tuple[VehicleToChoose, ...]
    chosen: Mapping[str, int | DriverDetails]

    @property
    def problem(self) -> str:
        """Say that nobody was chosen, unless something else is wrong."""
        return "" if self.chosen or self.is_wrong or self.asked else str(texts.NOBODY_CHOSEN)

    @property
    def asked(self) -> str:
        """Say how many are new and were not asked for their phone number yet; "" where nobody is."""
        names = {each.typed.casefold() for each in self.rows if each.is_asked}
        return texts.are_new(len(names)) if names else ""

    @property
    def is_wrong(self) -> bool:
        return any(each.is_wrong for each in self.rows)

    def refused(self, taken: NewPhoneTaken) -> Choices:
        """Return these with the number refused that was typed for somebody new, as it is that of another driver."""
        for row in self.rows:
            if row.rc == taken.rc and row.form:
                row.form.phone_is_of(taken.driver)
                if taken.driver not in _everybody():  # Who is new for another row, and was not saved, has no page.
                    row.form.taken = None
        return self


def choice_page(listed: Sequence[VehicleToChoose], choices: Choices | None = None) -> DriverChoicePage:
    """Show a page of vehicles: those that were sent and refused, or that which the request asks for.

    What somebody sent whose session had expired is typed there again. A vehicle that the request names has the focus.
    """
    asked = request.args.get("vehicle", "")
    number = request.args.get("page", 1, int)
    pages = max(1, math.ceil(len(listed) / _PAGE_SIZE))
    places = [place for place, each in enumerate(listed) if each.rc == asked]
    number = places[0] // _PAGE_SIZE + 1 if places else min(max(1, number), pages)
    rows = tuple(listed[(number - 1) * _PAGE_SIZE : number * _PAGE_SIZE])
    if choices and choices.rows:
        rows = choices.rows
    elif waits := waiting():
        typed = {each.rc: each for each in read(rows, waits).rows}
        rows = tuple(typed.get(each.rc, each) for each in rows)
    lacking = [each for each in listed if not each.typed]
    everybody = _everybody()
    # Where something is to be mended or added, that has the focus by itself.
    is_refused = any(each.is_wrong or each.is_asked for each in rows)
    first = next((each.rc for each in rows if not each.typed), rows[0].rc if rows else "")
    return DriverChoicePage(
        rows=rows,
        names=tuple(_named(each) for each in everybody if digits(each.phone)),
        without_phone=tuple(each.name for each in everybody if not digits(each.phone)),
        new=DriverForm(formdata=None, prefix=new_prefix(NEW), meta={"csrf": False}),
        left=len(lacking),
        left_sum=add(each.links for each in lacking).sum,
        problem=choices.problem if choices else "",
        asked=choices.asked if choices else "",
        focused="" if is_refused else asked,
        first="" if is_refused or asked else first,
        page=number,
        pages=pages,
        action=_address("save", number),
        before=_address("choose", number - 1) if number > 1 else "",
        after=_address("choose", number + 1) if number < pages else "",
    )


def waiting() -> MultiDict[str, str] | None:
    """Return the fields of this page that were sent when the session of the person had expired, if any were."""
    form = saved_forms.waiting(f"{request.blueprint}.save_drivers")
    here = {name: str(value) for name, value in (request.view_args or {}).items()}
    return MultiDict(form.fields) if form is not None and form.view_args == here else None


def address_of(form: SavedForm) -> str:
    """Return the address at which a form of such a page resumes: the page with the first vehicle that was typed."""
    prefix = field_of("")
    typed = (name.removeprefix(prefix) for name, value in form.fields if name.startswith(prefix) and value.strip())
    arguments: dict[str, Any] = {**form.view_args, "vehicle": next(typed, None)}
    return url_for(form.endpoint.replace("save_drivers", "choose_drivers"), **arguments)


def read(listed: Sequence[VehicleToChoose], sent: MultiDict[str, str]) -> Choices:
    """Read who was typed for those vehicles that were sent; where nothing was typed, nobody is chosen."""
    known, rows, chosen = _everybody(), [], {}
    for each in listed:
        if each.field not in sent:
            continue
        row = replace(each, typed=" ".join(sent[each.field].split()))
        # Whose number was typed for somebody new was meant after all.
        if meant := [driver for driver in known if sent.get(f"known-{row.rc}") == str(driver.id)]:
            row = replace(row, typed=_named(meant[0]))
        if row.typed:
            row, who = _read_row(row, known, sent)
            if who is not None:
                chosen[row.rc] = who
        rows.append(row)
    return Choices(tuple(rows), chosen)


def save(choices: Choices, choose: Callable[[Mapping[str, int | DriverDetails]], Chosen]) -> Choices | None:
    """Save what was chosen and return None, or return what is wrong: then nothing is saved."""
    if choices.is_wrong or choices.problem or choices.asked:
        return choices
    try:
        done = choose(choices.chosen)
    except NewPhoneTaken as taken:
        return choices.refused(taken)
    for action, of_drivers in (("driver added", done.added), ("driver changed", done.usual)):
        for driver_id, name in of_drivers.items():
            audit(action, str(driver_id), name=name)
    saved_forms.discard(f"{request.blueprint}.save_drivers")
    toast(texts.drivers_chosen(len(choices.chosen)))
    return None


def new_driver(name: str, phone: str, language: str = DEFAULT_LANGUAGE.code, prefix: str = "") -> DriverForm:
    """Return the form for somebody who is not among the drivers, validated: it needs a name and a phone number."""
    typed = {"name": name, "phone": phone, "language": language}
    fields = MultiDict({f"{prefix}{field}": value for field, value in typed.items()})
    form = DriverForm(formdata=fields, prefix=prefix, meta={"csrf": False})
    form.validate()
    if not form.phone.errors and not phone.strip():
        form.phone.errors = [texts.NO_PHONE]
    return form


def _address(action: str, page: int) -> str:
    return url_for(f".{action}_drivers", page=page if page > 1 else None, **(request.view_args or {}))


def _everybody() -> list[Driver]:
    with current_services().store.read() as connection:
        return drivers.listed(connection)


def _named(driver: Driver) -> str:
    """Return a driver as they are offered and typed."""
    return f"{driver.name}, {shown(driver.phone or '')}" if driver.phone else driver.name


def _read_row(
    row: VehicleToChoose, known: list[Driver], sent: MultiDict[str, str]
) -> tuple[VehicleToChoose, int | DriverDetails | None]:
    """Return the row with what is wrong or still lacking, and who is meant, if that is clear."""
    found = _meant(row.typed, known)
    if len(found) > 1:
        return replace(row, problem=str(texts.SEVERAL_OF_THE_NAME)), None
    if found:
        [driver] = found
        if digits(driver.phone):
            return row, driver.id
        return replace(row, problem=texts.has_no_phone(driver.name), driver_id=driver.id), None
    prefix = new_prefix(row.rc)
    name, phone = _name_and_phone(row.typed)
    language = sent.get(f"{prefix}language", DEFAULT_LANGUAGE.code)
    form = new_driver(name, phone or sent.get(f"{prefix}phone", ""), language, prefix)
    # Once the number has a field of its own, it does not stand beside the name as well.
    row = replace(row, typed=name or row.typed, form=form, problem=" ".join(form.name.errors))
    if not phone and f"{prefix}phone" not in sent:
        form.phone.errors = []
        return replace(row, is_asked=True), None
    return row, None if form.errors else form.details()


def _meant(typed: str, known: list[Driver]) -> list[Driver]:
    """Return the drivers who are named so, who have this number, or both."""
    text = typed.casefold()
    if exact := [each for each in known if _named(each).casefold() == text]:
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
