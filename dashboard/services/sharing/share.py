"""Giving a payment link to a driver: looked at first, in a language of theirs, and remembered.

A link that is dead, or whose address is not trusted, cannot be prepared for sharing at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import Connection

from dashboard.domain import messages
from dashboard.domain.links import AmountBreakdown, has_run_out, is_live
from dashboard.domain.messages import Language
from dashboard.domain.payment_urls import problem_of
from dashboard.domain.registration import spaced
from dashboard.services.links.duplicates import PAID_BESIDE, is_paid_beside
from dashboard.services.links.polling import LinkPoller
from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.sharing import drivers, message_templates, shares

#: A check that is older is made again before anything is shared.
FRESH_FOR = timedelta(seconds=5)
#: What was prepared may be used this long after the last look at the link, which the page's live panel makes anew.
PREPARED_FOR = timedelta(minutes=1)


class Channel(StrEnum):
    COPY = "copy"
    WHATSAPP = "whatsapp"
    SMS = "sms"
    EMAIL = "email"
    SHEET = "sheet"
    QR = "qr"
    PRINT = "print"


class NotShareable(Exception):
    """The link is not to be given to anybody; `status` is its state, `problem` a sentence about its address, if any.

    `ended_at` is its end, where that has passed and the service has not said yet what became of it.
    """

    def __init__(self, status: str, problem: str | None = None, ended_at: datetime | None = None) -> None:
        self.status = status
        self.problem = problem
        self.ended_at = ended_at
        super().__init__(problem or status)


@dataclass(frozen=True, slots=True)
class Message:
    """A message ready to be sent: its subject (for e-mail) and its text."""

    language: Language
    subject: str
    text: str


class Sharing:
    """`payment_page_base` is where payment pages are to be found, if that is configured."""

    def __init__(self, store: Store, link_poller: LinkPoller, clock: Clock, payment_page_base: str | None) -> None:
        self._store = store
        self._link_poller = link_poller
        self._clock = clock
        self._base = payment_page_base

    def prepare(self, link_id: str) -> None:
        """Look at a link unless it was looked at just now. Raises ServiceError, and NotShareable."""
        with self._store.read() as connection:
            row = links.find(connection, link_id)
        if row is None:
            raise NotShareable("")
        if row.checked_at is None or self._clock() - row.checked_at > FRESH_FOR:
            self._link_poller.require_fresh(link_id)
            with self._store.read() as connection:
                row = links.find(connection, link_id)
            assert row is not None
        self.judge(row)

    def judge(self, row: Link) -> None:
        """Raise NotShareable unless a link may be given to somebody as it was last seen."""
        if not is_live(row.status):
            raise NotShareable(row.status)
        if has_run_out(row.expires_at, row.service_clock_offset, self._clock()):
            raise NotShareable(row.status, ended_at=row.expires_at)
        if not row.payment_url:
            raise NotShareable(row.status, "The service sent no payment URL with this link.")
        if problem := problem_of(row.payment_url, self._base):
            raise NotShareable(row.status, problem)
        with self._store.read() as connection:
            if is_paid_beside(connection, row.id):
                raise NotShareable(row.status, PAID_BESIDE)

    def is_prepared(self, row: Link) -> bool:
        """Whether a link was looked at recently enough to be shared."""
        return row.checked_at is not None and self._clock() - row.checked_at <= PREPARED_FOR

    def message(
        self,
        connection: Connection,
        row: Link,
        language: Language,
        driver_name: str | None,
        challans: int,
        written: Callable[[Decimal], str],
        moment: Callable[[datetime, str], str],
    ) -> Message:
        """The message about a link in a language, with a manager's own words where there are any.

        `written` writes an amount, `moment` a moment in a locale, as people read them.
        """
        cheapest = _cheapest(row)
        amount = cheapest.total_amount if cheapest else row.total
        values = {
            "driver": driver_name or language.somebody,
            "vehicle": spaced(row.rc) if row.rc else "",
            "challans": str(challans),
            "amount": written(amount) if amount is not None else language.unknown_amount,
            "mode": _mode(cheapest) or language.any_mode,
            "deadline": moment(row.expires_at, language.locale) if row.expires_at else language.unknown_deadline,
            "url": row.payment_url or "",
        }
        own = message_templates.find(connection, language.code)
        return Message(
            language,
            " ".join(messages.fill(language.subject, values).split()),
            messages.fill(own.body if own else language.body, values),
        )

    def was_given(self, link_id: str, channel: Channel, person_id: int, driver_id: int) -> bool:
        """Whether this person gave the link to this driver by the channel just now: a second tap is no second nudge."""
        with self._store.read() as connection:
            last = shares.newest_of_links(connection, [link_id]).get(link_id)
        if last is None or self._clock() - last.at > PREPARED_FOR:
            return False
        return bool((last.channel, last.person_id, last.driver_id) == (channel, person_id, driver_id))

    def record(self, link_id: str, channel: Channel, person_id: int, driver_id: int | None, language: str) -> None:
        """Remember that a link was given to a driver, or to somebody; the language stays with the driver."""
        now = self._clock()
        with self._store.write() as connection:
            known = driver_id is not None and drivers.find(connection, driver_id) is not None
            who = driver_id if known else None
            values = {"link_id": link_id, "channel": channel, "person_id": person_id, "at": now}
            shares.add(connection, **values, driver_id=who, language=language)
            if who is not None:
                drivers.remember_language(connection, who, language)


def _cheapest(row: Link) -> AmountBreakdown | None:
    """The cheapest way to pay, where every way's total is known."""
    modes = [mode for stored in row.modes if (mode := links.breakdown_from(stored)) is not None]
    if not modes or any(mode.total_amount is None for mode in modes):
        return None
    return min(modes, key=lambda mode: mode.total_amount or Decimal(0))


def _mode(breakdown: AmountBreakdown | None) -> str | None:
    names = {"UPI": "UPI", "CREDIT_CARD": "credit card"}
    return (
        None
        if breakdown is None or not breakdown.payment_mode
        else names.get(breakdown.payment_mode, breakdown.payment_mode)
    )
