"""Bring an office into the states that its pages can show, and name the pages of each state."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from dashboard.replica import fleet
from tests.bench.clerk import Clerk
from tests.support.levers import Levers

#: The pages of a state, by name.
Pages = dict[str, str]

_LONG = "Ramachandran Venkatasubramanian Krishnamoorthy (night depot, Visakhapatnam)"
_LONG_VEHICLE, _UNCLEAR = "MH12LT0001", "MH12UC0001"
_LISTS = {
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


def scenes(levers: Levers, clerk: Clerk) -> Iterator[tuple[str, Pages]]:
    """Yield the name and the pages of each state; the office is in it until the next one is asked for.

    The replica has its demo fleet, and the clerk is an administrator.
    """
    for state in (_empty, _many, _outage):
        yield state.__name__.removeprefix("_"), state(levers, clerk)


def _empty(_levers: Levers, _clerk: Clerk) -> Pages:
    return {**_LISTS, "messages": "/messages", "people": "/people", "account": "/account", "keys": "/keys"}


def _many(levers: Levers, clerk: Clerk) -> Pages:
    _add_long_texts(levers)
    for rc in (fleet.HUGE, fleet.EMPTY, fleet.STALE, fleet.STAR, _LONG_VEHICLE):
        clerk.searches(rc)
    clerk.adds_a_driver("Ramesh Yadav", "98765 43210", fleet.PAID_BEFORE)
    clerk.adds_a_driver(_LONG, "98765 43211", fleet.EXPIRED_BEFORE)
    active, paid = (clerk.creates_a_link(rc) for rc in (fleet.PAID_BEFORE, fleet.EXPIRED_BEFORE))
    ended = {name: _link_of_its_own(levers, clerk, number) for number, name in enumerate(("expired", "failed", "odd"))}
    levers.pay(paid)
    levers.expire(ended["expired"])
    levers.fail(ended["failed"])
    levers.set_link(ended["odd"], status="ON_HOLD")
    for link_id in (paid, *ended.values()):
        clerk.checks(link_id)
    clerk.records_a_check("A1", "holds")
    clerk.records_a_check("A3", "fails", _LONG)
    clerk.comes_to_the_review(_LONG_VEHICLE)
    return {
        **_LISTS,
        "a vehicle of 230 challans": f"/vehicles/{fleet.HUGE}",
        "a vehicle of every kind of challan": f"/vehicles/{fleet.STAR}",
        "a vehicle without challans": f"/vehicles/{fleet.EMPTY}",
        "a vehicle of one link": f"/vehicles/{fleet.PAID_BEFORE}",
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
        "the QR code": f"/links/{active}/qr",
        "reminders": "/follow-up/reminders",
        "drivers from a file": "/drivers/import",
        "a driver": "/drivers/1",
        "a driver of a long name": "/drivers/2",
        "messages in Hindi": "/messages/hi",
        "find": "/find?q=MH1",
        "find nothing": "/find?q=nothing+at+all",
        "links, none of them fitting": "/links?state=CANCELLED",
        "service": "/service",
        "people": "/people",
        "a person": "/people/1",
        "audit": "/audit",
        "not found": "/nowhere",
    }


def _outage(levers: Levers, clerk: Clerk) -> Pages:
    """Fail every call of the service from now on."""
    active = clerk.creates_a_link(fleet.UNSEEN)
    levers.fault("*", "status", status=503, count=100_000)
    clerk.checks(active)
    return {
        "home": "/",
        "an active link": f"/links/{active}",
        "a vehicle": f"/vehicles/{fleet.STAR}",
        "service": "/service",
        "reconcile": "/reconcile",
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


def _unclear_request(levers: Levers, clerk: Clerk) -> str:
    """Create a link whose answer is lost before the service has carried the request out, and return its address."""
    levers.add_vehicle(_UNCLEAR, [{"challanNo": "UC1"}])
    form = clerk.comes_to_the_review(_UNCLEAR)
    levers.break_a4()
    clerk.sends(f"/vehicles/{_UNCLEAR}/links", form)
    assert clerk.address.startswith("/requests/"), clerk.address
    return clerk.address
