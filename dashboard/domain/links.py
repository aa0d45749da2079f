"""Define payment links as the service reports them (sections 2.4 and 3.1), and what their states mean for us."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

#: The states that the document names, spelled as the service does.
ACTIVE = "ACTIVE"
PAID = "PAID"
EXPIRED = "EXPIRED"
FAILED = "FAILED"
CANCELLED = "CANCELLED"

KNOWN_STATUSES = frozenset({ACTIVE, PAID, EXPIRED, FAILED, CANCELLED})
ENDED_STATUSES = frozenset({EXPIRED, FAILED, CANCELLED})

MIN_HOURS = 24
MAX_HOURS = 168
DEFAULT_HOURS = 48
MAX_CHALLANS = 100
#: A link that the service has answered 404 for so often in a row is one that it no longer knows.
UNKNOWN_AFTER = 2
#: The length of the note that acknowledges a duplicate alarm, in characters.
MIN_ALARM_NOTE, MAX_ALARM_NOTE = 10, 1000
#: As it stands on a receipt, or with a space.
_RECEIPT_NUMBER = re.compile(r"([0-9a-f]{4})[- ]([0-9a-f]{4})", re.IGNORECASE)


def plan_links(challan_ids: Sequence[str]) -> list[tuple[str, ...]]:
    """Cut a selection, in its order, into the challans of one link each (section 8)."""
    return [tuple(challan_ids[start : start + MAX_CHALLANS]) for start in range(0, len(challan_ids), MAX_CHALLANS)]


def is_paid(status: str | None) -> bool:
    return status == PAID


def is_ended(status: str | None) -> bool:
    """Return whether the link has released its challans. It may still change: only PAID is final."""
    return status in ENDED_STATUSES


def may_have_taken_money(status: str | None) -> bool:
    """Return whether an attempt to pay has failed. The service does not say whether money left the payer's account."""
    return status == FAILED


def is_live(status: str | None) -> bool:
    """Return whether the link may still be paid. A state that the document does not name counts as live."""
    return status not in ENDED_STATUSES and status != PAID


def receipt_number(link_id: str) -> str:
    """Return the number of the receipt of a link, as people read it out: "9B51-27F6", the beginning of the link's id.

    The service gives receipts no number. A stored count would be shorter and need a table, a migration and a number for
    every link paid before; this one needs nothing, and of two links that begin alike the find box lists both.
    """
    beginning = link_id.partition("-")[0].upper()
    return f"{beginning[:4]}-{beginning[4:]}"


def link_of_receipt(number: str) -> str:
    """Return the beginning of a link's id that a receipt's number stands for; any other text as it is."""
    found = _RECEIPT_NUMBER.fullmatch(number.strip())
    return (found[1] + found[2]).lower() if found else number


def has_run_out(expires_at: datetime | None, service_clock_offset: float | None, now: datetime) -> bool:
    """Return whether a link's expiry has passed by the service's clock, which is so many seconds ahead of ours.

    Only the service ends a link, so this does not mean that it has ended; but it must not be shared any more.
    """
    return expires_at is not None and expires_at - timedelta(seconds=service_clock_offset or 0) <= now


@dataclass(frozen=True, slots=True)
class Organization:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class AmountBreakdown:
    """Hold the amounts of a link in major units; a missing one is None and counts as unknown (section 2.4)."""

    base_amount: Decimal | None
    legal_fee: Decimal | None
    gst: Decimal | None
    convenience_fee: Decimal | None
    total_amount: Decimal | None
    payment_mode: str | None = None


@dataclass(frozen=True, slots=True)
class LinkChallan:
    """Hold a challan as listed inside a payment link (section 2.4)."""

    id: str
    challan_no: str | None
    rc_number: str | None
    status: str | None
    challan_type: str | None
    state: str | None
    challan_amount: Decimal | None
    legal_fee: Decimal | None
    total_amount: Decimal | None


@dataclass(frozen=True, slots=True)
class PaymentLink:
    """Hold a payment link as created or polled (section 2.4).

    Only `id` is certain: an answer to a creation counts as soon as it has one. `gaps` names the other required
    fields that were missing or ill-typed. `service_time` is the answer's Date, the service's own clock.
    """

    id: str
    status: str | None
    organization: Organization | None = None
    payment_url: str | None = None
    expires_at: datetime | None = None
    paid_at: datetime | None = None
    amount: AmountBreakdown | None = None
    payment_mode_options: tuple[AmountBreakdown, ...] = ()
    challans: tuple[LinkChallan, ...] = ()
    gaps: tuple[str, ...] = ()
    service_time: datetime | None = None
