"""Bring an office into the states that differ by how much there is: nothing, one vehicle, many."""

from __future__ import annotations

import re
from functools import partial
from uuid import UUID

from dashboard.replica import fleet
from tests.bench.clerk import Clerk
from tests.gallery.workplace import Pages, Workplace
from tests.support.levers import Levers
from tests.support.web_client import HTMX

_LONG = "Ramachandran Venkatasubramanian Krishnamoorthy (night depot, Visakhapatnam)"
_LONG_VEHICLE, _UNCLEAR = "MH12LT0001", "MH12UC0001"
_LINKED, _SINGLE = "MH12ON0001", "MH12ON0002"
_AGAIN = "MH12AG0001"
LISTS = {
    "home": "/",
    "links": "/links",
    "vehicles": "/vehicles",
    "follow-up": "/follow-up",
    "drivers": "/drivers",
    "reconcile": "/reconcile",
    "statement": "/reconcile/statement",
    "overview": "/overview",
    "fleet": "/fleet",
}


def empty(office: Workplace) -> Pages:
    return {
        **LISTS,
        "messages": "/messages",
        "people": "/people",
        "account": "/account",
        "keyboard shortcuts": partial(_with_keys, office),
    }


def _with_keys(office: Workplace) -> str:
    """Return a page with the list of the keys, which its script asks for and opens."""
    page, listed = office.admin.get("/account").text, office.admin.get("/keys", headers=HTMX).text
    closed = re.search(r'(<dialog class="keys-dialog"[^>]*)></dialog>', page)
    token = re.search(r'<input type="hidden" name="csrf_token"[^>]*>', page)
    assert closed, "no place for the list"
    assert token, "no form"
    listed = listed.replace('<input type="hidden" name="wanted"', f'{token[0]}<input type="hidden" name="wanted"')
    return page.replace(closed[0], f"{closed[1]} open>{listed}</dialog>")


def one(office: Workplace) -> Pages:
    levers, clerk = office.levers, office.clerk
    for rc in (_LINKED, _SINGLE):
        levers.add_vehicle(rc, [{"challanNo": f"ON{rc[-1]}"}])
    link_id = clerk.creates_a_link(_LINKED)
    clerk.comes_to_the_review(_SINGLE)
    return {
        **LISTS,
        "a vehicle of one challan": f"/vehicles/{_SINGLE}",
        "a vehicle with nothing payable": f"/vehicles/{_LINKED}",
        "the review of one challan": f"/vehicles/{_SINGLE}/review",
        "a link that was not sent yet": f"/links/{link_id}",
    }


