"""Read who is meant by what was typed for a vehicle: one of the drivers, by name or phone number, or somebody new."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from werkzeug.datastructures import MultiDict

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.languages import DEFAULT_LANGUAGE
from dashboard.domain.phones import InvalidPhone, digits, international, is_phone, shown
from dashboard.store.sharing import drivers
from dashboard.web.shared.current import current_services
from dashboard.web.sharing import texts
from dashboard.web.sharing.driver_choice_records import SOMEBODY_NEW, KnownDriver, VehicleToChoose, new_prefix
from dashboard.web.sharing.forms import DriverForm

#: The most drivers who are suggested at once; of more of them, more has to be typed.
_MOST_SUGGESTED = 3
#: A name without digits, and what follows it from the first digit on.
_NAME_THEN_PHONE = re.compile(r"([^\d+]*[^\d\s+])\s+(\+?\d.*)")
#: A name, and after a comma a number that lacks some of its digits.
_NAME_THEN_BEGINNING = re.compile(r"(.*\S)\s*,\s*(\+?\d[\d\s().-]*)")
#: A single letter begins too many names.
_FEWEST_LETTERS = 2


def known_drivers() -> list[KnownDriver]:
    """Return the drivers who have not left."""
    with current_services().store.read() as connection:
        listed = drivers.listed(connection)
    return [KnownDriver(each.id, each.name, shown(each.phone or "") if digits(each.phone) else "") for each in listed]


def read_row(
    row: VehicleToChoose, known: Sequence[KnownDriver], sent: Mapping[str, str]
) -> tuple[VehicleToChoose, int | DriverDetails | None]:
    """Return the row with what is wrong or still lacking, and who is meant, if that is clear."""
    found = named(row.typed, known)
    if len(found) > 1:
        return replace(row, problem=str(texts.SEVERAL_OF_THE_NAME), suggested=tuple(found)), None
    if found:
        [driver] = found
        row = replace(row, driver=driver)
        return (row, driver.id) if driver.phone else (replace(row, problem=texts.has_no_phone(driver.name)), None)
    prefix = new_prefix(row.rc)
    name, phone = name_and_phone(row.typed)
    if not phone and (begun := _NAME_THEN_BEGINNING.fullmatch(name)):
        name, phone = begun.groups()
    language = sent.get(f"{prefix}language", DEFAULT_LANGUAGE.code)
    phone_sent = sent.get(f"{prefix}phone", "")
    form = new_driver(name, phone or phone_sent, language, prefix)
    # Once the number has a field of its own, it does not stand beside the name as well.
    row = replace(row, typed=name or row.typed, form=form, problem=" ".join(form.name.errors))
    if taken := [each for each in known if same_phone(each.phone, phone or phone_sent)]:
        form.phone.errors = [texts.phone_taken(taken[0].phone, taken[0].name)]
        return replace(row, suggested=tuple(taken)), None
    # Whoever has a number of their own is somebody new, and so is who was asked for it.
    is_new = form.phone.data or f"{prefix}phone" in sent or sent.get(row.use) == SOMEBODY_NEW
    if not is_new and (suggested := _suggested(name, known)):
        return replace(row, form=None, suggested=tuple(suggested)), None
    if not phone and f"{prefix}phone" not in sent:
        form.phone.errors = []
        return replace(row, is_asked=True), None
    return row, None if form.errors else form.details()


def with_same_number(row: VehicleToChoose, above: Iterable[VehicleToChoose]) -> VehicleToChoose:
    """Refuse the number of somebody new which a row above has for somebody else."""
    if row.form is None or not row.form.phone.data:
        return row
    for other in above:
        if other.form and same_phone(other.form.phone.data, row.form.phone.data) and not _same_name(other, row):
            words = texts.same_number(other.typed, other.plate)
            row.form.phone.errors = [words]
            return replace(row, same_number=words)
    return row


def new_driver(name: str, phone: str, language: str = DEFAULT_LANGUAGE.code, prefix: str = "") -> DriverForm:
    """Return the form for somebody who is not among the drivers, validated: it needs a name and a phone number."""
    typed = {"name": name, "phone": phone, "language": language}
    fields = MultiDict({f"{prefix}{field}": value for field, value in typed.items()})
    form = DriverForm(formdata=fields, prefix=prefix, meta={"csrf": False})
    form.validate()
    if not form.phone.errors and not phone.strip():
        form.phone.errors = [texts.NO_PHONE]
    return form


def named(typed: str, known: Sequence[KnownDriver]) -> list[KnownDriver]:
    """Return the drivers who are named so, who have this number, or both."""
    text = typed.casefold()
    if exact := [each for each in known if each.phone and each.typed.casefold() == text]:
        return exact[:1]
    name, phone = name_and_phone(typed)
    if phone:
        return [
            each for each in known if same_phone(each.phone, phone) and name.casefold() in ("", each.name.casefold())
        ]
    return [each for each in known if each.name.casefold() == text]


def _suggested(name: str, known: Sequence[KnownDriver]) -> list[KnownDriver]:
    """Return the drivers whose name, or surname, begins so, unless they are too many to be read."""
    text = name.casefold()
    found = [each for each in known if any(end.startswith(text) for end in _ends(each.name.casefold()))]
    return found if len(text) >= _FEWEST_LETTERS and len(found) <= _MOST_SUGGESTED else []


def _ends(name: str) -> list[str]:
    """Return a name, and what is left of it without its first words."""
    words = name.split()
    return [" ".join(words[first:]) for first in range(len(words))]


def name_and_phone(typed: str) -> tuple[str, str]:
    """Split "Ravi, 98765 43210", with or without its comma; either may be missing."""
    if is_phone(typed):
        return "", typed
    name, _comma, phone = typed.rpartition(",")
    if not name and (found := _NAME_THEN_PHONE.fullmatch(typed)):
        name, phone = found.groups()
    return (name.strip(), phone.strip()) if name.strip() and is_phone(phone) else (typed, "")


def same_phone(phone: str | None, typed: str) -> bool:
    try:
        return international(phone or "") == international(typed)
    except InvalidPhone:
        return False


def _same_name(one: VehicleToChoose, other: VehicleToChoose) -> bool:
    return one.typed.casefold() == other.typed.casefold()
