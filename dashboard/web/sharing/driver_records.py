"""Define what the templates of the drivers receive: their list, and the page of each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from dashboard.domain.money import NO_SUM, Sum
from dashboard.services.sharing.driver_money import DriverMoney
from dashboard.web.links.list_records import LinkRow
from dashboard.web.shared.languages import gettext as _
from dashboard.web.vehicles.records import VehicleCard


@dataclass(frozen=True, slots=True)
class Vehicle:
    """Show a vehicle that a driver usually drives."""

    rc: str
    plate: str


@dataclass(frozen=True, slots=True)
class DriverCard:
    """Show a driver; `language` is its own name, such as "हिन्दी"."""

    id: int
    name: str
    phone: str | None
    email: str | None
    language: str
    note: str | None
    vehicles: tuple[Vehicle, ...]
    has_left: bool
    money: DriverMoney
    call: str = ""  # the addresses that call the driver and open WhatsApp; "" without a number
    whatsapp: str = ""
    remind: str = ""  # the address where the driver is reminded of the open links; "" where there is none to remind of
    reminded: int = 0  # of how many
    sent_at: datetime | None = None  # the last of these, where it is too early to remind of any
    snoozed_until: datetime | None = None  # the first of these, where all of them are put off
    send: str = ""  # the address where the driver is sent what nobody was given yet; "" where it is another's as well
    to_send: int = 0  # of how many links
    withheld: int = 0  # of the links that can be paid, those that cannot be sent now
    check: str = ""  # the address where these are checked first; "" where there is none, or all are put off
    unsent: int = 0  # links of the usual vehicles that nobody was given
    unsent_sum: Sum = NO_SUM
    is_reached: bool = False  # has a number, and has not left

    @property
    def owed(self) -> Sum:
        """Return what their links that can be paid come to: those they were given, and those nobody was given yet."""
        return self.money.open + self.unsent_sum

    @property
    def owed_links(self) -> int:
        return self.money.open_links + self.unsent

    @property
    def title(self) -> str:
        return _("%(name)s · Drivers · Challan Dashboard", name=self.name)


@dataclass(frozen=True, slots=True)
class DriversTab:
    """Offer a part of the drivers that were looked for, with their number."""

    words: str
    number: int
    address: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class DriversPage:
    """Show the drivers that were looked for, in one of their orders, and where the other orders are."""

    active: tuple[DriverCard, ...]
    former: tuple[DriverCard, ...]
    total: DriverMoney  # of the active ones shown
    unsent: int  # links that nobody was given, of these
    unsent_sum: Sum
    count: int  # of all drivers, whatever was looked for
    query: str
    order: str
    addresses: dict[str, str]
    usual_order: str
    part: str  # "" for all of them
    tabs: tuple[DriversTab, ...]
    columns: frozenset[str]  # of `owes`, `unsent` and `paid` those that say something of anybody, found or not
    added: DriverCard | None = None  # just now
    vehicle: str = ""  # RC number of the vehicle whose usual driver is to be chosen
    choices: tuple[tuple[int, str], ...] = ()  # in that case: ids of drivers, with their names and numbers


@dataclass(frozen=True, slots=True)
class DriverLink:
    """Show a link that a driver was given, when and how last and by whom, or is for them, as it is now.

    `is_sendable`: one tap sends it to the driver, or reminds them of it.
    """

    row: LinkRow
    at: datetime | None = None
    by: str = ""
    how: str = ""
    times: int = 0
    is_sendable: bool = False


@dataclass(frozen=True, slots=True)
class DriverLinks:
    """Show what a driver owes: the live region of their page. `seen` is what a poll sends back."""

    driver: DriverCard
    open: tuple[DriverLink, ...]  # those to send first
    over: tuple[DriverLink, ...]
    others: tuple[DriverLink, ...]  # of the usual vehicles, which no driver has, beside those to send
    to_pay: tuple[VehicleCard, ...]  # usual vehicles with challans that are on no link
    seen: str
    poll_seconds: int
    back: datetime | None = None  # when Follow up asks for the first of them again, where it is too early to remind

    @property
    def together(self) -> tuple[DriverLink, ...]:
        """Return the first link of each message that named several, whose undo is of all of them."""
        return tuple(each for each in self.open if each.row.undoable and each.is_sendable and each.row.sent_links > 1)
