"""Parse the service's JSON into the domain's records (sections 1 and 2).

Every field is treated as hostile or broken. One bad record never drops its list, and each field that does not fit is
named in the record's `gaps` (by the record's own field names). Only an answer without any usable record raises
`Unfit`, whose text contains nothing of the answer.
"""

from __future__ import annotations

from typing import Any

import msgspec

from dashboard.domain.challans import AttachedLink, Challan, SearchResult
from dashboard.domain.links import AmountBreakdown, LinkChallan, Organization, PaymentLink
from dashboard.domain.lookups import City, RcType
from dashboard.upstream.envelope import Unfit, fields, open_envelope, raw_fields, records_of, value_of
from dashboard.upstream.values import address, amount, count, flag, identifier, indexed, moment, text


def parse_locations(body: bytes) -> tuple[City, ...]:
    """Parse cities (section 2.1); one without a usable id or name is left out, because it cannot be chosen."""
    cities: dict[str, City] = {}
    records = records_of(open_envelope(body), "data")
    for record in map(fields, records):
        key, name = identifier(record.get("cityId")), text(record.get("cityName"))
        if key is not None and name:
            cities[key] = City(
                id=key,
                name=name,
                state_name=text(record.get("stateName")) or "",
                state_code=text(record.get("stateCode")) or "",
                address=text(record.get("address")),
                landmark=text(record.get("landmark")),
                zip_code=text(record.get("zipCode")),
                building_name=text(record.get("buildingName")),
            )
    if records and not cities:  # As an empty list, this would be stored for a day.
        raise Unfit("no city could be read")
    return tuple(cities.values())


def parse_rc_types(body: bytes) -> tuple[RcType, ...]:
    """Parse RC types (section 2.2); one without a value is left out, one without a label is labelled by its value."""
    kinds: dict[str, RcType] = {}
    records = records_of(open_envelope(body), "data")
    for record in map(fields, records):
        value = text(record.get("value"))
        if value:
            kinds[value] = RcType(value=value, label=text(record.get("label")) or value)
    if records and not kinds:
        raise Unfit("no RC type could be read")
    return tuple(kinds.values())


def parse_search(body: bytes) -> SearchResult:
    """Parse a search (section 4.3). Without an rcNumber the vehicle of the challans is unknown, so that raises."""
    data = raw_fields(open_envelope(body))
    rc_number = text(value_of(data.get("rcNumber")))
    if not rc_number:
        raise Unfit("rcNumber is missing")
    records = records_of(data.get("challans"), "challans")
    challans = [challan for record in records if (challan := _challan(fields(record))) is not None]
    return SearchResult(
        rc_number=rc_number,
        car_id=identifier(value_of(data.get("carId"))),
        new_challans_count=count(value_of(data.get("newChallansCount"))),
        challans=tuple(challans),
        unreadable=len(records) - len(challans),
    )


def parse_created_link(body: bytes) -> PaymentLink:
    """Parse a created link: `success` true and an id suffice, other fields may be missing (section 2.4)."""
    return _payment_link(raw_fields(open_envelope(body)))


def parse_payment_link(body: bytes, link_id: str) -> PaymentLink:
    """Parse the state of one link (section 4.5). Raises Unfit for another link, or for one without a status."""
    link = _payment_link(raw_fields(open_envelope(body)))
    if link.id != link_id:
        raise Unfit("it is about another payment link")
    if link.status is None:
        raise Unfit("the status is missing")
    return link


