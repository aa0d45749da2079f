"""Define challans, search results and eligibility: payable, on a link, or not payable and why (2.3, 3, 4.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, tzinfo
from decimal import Decimal
from enum import StrEnum

from dashboard.domain.links import is_ended, is_paid

PAYABLE_STATUSES = frozenset({"PENDING", "TO_BE_ASSIGNED"})


@dataclass(frozen=True, slots=True)
class AttachedLink:
    """Summarize the link that a challan is on, as a search returns it (section 2.3). Amounts are in major units."""

    id: str
    status: str
    payment_url: str | None
    total_amount: Decimal | None


@dataclass(frozen=True, slots=True)
class Challan:
    """Hold one challan as a search returned it (section 2.3). Amounts are in major units, None when unknown.

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
    def fee(self) -> Decimal | None:
        """Return the legal fee and GST, which it costs beyond its fine; None when either amount is unknown."""
        total, fine = self.total_amount, self.challan_amount
        return None if total is None or fine is None else total - fine

    @property
    def link_id(self) -> str | None:
        """Return the id of the link that the challan is on; the service may send it in either of two fields."""
        return self.payment_link.id if self.payment_link else self.payment_link_id


def newest_first(date: datetime | None, number: str, zone: tzinfo) -> tuple[float, str]:
    """Return the key that sorts challans by their days, the newest first and those without one last; those of a day by
    their numbers.
    """
    return (-date.astimezone(zone).toordinal() if date is not None else math.inf, number)


class EligibilityGroup(StrEnum):
    """Name the three groups of a vehicle's page. The values are part of its markup."""

    PAYABLE = "payable"
    ON_LINK = "on_link"
    NOT_PAYABLE = "not_payable"


class EligibilityReason(StrEnum):
    """Name why a challan is in its group; `web/vehicles/texts.py` has the words."""

    PAYABLE = "payable"
    LIVE_LINK = "live_link"
    RESERVED = "reserved"
    PAID_LINK = "paid_link"
    STATUS = "status"
    PREPAID_WITHOUT_LINK = "prepaid_without_link"
    GAPS = "gaps"


@dataclass(frozen=True, slots=True)
class Eligibility:
    """Say whether a challan may be put on a new link, and why not."""

    group: EligibilityGroup
    reason: EligibilityReason

    @property
    def selectable(self) -> bool:
        return self.group is EligibilityGroup.PAYABLE


def eligibility_of(challan: Challan) -> Eligibility:
    """Decide a challan's eligibility from the service's data alone (rule 5 of section 4.4).

    Only a live link blocks, so an ended one does not; an undocumented link status counts as live. A paid link blocks
    too: its challans wait to be settled, and a second payment could not be taken back.
    """
    if challan.gaps:
        return Eligibility(EligibilityGroup.NOT_PAYABLE, EligibilityReason.GAPS)
    if challan.link_id is not None:
        status = challan.payment_link.status if challan.payment_link else None
        if is_paid(status):
            return Eligibility(EligibilityGroup.NOT_PAYABLE, EligibilityReason.PAID_LINK)
        if not is_ended(status):
            return Eligibility(EligibilityGroup.ON_LINK, EligibilityReason.LIVE_LINK)
    elif challan.prepaid:
        return Eligibility(EligibilityGroup.NOT_PAYABLE, EligibilityReason.PREPAID_WITHOUT_LINK)
    if challan.status not in PAYABLE_STATUSES:
        return Eligibility(EligibilityGroup.NOT_PAYABLE, EligibilityReason.STATUS)
    return Eligibility(EligibilityGroup.PAYABLE, EligibilityReason.PAYABLE)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hold the answer of a challan search (section 4.3).

    `unreadable` counts records so broken that nothing of them could be shown. `service_time` is the answer's Date.
    """

    rc_number: str
    car_id: str | None
    new_challans_count: int | None
    challans: tuple[Challan, ...]
    unreadable: int = 0
    service_time: datetime | None = None
