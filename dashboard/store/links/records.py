"""Define what the queries of the ledger return. Moments are aware UTC, amounts Decimal in major units of the currency.

None means unknown, or not yet so, unless a field says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Column

from dashboard.domain.links import UNKNOWN_AFTER, AmountBreakdown, is_live
from dashboard.store.links.tables import OBSERVED, link, link_challan, link_event


@dataclass(frozen=True, slots=True)
class Link:
    """A payment link as the ledger knows it.

    `status` is spelled as the service spells it, and may be empty while only a search has shown the link. `detailed`:
    a creation or status answer was recorded, so amounts and challans are complete. `checked_at` is when the newest one
    was recorded, and `asked_at` when it was asked for. `polls_begun` numbers the polls; `answered_poll` is the number
    of the one that the newest answer belongs to. `failure` names the error of the newest failed check, and `failures`
    counts those in a row; `not_found` counts the answers 404 since the service last knew the link. `released_at`,
    `released_by` and `release_reason` are set once a manager has released its claims. `unstated` names what the newest
    answer left empty, whatever an earlier one gave.
    `service_clock_offset` is how many seconds the service's clock is ahead of ours. Lists are sorted by the `*_rank`
    fields.
    """

    id: str
    rc: str | None
    status: str
    status_since: datetime
    payment_url: str | None
    expires_at: datetime | None
    paid_at: datetime | None
    stored_amount: dict[str, str | None] | None
    stored_modes: list[dict[str, str | None]]
    total: Decimal | None
    detailed: bool
    origin: str
    intent_id: str | None
    person_id: int | None
    created_at: datetime | None
    hours: int | None
    first_seen_at: datetime
    checked_at: datetime | None
    polls_begun: int
    answered_poll: int
    asked_at: datetime | None
    failed_at: datetime | None
    failure: str | None
    failures: int | None
    not_found: int | None
    released_at: datetime | None
    released_by: int | None
    release_reason: str | None
    unstated: str | None
    service_clock_offset: int | None
    watched_at: datetime | None
    next_check_at: datetime | None
    lease_until: datetime | None
    version: int
    saving: Decimal | None
    rc_rank: str
    ends_rank: datetime
    amount_rank: float

    @property
    def amount(self) -> AmountBreakdown | None:
        """The parts of the amount; None while only a search has shown the link."""
        return None if self.stored_amount is None else _breakdown(self.stored_amount)

    @property
    def payment_modes(self) -> tuple[AmountBreakdown, ...]:
        """The amounts by way to pay, in the service's order; empty where it named none."""
        return tuple(_breakdown(stored) for stored in self.stored_modes if stored is not None)

    @property
    def is_observed(self) -> bool:
        """Whether the service alone showed the link: nobody created it here, as far as is known."""
        return self.origin == OBSERVED

    @property
    def is_unknown(self) -> bool:
        """Whether the service no longer knows the link."""
        return (self.not_found or 0) >= UNKNOWN_AFTER

    def leaves_out(self, field: str) -> bool:
        """Return whether the newest answer left a field empty, of UNSTATED_FIELDS."""
        return field in (self.unstated or "").split(",")

    @property
    def may_be_paid(self) -> bool:
        """Whether the service gives a time of payment, though it does not call the link paid."""
        return self.paid_at is not None and is_live(self.status)

    @property
    def made_at(self) -> datetime:
        """When the link was created; when it was first seen, where that is not known."""
        return self.created_at or self.first_seen_at


@dataclass(frozen=True, slots=True, order=True)
class Asked:
    """Say when an answer about a link was asked for: of two answers, the one asked later is the newer one.

    `number` is the poll's, which the link's row counts, so that no clock decides between polls of several hosts. It is
    0 when the ledger did not know the link yet: a creation, or the first reading of a link that a search has shown.
    `at`, by our clock, decides between those.
    """

    number: int
    at: datetime


@dataclass(frozen=True, slots=True)
class CoveredChallan:
    """A challan of a link, as the newest answer that named it described it; `position` counts from 0."""

    link_id: str
    challan_id: str
    position: int
    challan_no: str | None
    rc_number: str | None
    status: str | None
    challan_type: str | None
    state: str | None
    challan_amount: Decimal | None
    legal_fee: Decimal | None
    total_amount: Decimal | None


@dataclass(frozen=True, slots=True)
class LinkEvent:
    """An entry of a link's append-only history. `old` and `new` hold what changed, by `kind` (see `tables.py`)."""

    id: int
    link_id: str
    at: datetime
    kind: str
    person_id: int | None
    old: str | None
    new: str | None


def _breakdown(stored: dict[str, str | None]) -> AmountBreakdown:
    amounts = {name: None if text is None else Decimal(text) for name, text in stored.items() if name != "payment_mode"}
    return AmountBreakdown(payment_mode=stored.get("payment_mode"), **amounts)


#: Fields that hold a column as it is stored, to be parsed by a property of the column's name.
_STORED = {"stored_amount": "amount", "stored_modes": "modes"}
#: The columns of each record, in the order of its fields: `Link(*row)` reads a row of `select(*LINK_COLUMNS)`.
LINK_COLUMNS: tuple[Column[Any], ...] = tuple(link.c[_STORED.get(each.name, each.name)] for each in fields(Link))
CHALLAN_COLUMNS: tuple[Column[Any], ...] = tuple(link_challan.c[each.name] for each in fields(CoveredChallan))
EVENT_COLUMNS: tuple[Column[Any], ...] = tuple(link_event.c[each.name] for each in fields(LinkEvent))