def _challan(record: dict[str, Any]) -> Challan | None:
    """Parse one challan (section 2.3); None when nothing of it could be shown."""
    get = record.get
    challan_id, challan_no = identifier(get("id")), indexed(get("challanNo"))
    status, prepaid = indexed(get("status")), flag(get("prepaid"))
    required = (("id", challan_id), ("challan_no", challan_no), ("status", status), ("prepaid", prepaid))
    gaps = [name for name, value in required if value is None]

    link_id, link = identifier(get("paymentLinkId")), _attached(get("paymentLink"))
    if link is not None and link.status == "":
        # Only the id of a summary without a status is usable; a link without a status counts as live.
        link_id, link = link.id, None
    if link is None and link_id is None:
        # There is a link that cannot be read: to take the challan for free might pay it twice.
        links = (("payment_link_id", get("paymentLinkId")), ("payment_link", get("paymentLink")))
        gaps += [name for name, value in links if value is not None]
    elif link is not None and link_id not in (None, link.id):
        gaps.append("payment_link")  # Two links: the state of one says nothing about the other.
    if not (challan_id or challan_no or status or link_id or link):
        return None
    return Challan(
        id=challan_id,
        challan_no=challan_no,
        status=status,
        challan_amount=amount(get("challanAmount")),
        total_amount=amount(get("totalAmount")),
        challan_date=moment(get("challanDate")),
        state=text(get("state")),
        challan_type=indexed(get("challanType")),
        challan_place=text(get("challanPlace")),
        offense_details=text(get("offenseDetails")),
        payment_link_id=link_id,
        payment_link=link,
        prepaid=prepaid,
        gaps=tuple(gaps),
    )


def _attached(record: Any) -> AttachedLink | None:
    if type(record) is not dict or (link_id := identifier(record.get("id"))) is None:
        return None
    return AttachedLink(
        id=link_id,
        status=indexed(record.get("status")) or "",
        payment_url=address(record.get("externalPaymentUrl")),
        total_amount=amount(record.get("totalAmount")),
    )


def _payment_link(data: dict[str, msgspec.Raw]) -> PaymentLink:
    link_id = identifier(value_of(data.get("id")))
    if link_id is None:
        raise Unfit("the payment link has no id")
    gaps: list[str] = []
    status = indexed(value_of(data.get("status")))
    if status is None:
        gaps.append("status")
    breakdown = value_of(data.get("amount"))
    if type(breakdown) is not dict:
        gaps.append("amount")
    modes = [
        _breakdown(fields(record)) for record in _listed(data.get("paymentModeOptions"), "payment_mode_options", gaps)
    ]
    challans = [_link_challan(fields(record)) for record in _listed(data.get("challans"), "challans", gaps)]
    if None in challans and "challans" not in gaps:
        gaps.append("challans")
    url = value_of(data.get("paymentUrl"))
    if url is not None and address(url) is None:
        gaps.append("payment_url")
    return PaymentLink(
        id=link_id,
        status=status,
        organization=_organization(value_of(data.get("organization"))),
        payment_url=address(url),
        expires_at=moment(value_of(data.get("expiresAt"))),
        paid_at=moment(value_of(data.get("paidAt"))),
        amount=_breakdown(breakdown) if type(breakdown) is dict else None,
        payment_mode_options=tuple(modes),
        challans=tuple(challan for challan in challans if challan is not None),
        gaps=tuple(gaps),
    )


def _organization(record: Any) -> Organization | None:
    if type(record) is not dict or (key := identifier(record.get("id"))) is None:
        return None
    return Organization(id=key, name=text(record.get("name")) or "")


def _breakdown(record: dict[str, Any]) -> AmountBreakdown:
    return AmountBreakdown(
        base_amount=amount(record.get("baseAmount")),
        legal_fee=amount(record.get("legalFee")),
        gst=amount(record.get("gst")),
        convenience_fee=amount(record.get("convenienceFee")),
        total_amount=amount(record.get("totalAmount")),
        payment_mode=text(record.get("paymentMode")),
    )


def _link_challan(record: dict[str, Any]) -> LinkChallan | None:
    challan_id = identifier(record.get("id"))
    if challan_id is None:
        return None
    return LinkChallan(
        id=challan_id,
        challan_no=indexed(record.get("challanNo")),
        rc_number=text(record.get("rcNumber")),
        status=indexed(record.get("status")),
        challan_type=indexed(record.get("challanType")),
        state=text(record.get("state")),
        challan_amount=amount(record.get("challanAmount")),
        legal_fee=amount(record.get("legalFee")),
        total_amount=amount(record.get("totalAmount")),
    )


def _listed(raw: msgspec.Raw | None, name: str, gaps: list[str]) -> list[msgspec.Raw]:
    try:
        return records_of(raw, name)
    except Unfit:
        gaps.append(name)
        return []
