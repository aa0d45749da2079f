"""Bring an office into the states of links: odd ones, replaced ones, and those that hold the same challans."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any
from uuid import UUID

from dashboard.app import create_client
from dashboard.domain.sharing import Channel
from dashboard.errors import NotFound
from tests.gallery.requests import released_and_found
from tests.gallery.workplace import Pages, Workplace, after, answer, seen_by
from tests.web import steps

_NOTE = "ड्राइवर को डिपो पर बताया गया कि नए लिंक से भुगतान न करें।"


def links(office: Workplace) -> Pages:
    """Make links of which the service says something odd, too little, or nothing any more."""
    levers, staff, manager = office.levers, office.staff, office.manager
    unknown, purged = (_unknown(office, number) for number in (1, 2))
    office.later(hours=49)
    levers.fault("link_status", "status", status=404, count=1)
    levers.set_link(purged, status="EXPIRED")
    manager.page(f"/links/{purged}").submit("Release the challans", reason="सर्विस ने बताया कि लिंक हटा दिया गया है।")
    levers.clear_faults()
    suspicious, cancelled, bare, other, fresh = (_link(office, number) for number in range(3, 8))
    failed, without_url = _link(office, 10), _link(office, 11)
    levers.fail(failed)
    levers.set_link(without_url, raw={"paymentUrl": None})
    levers.set_link(suspicious, raw={"paymentUrl": "http://pay.example.in/prepaid-payment/abc"})
    levers.cancel(cancelled)
    levers.set_link(bare, raw={"amount": {"baseAmount": 2500}, "paymentUrl": None, "paymentModeOptions": []})
    challan = {"id": str(UUID(int=9)), "challanNo": "ZZ1", "rcNumber": "KA01AA0001", "status": "PENDING"}
    levers.set_link(other, raw={"challans": [challan]})
    for link_id in (suspicious, cancelled, bare, other, failed, without_url):
        steps.check(staff, link_id)
    asked, taken = (_failed_and_asked(office, number) for number in (12, 13))
    staff.page(f"/links/{taken}").submit("Money taken")
    fewer = _link_with_fewer_challans(office, 8)
    elsewhere = _link_of_another_system(office, 9)
    conflict = manager.page(f"/links/{bare}")
    staff.page(f"/links/{bare}").submit("Save details", cost_centre="Pune depot", trip="T-1", note="Night shift")
    manager.page("/links?state=CANCELLED&state=FAILED").submit("Save the view", name="रद्द")
    return {
        "home": "/",
        "links": "/links",
        "links, a filter that is wrong": "/links?least=much&from=soon&state=CANCELLED",
        "links, as staff": seen_by(staff, "/links"),
        "a saved view": seen_by(manager, "/links?state=CANCELLED&state=FAILED"),
        "a suspicious address": f"/links/{suspicious}",
        "a cancelled link": f"/links/{cancelled}",
        "a failed link": seen_by(staff, f"/links/{failed}"),
        "a failed link whose driver was asked": seen_by(staff, f"/links/{asked}"),
        "a failed link whose driver says that money was taken": seen_by(staff, f"/links/{taken}"),
        "a payment reference that is none": answer(
            staff.page(f"/links/{taken}"), "Save the payment reference", reference="Ramesh: 4123"
        ),
        "share a failed link whose driver says that money was taken": seen_by(staff, f"/links/{taken}/share"),
        "a link without a payment URL": f"/links/{without_url}",
        "amounts that are not known": f"/links/{bare}",
        "other challans": f"/links/{other}",
        "fewer challans": f"/links/{fewer}",
        "made elsewhere": f"/links/{elsewhere}",
        "no longer known, as staff": seen_by(staff, f"/links/{unknown}"),
        "no longer known, as a manager": seen_by(manager, f"/links/{unknown}"),
        "to release, a reason that is too short": answer(
            manager.page(f"/links/{unknown}"), "Release the challans", reason="जल्दी"
        ),
        "the question to a driver": seen_by(staff, f"/links/{asked}/ask"),
        "share a link that is no longer known": f"/links/{unknown}/share",
        "the QR code of a link that is no longer known": f"/links/{unknown}/qr",
        "no longer known, and released": f"/links/{purged}",
        "a link that could not be checked": after(
            lambda: levers.fault("link_status", "cut", count=3), answer(staff.page(f"/links/{fresh}"), "Check now")
        ),
        "links, urgent": "/links?only=action",
        "details that a colleague changed": answer(conflict, "Save details", cost_centre="Mumbai", note="Day shift"),
        "details that are too long": answer(conflict, "Save details", cost_centre="P" * 61, note="n " * 260),
    }


def _failed_and_asked(office: Workplace, number: int) -> str:
    """Let the payment of a link fail that was sent to a number, and ask there whether money was taken."""
    link_id = _link(office, number)
    office.services.sharing.record_share(link_id, Channel.SMS, 1, None, "en")
    office.levers.fail(link_id)
    steps.check(office.staff, link_id)
    office.staff.page(f"/links/{link_id}").submit("Ask the driver on WhatsApp , in a new tab")
    return link_id


def replacements(office: Workplace) -> Pages:
    """Replace links that have ended, or try to."""
    levers, staff = office.levers, office.staff
    replaced, being_replaced, refused, partly = (ended(office, number) for number in range(1, 5))
    new = steps.link_of(review_of_replacement(office, replaced).submit("Create payment link"))
    taken = _failed_and_asked(office, 5)
    staff.page(f"/links/{taken}").submit("Money taken")
    beside = steps.link_of(review_of_replacement(office, taken).submit("Create payment link"))
    levers.fault("create_link", "cut", when="before")
    steps.request_of(review_of_replacement(office, being_replaced).submit("Create payment link"))
    for challan in levers.vehicle(_rc(3))["challans"]:
        levers.set_challan(challan["id"], gone=True)
    levers.set_challan(levers.vehicle(_rc(4))["challans"][0]["id"], status="IN_COURT_REVIEW")
    return {
        "an ended link": seen_by(staff, f"/links/{partly}"),
        "a replaced link": seen_by(staff, f"/links/{replaced}"),
        "a replaced link of which money was taken": seen_by(staff, f"/links/{taken}"),
        "the new link": seen_by(staff, f"/links/{new}"),
        "the new link of one of which money was taken": seen_by(staff, f"/links/{beside}"),
        "a link that is being replaced": seen_by(staff, f"/links/{being_replaced}"),
        "nothing to put on a new link": answer(staff.page(f"/links/{refused}"), "Create again"),
        "the review of a replacement": answer(staff.page(f"/links/{partly}"), "Create again"),
    }


def duplicates(office: Workplace) -> Pages:
    """Pay links late, beside others for the same challans."""
    levers, staff, manager = office.levers, office.staff, office.manager
    old, noted, asked = (ended(office, number) for number in range(1, 4))
    new, other = (
        steps.link_of(review_of_replacement(office, link_id).submit("Create payment link")) for link_id in (old, noted)
    )
    levers.fault("create_link", "cut", when="before")
    steps.request_of(review_of_replacement(office, asked).submit("Create payment link"))
    for link_id in (old, noted, asked):
        levers.pay(link_id)
        office.later(minutes=1)
        office.services.link_poller.refresh(link_id)
    manager.page(f"/links/{noted}").submit("Save the note", note=_NOTE)
    found = released_and_found(office, 1)
    return {
        "home": seen_by(staff, "/"),
        "the paid link, as staff": seen_by(staff, f"/links/{old}"),
        "the paid link, as a manager": seen_by(manager, f"/links/{old}"),
        "a note that is too short": answer(manager.page(f"/links/{old}"), "Save the note", note="देखा"),
        "the new link": seen_by(manager, f"/links/{new}"),
        "noted": seen_by(manager, f"/links/{other}"),
        "a request beside a paid link": seen_by(manager, f"/links/{asked}"),
        "a released request whose link was found": seen_by(manager, found),
        "share the new link": seen_by(staff, f"/links/{new}/share"),
        "reconcile": seen_by(manager, "/reconcile"),
        "not found": seen_by(staff, "/nowhere"),
    }


def _rc(number: int) -> str:
    return f"MH12LK{number:04}"


def _searched(office: Workplace, number: int) -> list[str]:
    """Search a vehicle of its own; return the ids of its challans."""
    challans = [{"challanNo": f"LK{number:04}{letter}", "challanAmount": 500} for letter in "ABC"]
    told = office.levers.add_vehicle(_rc(number), challans)
    steps.searches(office.staff, _rc(number))
    return [challan["id"] for challan in told["challans"]]


def _link(office: Workplace, number: int) -> str:
    _searched(office, number)
    return steps.link_of(steps.create(office.staff, rc=_rc(number)))


def ended(office: Workplace, number: int) -> str:
    link_id = _link(office, number)
    office.levers.expire(link_id)
    steps.check(office.staff, link_id)
    return link_id


def review_of_replacement(office: Workplace, link_id: str) -> Any:
    return office.staff.read(office.staff.page(f"/links/{link_id}").submit("Create again"))


def _link_with_fewer_challans(office: Workplace, number: int) -> str:
    ids = _searched(office, number)
    covered = [{"id": each, "challanNo": f"LK{n}", "rcNumber": _rc(number)} for n, each in enumerate(ids[1:])]
    link = {"id": str(UUID(int=number, version=4)), "status": "ACTIVE", "challans": covered, "amount": {}}
    body = json.dumps({"success": True, "data": link | {"paymentModeOptions": []}})
    office.levers.fault("create_link", "raw", status=200, body=body, content_type="application/json")
    return steps.link_of(steps.create(office.staff, rc=_rc(number)))


def _link_of_another_system(office: Workplace, number: int) -> str:
    challans = _searched(office, number)
    with create_client(office.app.extensions["settings"]) as client:
        link_id = client.create_payment_link(_rc(number), challans, expiry_hours=48, before_send=lambda: None).id
    steps.refresh(office.staff, _rc(number))
    return link_id


def _unknown(office: Workplace, number: int) -> str:
    """Make a link that the service answers 404 for."""
    link_id = _link(office, number)
    office.levers.fault("link_status", "status", status=404, count=2)
    for _ in range(2):
        with suppress(NotFound):
            office.services.link_poller.refresh(link_id)
    return link_id
