"""Challans and what may be done with them: payable, held by a link, or not payable and why (sections 2.3, 3, 4.4)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from dashboard.domain.links import is_ended, is_paid

PAYABLE_STATUSES = frozenset({"PENDING", "TO_BE_ASSIGNED"})


@dataclass(frozen=True, slots=True)
class AttachedLink:
    """The summary of the link that a challan hangs on, as a search shows it (section 2.3)."""

    id: str
    status: str
    payment_url: str | None
    total_amount: Decimal | None


@dataclass(frozen=True, slots=True)
class Challan:
    """One challan as the last search showed it (section 2.3). Amounts are in major units of the currency.

    `gaps` names the required fields that were missing or of the wrong type; such a challan is shown, never selectable.
    `id` is the service's UUID in canonical lower case, or None when it is one of the gaps.
    """

    id: str | None
    challan_no: str | None
    status: str | None
    challan_amount: Decimal | None = None
    total_amount: Decimal | None = None
    challan_date: datetime | None = None
    state: str | None = None
    challan_type: str | None = None
    challan_place: str | None = None
    offense_details: str | None = None
    payment_link_id: str | None = None
    payment_link: AttachedLink | None = None
    prepaid: bool | None = False
    gaps: tuple[str, ...] = ()

    @property
    def link_id(self) -> str | None:
        """The id of the link it hangs on, whichever of the two places told it."""
        return self.payment_link.id if self.payment_link else self.payment_link_id


class Group(StrEnum):
    """The three groups of a vehicle's page."""

    PAYABLE = "payable"
    ON_LINK = "on_link"
    NOT_PAYABLE = "not_payable"


class Why(StrEnum):
    """Why a challan stands in its group; the words that people read are the web part's."""

    PAYABLE = "payable"
    LIVE_LINK = "live_link"
    RESERVED = "reserved"
    PAID_LINK = "paid_link"
    STATUS = "status"
    PREPAID_WITHOUT_LINK = "prepaid_without_link"
    GAPS = "gaps"


@dataclass(frozen=True, slots=True)
class Standing:
    group: Group
    why: Why

    @property
    def selectable(self) -> bool:
        return self.group is Group.PAYABLE


def standing(challan: Challan) -> Standing:
    """Say in which group the service's own words put a challan.

    Only a live link blocks (rule 5 of section 4.4), so an ended one does not; an undocumented link status counts as
    live. A paid link blocks too: its challans wait to be settled, and a second payment could not be taken back.
    """
    if challan.gaps:
        return Standing(Group.NOT_PAYABLE, Why.GAPS)
    if challan.link_id is not None:
        status = challan.payment_link.status if challan.payment_link else None
        if is_paid(status):
            return Standing(Group.NOT_PAYABLE, Why.PAID_LINK)
        if not is_ended(status):
            return Standing(Group.ON_LINK, Why.LIVE_LINK)
    elif challan.prepaid:
        return Standing(Group.NOT_PAYABLE, Why.PREPAID_WITHOUT_LINK)
    if challan.status not in PAYABLE_STATUSES:
        return Standing(Group.NOT_PAYABLE, Why.STATUS)
    return Standing(Group.PAYABLE, Why.PAYABLE)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer of a challan search (section 4.3).

    `unreadable` counts records so broken that nothing of them could be shown.
    """

    rc_number: str
    car_id: str | None
    new_challans_count: int | None
    challans: tuple[Challan, ...]
    unreadable: int = 0
    service_time: datetime | None = None
