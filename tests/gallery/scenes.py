"""Bring an office into the states that its pages can show, and name the pages of each state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from uuid import UUID

from dashboard.replica import fleet
from dashboard.services.container import Services
from tests.bench.clerk import Clerk
from tests.support.lanes import take_parts
from tests.support.levers import Levers

#: The pages of a state, by name.
Pages = dict[str, str]

_LONG = "Ramachandran Venkatasubramanian Krishnamoorthy (night depot, Visakhapatnam)"
_LONG_VEHICLE, _UNCLEAR = "MH12LT0001", "MH12UC0001"
_LINKED, _SINGLE = "MH12ON0001", "MH12ON0002"
#: Vehicles with challans to pay, without any, of another organization, and unknown to the service.
_PAYABLE, _CLEAN = tuple(f"MH14FL{n:04}" for n in range(1, 9)), "MH14FL0020"
_FOREIGN, _UNKNOWN = "MH14FL0021", "GJ01ZZ9999"
_WITH_FAULTS = "\n".join(
    (
        "Registration number,RC type,City,Driver,Phone,Cost centre,Note",
        "MH14 FL 0001,,,Suresh Patil,98765 43299,Pune,",
        "MH12 AB 10012,,,,,,",
        "truck,,,,,,",
        ",,,,,,",
        "GJ01 ZZ 9999,TRUCK,Punne,,,,",
        "GJ01 ZZ 9998,Spaceship,Pune,,,,",
        "MH14 FL 0002,,,Suresh Patil,12,,",
        "MH14 FL 0003,,,,98765 43212,,",
        "MH14 FL 0004,,,Ravi,98765 43299,,",
        f"MH14 FL 0005,,,,,,{'night depot ' * 50}",
        "MH14 FL 0001,,,,,Pune depot,",
    )
)
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


def scenes(levers: Levers, clerk: Clerk, services: Services) -> Iterator[tuple[str, Pages]]:
    """Yield the name and the pages of each state; the office is in it until the next one is asked for.

    The replica has its demo fleet, and the clerk is an administrator. No worker runs the jobs of the fleet: a state
    takes the parts that it shows as done.
    """
    for state in (_empty, _one, _many, _fleet, _outage):
        yield state.__name__.removeprefix("_"), state(levers, clerk, services)


def _empty(_levers: Levers, _clerk: Clerk, _services: Services) -> Pages:
    return {**_LISTS, "messages": "/messages", "people": "/people", "account": "/account", "keys": "/keys"}


def _one(levers: Levers, clerk: Clerk, _services: Services) -> Pages:
    for rc in (_LINKED, _SINGLE):
        levers.add_vehicle(rc, [{"challanNo": f"ON{rc[-1]}"}])
    link_id = clerk.creates_a_link(_LINKED)
    clerk.comes_to_the_review(_SINGLE)
    return {
        **_LISTS,
        "a vehicle of one challan": f"/vehicles/{_SINGLE}",
        "a vehicle with nothing payable": f"/vehicles/{_LINKED}",
        "the review of one challan": f"/vehicles/{_SINGLE}/review",
        "a link that was not sent yet": f"/links/{link_id}",
    }


def _many(levers: Levers, clerk: Clerk, _services: Services) -> Pages:
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
        "share an ended link": f"/links/{ended['expired']}/share",
        "the QR code": f"/links/{active}/qr",
        "the QR code of an ended link": f"/links/{ended['expired']}/qr",
        "reminders": "/follow-up/reminders",
        "drivers from a file": "/drivers/import",
        "a driver": "/drivers/1",
        "a driver of a long name": "/drivers/2",
        "messages in Hindi": "/messages/hi",
        "find": "/find?q=MH1",
        "find nothing": "/find?q=nothing+at+all",
        "find a vehicle that was never searched": "/find?q=DL01CA9999",
        "vehicles, none of them fitting": "/vehicles?q=nothing+at+all",
        "links, none of them fitting": "/links?state=CANCELLED",
        "service": "/service",
        "people": "/people",
        "a person": "/people/1",
        "audit": "/audit",
        "audit, none of it fitting": "/audit?from=yesterday&object=nothing+at+all",
        "account": "/account",
        "a second factor": "/account/second-factor",
        "statement, a day is missing": "/reconcile/statement?from=2026-11-01&to=",
        "not found": "/nowhere",
    }


def _fleet(levers: Levers, clerk: Clerk, services: Services) -> Pages:
    """Bring searches and plans of many vehicles into each of their states."""
    for rc in _PAYABLE:
        levers.add_vehicle(rc, [{"challanNo": f"{rc[-4:]}-{n}", "challanAmount": 500 * n} for n in (1, 2)])
    for rc, organization in ((_CLEAN, "demo"), (_FOREIGN, "second")):
        levers.add_vehicle(rc, [], organization=organization)
    clerk.adds_a_driver("Suresh Patil", "98765 43299", ", ".join((_PAYABLE[2], _PAYABLE[4], _PAYABLE[5])))
    clerk.saves_a_list("Pune trucks", _PAYABLE)
    clerk.repeats_a_search("all")
    clerk.repeats_a_search("old", days="7")
    every = (*_PAYABLE, _CLEAN, _FOREIGN, _UNKNOWN, fleet.HUGE)
    run = {
        name: _run(clerk, services, listed, parts)
        for name, listed, parts in (
            ("begun", every, 0),
            ("running", every, 5),
            ("paused", every, 3),
            ("cancelled", every, 2),
            ("done", every, 1000),
            ("first half", _PAYABLE[:4], 1000),
            ("second half", _PAYABLE[4:], 1000),
        )
    }
    clerk.presses(f"/fleet/runs/{run['paused']}/pause")
    clerk.presses(f"/fleet/runs/{run['cancelled']}/cancel")
    before = clerk.plans_links(run["first half"])
    levers.fault("create_link", "status", status=400)
    take_parts(services, before, most=1)
    levers.break_a4()
    take_parts(services, before)
    under_way = clerk.plans_links(run["second half"])
    take_parts(services, under_way, most=1)
    done = f"/fleet/runs/{run['done']}"
    return {
        "fleet": "/fleet",
        "lines with faults": clerk.drafts(_WITH_FAULTS),
        "a search to start": clerk.drafts(" ".join(every)),
        "a search that has begun": f"/fleet/runs/{run['begun']}",
        "a search in progress": f"/fleet/runs/{run['running']}",
        "a paused search": f"/fleet/runs/{run['paused']}",
        "a cancelled search": f"/fleet/runs/{run['cancelled']}",
        "results": done,
        "results without details": f"{done}?outcome=details_needed",
        "results without a vehicle": f"{done}?outcome=no_answer",
        "the review": f"{done}/review",
        "the review, filters that are wrong": f"{done}/review?days=soon&least=much",
        "the review, nothing fits": f"{done}/review?most=1",
        "the review of a vehicle": f"{done}/review/vehicles/{fleet.HUGE}",
        "the plan to confirm": f"{done}/review/plan",
        "a plan in progress": f"/fleet/plans/{under_way}",
        "a plan with an unclear link": f"/fleet/plans/{before}",
        "what a plan did not create": f"/fleet/plans/{before}?show=not_created",
        "share a plan": f"/fleet/plans/{before}/share",
        "share a plan in progress": f"/fleet/plans/{under_way}/share",
        "the messages of a plan": f"/fleet/plans/{under_way}/share/messages",
        "the QR codes of a plan": f"/fleet/plans/{under_way}/sheet",
        "home": "/",
    }


def _outage(levers: Levers, clerk: Clerk, services: Services) -> Pages:
    """Fail every call of the service from now on."""
    active = clerk.creates_a_link(fleet.UNSEEN)
    run_id = clerk.starts_a_run("Pune trucks", _PAYABLE)
    plan_id = clerk.plans_links(_run(clerk, services, [fleet.HUGE], 1000))
    levers.fault("*", "status", status=503, count=100_000)
    clerk.checks(active)
    for job_id in (run_id, plan_id):
        take_parts(services, job_id)
    return {
        "home": "/",
        "an active link": f"/links/{active}",
        "a vehicle": f"/vehicles/{fleet.STAR}",
        "a search that waits": f"/fleet/runs/{run_id}",
        "a plan that waits": f"/fleet/plans/{plan_id}",
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


def _run(clerk: Clerk, services: Services, listed: Iterable[str], parts: int) -> str:
    """Start a search of many vehicles, and take so many parts of it; return its id."""
    run_id = clerk.starts_a_run("Pune trucks", listed)
    take_parts(services, run_id, most=parts)
    return run_id
