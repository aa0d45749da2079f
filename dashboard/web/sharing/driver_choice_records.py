"""Define what the table of vehicles receives in which their drivers are chosen (see `web/shared/records.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from dashboard.domain.money import Sum
from dashboard.store.links.totals import Total
from dashboard.web.sharing.forms import DriverForm


@dataclass(frozen=True, slots=True)
class KnownDriver:
    """Name a driver who is known, with the number as people read it; "" without one."""

    id: int
    name: str
    phone: str

    @property
    def typed(self) -> str:
        """Return the driver as they are offered and typed."""
        return f"{self.name}, {self.phone}" if self.phone else self.name


@dataclass(frozen=True, slots=True)
class VehicleToChoose:
    """Offer the choice of a driver for a vehicle whose `links` can be given to them; `why` says why nobody has them.

    `typed` was typed, or names who was chosen before; `problem` says what is wrong with it. `driver` is who is meant,
    once that is one of the drivers, and `suggested` are those who may be. `form` asks for the rest of somebody who is
    not among them, and that only once nobody is suggested, or none of those is meant; `is_asked` when nobody was asked
    for that yet, so nothing is wrong with it. `same_number` names the
    other new driver, of a row above, with the number of this one. `reads` is the address that reads what is typed.
    """

    rc: str
    plate: str
    links: Total
    why: str = ""
    ends_at: datetime | None = None
    typed: str = ""
    problem: str = ""
    driver: KnownDriver | None = None
    suggested: tuple[KnownDriver, ...] = ()
    form: DriverForm | None = None
    is_asked: bool = False
    same_number: str = ""
    reads: str = ""
    is_urgent: bool = False  # little time is left to pay the first of the links

    @property
    def field(self) -> str:
        """Return the name of the field for the driver."""
        return field_of(self.rc)

    @property
    def use(self) -> str:
        """Return the name of the buttons that choose one of the suggested drivers."""
        return use_of(self.rc)

    @property
    def is_doubtful(self) -> bool:
        """Return whether it is to be said first if one of those suggested is meant, or somebody new."""
        return bool(self.suggested) and not self.form and not self.problem

    @property
    def is_wrong(self) -> bool:
        return bool(self.problem or (self.form and self.form.errors))


@dataclass(frozen=True, slots=True)
class DriverChoicePage:
    """Show the vehicles for which a driver is chosen, a page at a time; `action` is the address that saves them.

    `known` are all drivers. `new` asks for the rest of somebody new; its fields are named with NEW in place of a
    vehicle. `left` counts the vehicles without a driver, with the sum of their links. `before` and `after` are the
    addresses of the neighbouring pages.
    """

    rows: tuple[VehicleToChoose, ...]
    known: tuple[KnownDriver, ...]
    new: DriverForm
    left: int
    left_sum: Sum | None
    problem: str
    asked: str  # says that somebody is new, and what is asked of them
    focused: str  # the vehicle whose field has the focus, as the address names it
    first: str  # the one whose field has the focus otherwise, where that opens no keyboard over the page
    page: int
    pages: int
    action: str
    before: str
    after: str


#: What the button sends that says that none of those suggested is meant.
SOMEBODY_NEW = "new"

#: What stands for a vehicle in the names of the fields that a script adds to its row.
NEW = "-"


def new_prefix(rc: str) -> str:
    """Return what the names of the fields for somebody new begin with."""
    return f"new-{rc}-"


def field_of(rc: str) -> str:
    return f"driver-{rc}"


def use_of(rc: str) -> str:
    """Return the name of the buttons that choose one of the suggested drivers."""
    return f"use-{rc}"
