"""Define what the templates receive that send the links of a plan: by driver, as messages, and as QR codes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TypeVar

from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.languages import DEFAULT_LANGUAGE
from dashboard.domain.links import PAID
from dashboard.domain.money import Sum, add_up
from dashboard.web.fleet import plan_texts as texts
from dashboard.web.shared.qr import QrCode
from dashboard.web.shared.records import StateWords

#: The drivers, and the links without one, that are shown at once.
PAGE_SIZE = 100
#: The QR codes of a sheet of A4.
CODES_OF_A_SHEET = 9
#: How many drivers of a queue are shown, and how many of them before the present one.
_NEAR, _BEFORE = 10, 2
_T = TypeVar("_T")


def minutes(moments: Iterable[datetime]) -> tuple[datetime, ...]:
    """Return the minutes that differ of these moments, the first one first."""
    return tuple(sorted({each.replace(second=0, microsecond=0) for each in moments}))


@dataclass(frozen=True, slots=True)
class SheetCode:
    """Show a link on the sheet to print. Where it must not be given away it has no `code`, and `why` says so.

    What is read by the driver is in the driver's `language`; `until` is the deadline, with what comes before and after
    it, and `place` which of the links of the vehicle it is.
    """

    plate: str
    part: str
    driver: str
    why: str
    check: str = ""  # the link whose page says what to check first, or what is wrong
    state: StateWords | None = None  # where it is not active
    place: str = ""
    challans: str = ""
    amount: str = ""
    asks: str = ""
    until: tuple[str, str, str] = ("", "", "")
    language: str = ""
    drivers_language: str = ""  # its name, where it is that of a driver
    code: QrCode | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """Show a page of QR codes to print, with the addresses of the first and the next page."""

    plan_id: str
    title: str
    codes: tuple[SheetCode, ...]
    lacks: str  # which links of the plan are not among them
    first: str | None
    following: str | None

    @property
    def printed(self) -> int:
        return sum(each.code is not None for each in self.codes)

    @property
    def held(self) -> tuple[SheetCode, ...]:
        """Return the links that are not printed."""
        return tuple(each for each in self.codes if each.code is None)

    @property
    def to_check(self) -> int:
        """Return how many of these have to be checked first."""
        return sum(bool(each.check) for each in self.held)

    @property
    def held_words(self) -> str:
        """Say why they are not printed."""
        others = [each.state for each in self.held if not each.check and each.state]
        paid = sum(each.raw == PAID for each in others)
        return texts.not_printed(self.to_check, paid, len(others) - paid)

    @property
    def languages(self) -> tuple[str, ...]:
        """Return in which languages the codes of drivers are, where any is not in that of all others."""
        of_drivers = [each for each in self.codes if each.drivers_language]
        if all(each.language == DEFAULT_LANGUAGE.code for each in of_drivers):
            return ()
        return tuple(dict.fromkeys(each.drivers_language for each in of_drivers))

    @property
    def sheets(self) -> int:
        """Return how many sheets of paper the page is printed on."""
        return math.ceil(self.printed / CODES_OF_A_SHEET)


@dataclass(frozen=True, slots=True)
class SharedLink:
    """Show a link that goes to a driver. `why` says why it must not be given now, `no_driver` why nobody gets it.

    `part` says which of the links of its vehicle it is, if there are several.
    """

    id: str
    rc: str
    plate: str
    part: str
    total: Decimal | None
    amount: str
    why: str
    no_driver: str
    sent_at: datetime | None
    to_check: bool = False  # on its page, before anybody gets it: it may still be paid
    ends_at: datetime | None = None  # while it may still be paid
    share_id: int | None = None  # its newest share, while the signed-in person can take it back
    challans: int = 0  # where it is known how many it has
    state: StateWords | None = None  # where it is not active
    is_paid: bool = False


@dataclass(frozen=True, slots=True)
class DriverLinks:
    """Show the links of a plan that go to one driver; `number` is that of WhatsApp, "" where there is none."""

    driver_id: int
    name: str
    phone: str
    number: str
    links: tuple[SharedLink, ...]
    said: str  # that it was sent
    sends: int = 0  # how many links the next message has, where that is not all of them
    to_come: int = 0  # how many more links are still to be created

    @property
    def send_words(self) -> str:
        """Name the button for a message that does not have all links of the driver; "" for one that has."""
        return texts.send_part(self.sends, len(self.links) + self.to_come) if self.sends else ""

    @property
    def waits_for(self) -> str:
        """Say that a message sent now would not have all links of the driver."""
        return texts.more_to_come(self.to_come) if self.to_come and self.unsent else ""

    @property
    def to_pay(self) -> Sum:
        """Return what is to pay on the links that can be given to the driver."""
        return add_up(each.total for each in self.sendable)

    @property
    def undoable(self) -> tuple[int, ...]:
        """Return the shares of the newest message to this driver, if the signed-in person can take it back."""
        newest = max((each.sent_at for each in self.links if each.share_id is not None and each.sent_at), default=None)
        return tuple(each.share_id for each in self.links if each.share_id is not None and each.sent_at == newest)

    @property
    def sent_at(self) -> datetime | None:
        """Return when the newest message was sent, where nothing is left to send to this driver."""
        return None if self.unsent else max((each.sent_at for each in self.links if each.sent_at), default=None)

    @property
    def reachable(self) -> bool:
        return bool(self.number and self.sendable)

    @property
    def sendable(self) -> tuple[SharedLink, ...]:
        return tuple(each for each in self.links if not each.why)

    @property
    def unsent(self) -> tuple[SharedLink, ...]:
        return tuple(each for each in self.sendable if each.sent_at is None)


@dataclass(frozen=True, slots=True)
class UndrivenVehicle:
    """Show the links of a vehicle that go to nobody."""

    links: tuple[SharedLink, ...]

    @property
    def rc(self) -> str:
        return self.links[0].rc

    @property
    def plate(self) -> str:
        return self.links[0].plate

    @property
    def no_driver(self) -> str:
        return self.links[0].no_driver

    @property
    def to_choose(self) -> tuple[SharedLink, ...]:
        """Return the links that can be given to a driver as soon as one is chosen."""
        return tuple(each for each in self.links if not each.why)

    @property
    def to_pay(self) -> Sum:
        return add_up(each.total for each in self.to_choose)


@dataclass(frozen=True, slots=True)
class PlanShare:
    """Show how the links of a plan are given to drivers, with the vehicles whose links go to nobody, a page at a time.

    `chosen` are the vehicles for which somebody was chosen and nothing was sent, so that another may be.
    """

    plan_id: str
    title: str
    drivers: tuple[DriverLinks, ...]
    without: tuple[UndrivenVehicle, ...]
    chosen: frozenset[str] = frozenset()
    lacks: str = ""  # which links of the plan are not among them
    unsent: str = ""  # what the links wait for that nobody was given
    checked_at: datetime | None = None  # since when all were checked that can still be paid
    page: int = 1

    @property
    def seen(self) -> str:
        """Return what changes when a message was recorded, so that what is shown stays until then."""
        return fingerprint([self.drivers, self.without])

    @property
    def links(self) -> tuple[SharedLink, ...]:
        """Return the links of the plan that exist."""
        of_all = [*(each.links for each in self.drivers), *(each.links for each in self.without)]
        return tuple(each for of_one in of_all for each in of_one)

    @property
    def to_pay(self) -> Sum:
        """Return what may still be paid, as the page of the plan adds it up: also what is to be checked first."""
        return add_up(each.total for each in self.links if each.to_check or not each.why)

    @property
    def paid_sum(self) -> Sum:
        return add_up(each.total for each in self.links if each.is_paid)

    @property
    def to_check_sum(self) -> Sum:
        """Return what of it is on links that nobody is sent before they were checked."""
        return add_up(each.total for each in self.links if each.to_check and each.sent_at is None)

    @property
    def ends(self) -> tuple[datetime, ...]:
        """Return when the links end that can still be paid, the first one first."""
        return minutes(each.ends_at for each in self.links if each.ends_at)

    @property
    def sent(self) -> int:
        return sum(each.sent_at is not None for each in self.links)

    @property
    def reachable(self) -> int:
        return sum(each.reachable for each in self.drivers)

    @property
    def to_choose(self) -> tuple[UndrivenVehicle, ...]:
        """Return the vehicles whose links can be given to a driver as soon as one is chosen."""
        return tuple(each for each in self.without if each.to_choose)

    @property
    def waits_to_be_paid(self) -> bool:
        """Return whether nothing is left to do but to wait for what was sent to be paid."""
        return bool(self.sent and not (self.waiting or self.to_choose) and any(not each.why for each in self.links))

    @property
    def without_driver(self) -> int:
        """Return how many links can be given to a driver as soon as one is chosen."""
        return sum(len(each.to_choose) for each in self.to_choose)

    @property
    def without_phone(self) -> int:
        """Return how many links go to drivers who cannot be reached."""
        return sum(len(each.unsent) for each in self.drivers if not each.number)

    @property
    def to_check(self) -> int:
        """Return how many links nobody is sent before they were checked."""
        return sum(each.to_check and each.sent_at is None for each in self.links)

    @property
    def only_to_check(self) -> int:
        """Return how many vehicles without a driver have no link that can be given to one, and one to check first."""
        return sum(not each.to_choose and any(link.to_check for link in each.links) for each in self.without)

    @property
    def waiting(self) -> tuple[DriverLinks, ...]:
        """Return the drivers who can be reached and have links that were not sent yet."""
        return tuple(each for each in self.drivers if each.reachable and each.unsent)

    @property
    def waiting_here(self) -> DriverLinks | None:
        """Return the one driver who waits for a message, where that is on this page."""
        return self.waiting[0] if len(self.waiting) == 1 and self.waiting[0] in self.drivers_here else None

    @property
    def to_choose_here(self) -> UndrivenVehicle | None:
        """Return the one vehicle whose driver is to be chosen, where that is on this page."""
        return self.to_choose[0] if len(self.to_choose) == 1 and self.to_choose[0] in self.without_here else None

    @property
    def chooses_first(self) -> bool:
        """Return whether the choice of drivers stands first: nothing else is left to do, or most links have nobody.

        Sending changes nothing of that until all is sent, so that no row moves meanwhile.
        """
        return self.without_driver > (sum(len(each.sendable) for each in self.drivers) if self.waiting else 0)

    @property
    def pages(self) -> int:
        return max(1, math.ceil((len(self.drivers) + len(self.without)) / PAGE_SIZE))

    @property
    def drivers_here(self) -> tuple[DriverLinks, ...]:
        """Return the drivers of this page."""
        return self._here(self.drivers, len(self.without) if self.chooses_first else 0)

    @property
    def without_here(self) -> tuple[UndrivenVehicle, ...]:
        """Return the vehicles of this page whose links go to nobody."""
        return self._here(self.without, 0 if self.chooses_first else len(self.drivers))

    def _here(self, listed: tuple[_T, ...], before: int) -> tuple[_T, ...]:
        first = (self.page - 1) * PAGE_SIZE - before
        return listed[max(0, first) : max(0, first + PAGE_SIZE)]


@dataclass(frozen=True, slots=True)
class PlanMessage:
    """Show the message to one driver, with its `number` in the queue of all drivers who can be reached."""

    plan_id: str
    driver: DriverLinks
    number: int
    queue: tuple[DriverLinks, ...]
    links: tuple[SharedLink, ...]  # of this message
    text: str
    language: str
    language_name: str
    following: str
    beside: str = ""  # what becomes of the links of the plan that no message has

    @property
    def seen(self) -> str:
        return fingerprint([self.queue, self.number])

    @property
    def near(self) -> tuple[tuple[int, DriverLinks], ...]:
        """Return the drivers around this one with their numbers: the queue may be long."""
        first = max(1, min(self.number - _BEFORE, len(self.queue) - _NEAR + 1))
        return tuple(enumerate(self.queue, start=1))[first - 1 : first - 1 + _NEAR]

    @property
    def _waiting(self) -> tuple[DriverLinks, ...]:
        return tuple(each for each in self.queue if each.unsent)

    @property
    def words(self) -> str:
        """Say which of the drivers who wait for a message is next."""
        return texts.next_to_message(self._waiting.index(self.driver) + 1, len(self._waiting))

    @property
    def sent_before(self) -> int:
        """Return how many drivers have their message."""
        return sum(not each.unsent for each in self.queue)

    @property
    def to_pay(self) -> Sum:
        return add_up(each.total for each in self.links)
