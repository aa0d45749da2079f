"""Define the tables of the ledger of payment links. `links.py` and `listing.py` query them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    func,
    literal_column,
    text,
)

from dashboard.domain.links import ENDED_STATUSES, PAID, UNKNOWN_AFTER
from dashboard.domain.registration import MAX_LENGTH
from dashboard.store.schema import metadata
from dashboard.store.types import Moment, Money

CREATED, RECOVERED, OBSERVED = "created", "recovered", "observed"
#: The alarm that another link covers the same challans: money may be paid twice.
DUPLICATE = "double"
#: A manager acknowledged the alarm; the event holds their note.
DUPLICATE_ACKNOWLEDGED = "double_seen"
#: The link's status changed.
STATUS = "status"
#: A person copied the payment URL.
COPIED = "copied"
#: The page copied the payment URL of a new link by itself: nobody was given it yet.
COPIED_UNASKED = "copied_unasked"
#: A person took back a share that they had recorded; the event holds its id.
SHARE_UNDONE = "share_undone"
#: A person confirmed that a message without a named recipient was sent; `new` is the id of the share.
SHARE_CONFIRMED = "share_confirmed"
#: A person sent the receipt of a paid link; the event holds by which channel, and the id of the driver who got it.
RECEIPT_SENT = "receipt_sent"
#: A person took back that they had sent it; the event holds the id of that one.
RECEIPT_UNDONE = "receipt_undone"
#: A person asked the driver of a link whose payment failed whether money was taken; the event holds the driver's id.
DRIVER_ASKED = "driver_asked"
#: A person asked them by phone, which is noted with the answer; the event holds the driver's id where one is known.
DRIVER_PHONED = "driver_phoned"
#: A person took back that they had asked; the event holds the id of that one.
QUESTION_UNDONE = "question_undone"
#: A person noted what that driver answered; the event holds the answer, or nothing where it was taken back.
DRIVER_ANSWERED = "driver_answered"
#: A person noted the payment reference that the driver gave; the event holds it, or nothing where it was taken back.
PAYMENT_REFERENCE = "payment_reference"
#: A manager released the claims of a link that the service no longer knows; the event holds their reason.
RELEASED = "released"
#: The service has answered 404 often enough to treat the link as no longer known.
BECAME_UNKNOWN = "no_longer_known"

link = Table(
    "link",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("rc", String(MAX_LENGTH), index=True),
    Column("status", Text, nullable=False),
    Column("status_since", Moment, nullable=False),
    Column("payment_url", Text),
    Column("expires_at", Moment),
    Column("paid_at", Moment),
    Column("amount", JSON),
    Column("modes", JSON, nullable=False),
    Column("total", Money),
    Column("detailed", Boolean, nullable=False),
    Column("origin", String(12), nullable=False),
    Column("intent_id", String(36), ForeignKey("intent.id")),
    Column("person_id", Integer, ForeignKey("person.id")),
    Column("created_at", Moment),
    Column("hours", Integer),
    Column("first_seen_at", Moment, nullable=False),
    Column("checked_at", Moment),
    # Which of two answers is newer is decided by when they were asked: see `Asked`.
    Column("polls_begun", Integer, nullable=False, server_default=text("0")),
    Column("answered_poll", Integer, nullable=False, server_default=text("0")),
    Column("asked_at", Moment),
    Column("failed_at", Moment),
    Column("failure", String(40)),
    Column("failures", Integer),  # How many checks have failed in a row.
    Column("not_found", Integer),  # How often the service has answered 404 since it last knew the link.
    Column("released_at", Moment),  # A manager released the claims of a link that is no longer known.
    Column("released_by", Integer),  # That manager's id.
    Column("release_reason", Text),
    Column("unstated", String(60)),  # The fields that the newest answer left empty, with commas.
    Column("service_clock_offset", Integer),
    Column("watched_at", Moment),
    Column("next_check_at", Moment),
    Column("lease_until", Moment),
    Column("version", Integer, nullable=False),
    Column("saving", Money),  # Between the dearest and the cheapest way to pay.
    # The ranks are what lists are sorted by: never null, and never shown. Exact amounts are in `total`.
    Column("rc_rank", String(MAX_LENGTH), nullable=False, server_default=""),
    Column("ends_rank", Moment, nullable=False, server_default=text("'9999-12-31 00:00:00'")),
    Column("amount_rank", Float, nullable=False, server_default=text("-1")),
)
Index("ix_link_next_check_at", link.c.next_check_at)
Index("ix_link_expires_at", link.c.expires_at)
Index("ix_link_checked_at", link.c.checked_at)
_not_found = link.c.not_found > literal_column("0")
Index("ix_link_not_found", link.c.not_found, sqlite_where=_not_found, postgresql_where=_not_found)
Index("ix_link_watched_at", link.c.watched_at)
_leased = link.c.lease_until.is_not(None)
Index("ix_link_lease_until", link.c.lease_until, sqlite_where=_leased, postgresql_where=_leased)
for ranked in ("first_seen_at", "rc_rank", "ends_rank", "amount_rank", "status"):
    Index(f"ix_link_{ranked}_id", link.c[ranked], link.c.id)
    if ranked != "status":  # A page of a frequent status is read without its other links.
        Index(f"ix_link_status_{ranked}_id", link.c.status, link.c[ranked], link.c.id)
#: Links that may still be paid, which are few. Written with literal values, as a database uses a partial index only for
#: a query that repeats its condition.
LIVE = link.c.status.not_in([literal_column(f"'{status}'") for status in sorted({*ENDED_STATUSES, PAID})])
Index("ix_link_live", link.c.first_seen_at, link.c.id, sqlite_where=LIVE, postgresql_where=LIVE)
#: Links that the service no longer knows.
NO_LONGER_KNOWN = func.coalesce(link.c.not_found, 0) >= UNKNOWN_AFTER
Index("ix_link_paid_at", link.c.paid_at)
Index("ix_link_status_status_since", link.c.status, link.c.status_since)
Index("ix_link_person_id_first_seen_at", link.c.person_id, link.c.first_seen_at)

link_challan = Table(
    "link_challan",
    metadata,
    Column("link_id", String(36), ForeignKey("link.id"), primary_key=True),
    Column("challan_id", String(36), primary_key=True),
    Column("position", Integer, nullable=False),
    Column("challan_no", Text),
    Column("rc_number", Text),
    Column("status", Text),
    Column("challan_type", Text),
    Column("state", Text),
    Column("challan_amount", Money),
    Column("legal_fee", Money),
    Column("total_amount", Money),
)
Index("ix_link_challan_challan_id", link_challan.c.challan_id)
# With the link's id, so that finding the links of a challan number reads no row of the table.
Index("ix_link_challan_challan_no_link_id", link_challan.c.challan_no, link_challan.c.link_id)
Index("ix_link_challan_challan_type_link_id", link_challan.c.challan_type, link_challan.c.link_id)

link_event = Table(
    "link_event",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("link_id", String(36), ForeignKey("link.id"), nullable=False, index=True),
    Column("at", Moment, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("person_id", Integer, ForeignKey("person.id")),
    Column("old", Text),
    Column("new", Text),
)
Index("ix_link_event_kind_link_id", link_event.c.kind, link_event.c.link_id)

#: Links without an expiry sort after all others.
NEVER = datetime(9999, 12, 31, tzinfo=UTC)


def ranks(values: dict[str, Any]) -> dict[str, Any]:
    """Return the rank columns that follow from the columns that are being written."""
    found: dict[str, Any] = {}
    if "rc" in values:
        found["rc_rank"] = values["rc"] or ""
    if "expires_at" in values:
        found["ends_rank"] = values["expires_at"] or NEVER
    if "total" in values:
        found["amount_rank"] = -1.0 if values["total"] is None else float(values["total"])
    return found


def saving(totals: Sequence[Decimal | None]) -> Decimal | None:
    """Return what the cheapest way to pay saves against the dearest; None when one of the totals is unknown."""
    known = [total for total in totals if total is not None]
    return max(known) - min(known) if known and len(known) == len(totals) else None