def many(office: Workplace) -> Pages:
    levers, clerk = office.levers, office.clerk
    _add_long_texts(levers)
    for rc in (fleet.HUGE, fleet.EMPTY, fleet.STALE, fleet.STAR, _LONG_VEHICLE):
        clerk.searches(rc)
    clerk.adds_a_driver("Ramesh Yadav", "98765 43210", fleet.PAID_BEFORE)
    clerk.adds_a_driver(_LONG, "98765 43211", fleet.EXPIRED_BEFORE)
    active, paid = (clerk.creates_a_link(rc) for rc in (fleet.PAID_BEFORE, fleet.EXPIRED_BEFORE))
    ended = {name: _link_of_its_own(levers, clerk, number) for number, name in enumerate(("expired", "failed", "odd"))}
    for driver_id, link_id in enumerate((active, paid), start=1):
        clerk.sends_a_link(link_id, driver_id)
    levers.pay(paid)
    levers.expire(ended["expired"])
    levers.fail(ended["failed"])
    levers.set_link(ended["odd"], status="ON_HOLD")
    for link_id in (paid, *ended.values()):
        clerk.checks(link_id)
    clerk.records_a_check("A1", "holds")
    clerk.records_a_check("A3", "fails", _LONG)
    clerk.comes_to_the_review(_LONG_VEHICLE)
    _has_ended_links(levers, clerk)
    return {
        **LISTS,
        "a vehicle of 230 challans": f"/vehicles/{fleet.HUGE}",
        "a vehicle of every kind of challan": f"/vehicles/{fleet.STAR}",
        "a vehicle without challans": f"/vehicles/{fleet.EMPTY}",
        "a vehicle of one link": f"/vehicles/{fleet.PAID_BEFORE}",
        "a vehicle of ended links": f"/vehicles/{_AGAIN}",
        "the review after a failed link": f"/vehicles/{_AGAIN}/review",
        "long texts": f"/vehicles/{_LONG_VEHICLE}",
        "a vehicle never searched": f"/vehicles/{fleet.NEWCOMER}",
        "the review": f"/vehicles/{_LONG_VEHICLE}/review",
        "an active link": f"/links/{active}",
        "a paid link": f"/links/{paid}",
        "the receipt": f"/links/{paid}/receipt",
        **{f"the {name} link": f"/links/{link_id}" for name, link_id in ended.items()},
        "an unknown link": f"/links/{UUID(int=7, version=4)}",
        "an unclear request": _unclear_request(levers, clerk),
        "share": f"/links/{active}/share",
        "share an ended link": f"/links/{ended['expired']}/share",
        "the QR code": f"/links/{active}/qr",
        "the QR code of an ended link": f"/links/{ended['expired']}/qr",
        "drivers from a file": "/drivers/import",
        "a driver": "/drivers/1",
        "a driver of a long name": "/drivers/2",
        "messages in Hindi": "/messages/hi",
        "find": "/find?q=MH1",
        "find, all challans": "/find?q=MH1&of=challans",
        "find nothing": "/find?q=nothing+at+all",
        "find a vehicle that was never searched": "/find?q=DL01CA9999",
        "vehicles with open challans and no driver": "/vehicles?only=open&only=no-driver&sort=sum",
        "vehicles, none of them fitting": "/vehicles?q=nothing+at+all",
        "links, none of them fitting": "/links?state=CANCELLED",
        "service": "/service",
        "service, checks": "/service/assumptions",
        "people": "/people",
        "a person": "/people/1",
        "audit": "/audit",
        "audit, none of it fitting": "/audit?from=yesterday&object=nothing+at+all",
        "account": "/account",
        "a second factor": "/account/second-factor",
        "statement, a day is missing": "/reconcile/statement?from=2026-11-01&to=",
        "not found": "/nowhere",
    }


def _add_long_texts(levers: Levers) -> None:
    names = {"offenseDetails": f"{_LONG}, {_LONG}", "challanPlace": _LONG}
    levers.add_vehicle(
        _LONG_VEHICLE, [{"challanNo": f"MH{n:028}", "challanAmount": 10**n, **names} for n in range(2, 9)]
    )


def _link_of_its_own(levers: Levers, clerk: Clerk, number: int) -> str:
    rc = f"MH12EN{number:04}"
    levers.add_vehicle(rc, [{"challanNo": f"EN{number}"}])
    return clerk.creates_a_link(rc)


def _has_ended_links(levers: Levers, clerk: Clerk) -> None:
    """Have challans that were on a failed link, on one that expired, and on none; all of them are selected."""
    levers.add_vehicle(_AGAIN, [{"challanNo": f"MH1098760{n}"} for n in range(2)])
    for number, ends in enumerate((levers.fail, levers.expire), start=1):
        link_id = clerk.creates_a_link(_AGAIN)
        ends(link_id)
        clerk.checks(link_id)
        for status in ("TO_BE_ASSIGNED", "PENDING"):
            levers.issue_challan(_AGAIN, challanNo=f"MH109876{number}{status[0]}", status=status, seen=True)
    clerk.comes_to_the_review(_AGAIN)


def _unclear_request(levers: Levers, clerk: Clerk) -> str:
    """Create a link whose answer is lost before the service has carried the request out, and return its address."""
    levers.add_vehicle(_UNCLEAR, [{"challanNo": "UC1"}])
    form = clerk.comes_to_the_review(_UNCLEAR)
    levers.break_a4()
    clerk.sends(f"/vehicles/{_UNCLEAR}/links", form)
    assert clerk.address.startswith("/requests/"), clerk.address
    return clerk.address
