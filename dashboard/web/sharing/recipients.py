"""Read to whom a message goes: somebody typed in the one field for that, by name or number, or named by an address."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from werkzeug.datastructures import MultiDict

from dashboard.domain.languages import DEFAULT_LANGUAGE, LANGUAGES
from dashboard.domain.phones import is_phone
from dashboard.services.sharing.drivers import PhoneTaken
from dashboard.store.links import links
from dashboard.store.sharing import drivers
from dashboard.web.links.payment import SOMEONE_ELSE, number_check
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.request_args import row_id
from dashboard.web.sharing import texts
from dashboard.web.sharing.driver_typed import known_drivers, name_and_phone, named, new_driver, same_phone


@dataclass(frozen=True, slots=True)
class Meant:
    """Name whom a message goes to: one of the drivers, or else a number, or nobody; or say what is wrong.

    `name` is that of somebody new, who is saved as a driver once the message is sent. A driver without a number is
    meant and is wrong, because an email reaches them all the same.
    """

    typed: str = ""
    driver_id: int | None = None
    number: str = ""
    name: str = ""
    problem: str = ""

    @property
    def asked(self) -> int:
        """Return the driver as addresses name them."""
        return self.driver_id or SOMEONE_ELSE

    @property
    def place(self) -> dict[str, Any]:
        """Return the arguments that name them in an address."""
        return {"driver": self.driver_id} if self.driver_id else {"to": self.typed}


def read(typed: str) -> Meant:
    """Return who is typed; nobody where nothing is."""
    meant, known = Meant(" ".join(typed.split())), known_drivers()
    if not meant.typed:
        return meant
    found = named(meant.typed, known)
    if len(found) > 1:
        return replace(meant, problem=str(texts.SEVERAL_OF_THE_NAME))
    if found:
        [driver] = found
        return replace(meant, driver_id=driver.id, problem="" if driver.phone else texts.has_no_phone(driver.name))
    name, phone = name_and_phone(meant.typed)
    if not phone:
        _looks_like, wrong, name_alone = number_check(has_drivers=bool(known))
        has_digits = any(each.isdigit() for each in name)
        return replace(meant, problem=wrong if has_digits else name_alone.format(name=name.rstrip(" ,")))
    if name and (taken := [each for each in known if same_phone(each.phone, phone)]):
        return replace(meant, problem=texts.phone_taken(taken[0].phone, taken[0].name))
    problem = " ".join(new_driver(name, phone).name.errors) if name else ""
    return replace(meant, number=phone, name=name, problem=problem)


def of_form(fields: MultiDict[str, str]) -> Meant | None:
    """Return whom a form or an address means: who is typed `to`, or else a `driver`; None where neither is there."""
    if (typed := fields.get("to")) is not None:
        return read(typed)
    if (asked := fields.get("driver", type=row_id)) is None:
        return None
    if asked != SOMEONE_ELSE:
        return Meant(driver_id=asked)
    number = fields.get("number", "").strip()
    return Meant(number, number=number, problem=str(texts.NOT_A_PHONE) if number and not is_phone(number) else "")


def language_of(fields: MultiDict[str, str]) -> str | None:
    """Return the language that was chosen for a message; None where only somebody else was, who brings their own.

    `shown_to` and `shown_language` are of the message that was on the page: without scripts both fields come at once.
    """
    language, to = fields.get("language"), fields.get("to")
    if language == fields.get("shown_language") and to != fields.get("shown_to", to):
        return None
    return language if language in LANGUAGES else None


def saved(to: Meant, link_id: str, language: str = DEFAULT_LANGUAGE.code) -> Meant:
    """Save somebody new as a driver, the usual one of the vehicle of a link if that has none; return who is meant."""
    if not to.name:
        return to
    services = current_services()
    with services.store.read() as connection:
        link = links.find(connection, link_id)
        lacks_driver = link is not None and link.rc is not None and not drivers.of_vehicle(connection, link.rc)
    details = new_driver(to.name, to.number, language).details()
    if link and link.rc and lacks_driver:
        details = replace(details, vehicles=(link.rc,))
    try:
        driver_id = services.drivers.add(details, person_id())
    except PhoneTaken as taken:  # by a colleague, just now
        return Meant(to.typed, taken.driver.id)
    audit("driver added", str(driver_id), name=details.name)
    return Meant(to.typed, driver_id)
