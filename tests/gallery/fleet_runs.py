"""Bring an office into the states of searches and plans of many vehicles.

No worker runs the jobs of the fleet: a scene takes the parts that it shows as done.
"""

from __future__ import annotations

from collections.abc import Iterable

from dashboard.replica import fleet as demo
from dashboard.services.container import Services
from dashboard.store.fleet import plans
from dashboard.store.sharing import drivers
from tests.bench.clerk import Clerk
from tests.gallery.workplace import Pages, Workplace, answer
from tests.support.lanes import take_parts
from tests.support.levers import Levers

#: Vehicles with challans to pay, without any, of another organization, and unknown to the service.
PAYABLE, _CLEAN = tuple(f"MH14FL{n:04}" for n in range(1, 9)), "MH14FL0020"
_FOREIGN, _UNKNOWN = "MH14FL0021", ("GJ01ZZ9999", "GJ05ZZ1234", "KA05ZZ4321", "22BH1234AA")
#: Vehicles of a plan whose links are sent: one with more challans than a link holds, and others.
_LARGE, _SENT = "MH14FL0030", tuple(f"MH14FL{n:04}" for n in range(31, 37))
#: Vehicles whose links have failed and expired.
_ENDED = ("MH14FL0040", "MH14FL0041")
_WITH_FAULTS = "\n".join(
    (
        "Registration number,RC type,City,Driver,Phone,Cost centre,Note",
        "MH14 FL 0001,,,Suresh Patil,98765 43299,Pune,",
        "MH12 AB 10012,,,,,,",
        "MH12,,,,,,",
        "MH12AB100O,,,,,,",
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
#: What somebody pastes from a chat: most of it understood, and some vehicles new.
_PASTED = "\n".join(
    (
        "mh 14 fl 0001, my lorry",
        "MH14 FL 0006, Imran Shaikh, 98765 43288",
        "MH14 FL 10O2",
        "truck",
        "GJ01 ZZ 9999",
        "GJ01 ZZ 9998",
        "MH14 FL 0001",
        "KA05 MN 43211",
    )
)


def fleet(office: Workplace) -> Pages:
    """Bring searches and plans of many vehicles into each of their states."""
    levers, clerk, services = office.levers, office.clerk, office.services
    add_fleet(levers)
    for rc, organization in ((_CLEAN, "demo"), (_FOREIGN, "second")):
        levers.add_vehicle(rc, [], organization=organization)
    clerk.adds_a_driver("Suresh Patil", "98765 43299", ", ".join((PAYABLE[2], PAYABLE[4], PAYABLE[5])))
    clerk.saves_a_list("Pune trucks", PAYABLE)
    clerk.repeats_a_search("all")
    clerk.repeats_a_search("old", days="7")
    every = (*PAYABLE, _CLEAN, _FOREIGN, *_UNKNOWN, demo.HUGE)
    run = {
        name: run_of(clerk, services, listed, parts)
        for name, listed, parts in (
            ("begun", every, 0),
            ("running", every, 0),
            ("paused", every, 3),
            ("cancelled", every, 2),
            ("done", every, 1000),
            ("first half", PAYABLE[:4], 1000),
            ("second half", PAYABLE[4:], 1000),
        )
    }
    office.later(seconds=45)
    take_parts(services, run["running"], most=5)
    clerk.presses(f"/fleet/runs/{run['paused']}/pause")
    clerk.presses(f"/fleet/runs/{run['cancelled']}/cancel")
    sent = _sent_plan(office)
    choice = office.manager.page(f"/fleet/plans/{sent}/drivers")
    typed = {
        "driver-MH14FL0033": "Suresh",
        "driver-MH14FL0034": "Lakshmi Devi",
        "driver-MH14FL0035": "Om, 98765 43299",
    }
    before = clerk.plans_links(run["first half"])
    levers.fault("create_link", "status", status=400)
    take_parts(services, before, most=1)
    levers.break_a4()
    take_parts(services, before)
    ended = _ended_links(office)
    under_way = clerk.plans_links(run["second half"])
    take_parts(services, under_way, most=1)
    done = f"/fleet/runs/{run['done']}"
    return {
        "fleet": "/fleet",
        "lines with faults": clerk.drafts(_WITH_FAULTS),
        "a few lines": clerk.drafts(_PASTED),
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
        "the review of a vehicle": f"{done}/review/vehicles/{demo.HUGE}",
        "the plan to confirm": f"{done}/review/plan",
        "the review, links that have ended": f"{ended}/review",
        "the review of a vehicle, a link that failed": f"{ended}/review/vehicles/{_ENDED[0]}",
        "the plan to confirm, links that have ended": f"{ended}/review/plan",
        "a plan in progress": f"/fleet/plans/{under_way}",
        "a plan with an unclear link": f"/fleet/plans/{before}",
        "what a plan did not create": f"/fleet/plans/{before}?show=not_created",
        "a plan that is sent": f"/fleet/plans/{sent}",
        "share a plan that is sent": f"/fleet/plans/{sent}/share",
        "choose the drivers of a plan": f"/fleet/plans/{sent}/drivers",
        "choose the drivers of a plan, two are new": answer(choice, "Save drivers", **typed),
        "the messages of a plan that is sent": f"/fleet/plans/{sent}/share/messages",
        "the QR codes of a plan that is sent": f"/fleet/plans/{sent}/sheet",
        "share a plan": f"/fleet/plans/{before}/share",
        "share a plan in progress": f"/fleet/plans/{under_way}/share",
        "the messages of a plan": f"/fleet/plans/{under_way}/share/messages",
        "the QR codes of a plan": f"/fleet/plans/{under_way}/sheet",
        "home": "/",
    }


def _sent_plan(office: Workplace) -> str:
    """Create links, two of them of one vehicle; send those of one driver, one of them paid. Return the plan's id."""
    levers, clerk, services = office.levers, office.clerk, office.services
    for rc, count in ((_LARGE, 130), *((each, 2) for each in _SENT)):
        levers.add_vehicle(rc, [{"challanNo": f"{rc[-4:]}-{n}", "challanAmount": 500} for n in range(count)])
    clerk.adds_a_driver("Ramesh Yadav", "98765 43201", _LARGE)
    clerk.adds_a_driver("Lakshmi Devi", "98765 43202", _SENT[0])
    clerk.adds_a_driver("Anil Shinde", "98765 43203", f"{_SENT[1]}, {_SENT[5]}")
    plan_id = clerk.plans_links(run_of(clerk, services, (_LARGE, *_SENT), 1000))
    take_parts(services, plan_id)
    with services.store.read() as connection:
        [ramesh] = drivers.of_vehicle(connection, _LARGE)
        by_vehicle = {each.rc: each.link_id or "" for each in plans.created(connection, plan_id)}
    first = by_vehicle[_LARGE]
    clerk.presses(f"/fleet/plans/{plan_id}/share/{ramesh.id}")
    levers.pay(first)
    levers.set_link(by_vehicle[_SENT[1]], status="ON_HOLD")
    levers.set_link(by_vehicle[_SENT[4]], raw={"paymentUrl": "http://pay.example.in/prepaid-payment/abc"})
    for link_id in (first, by_vehicle[_SENT[1]], by_vehicle[_SENT[4]]):
        services.link_poller.require_fresh(link_id)
    return plan_id


def _ended_links(office: Workplace) -> str:
    """Create a link of each of two vehicles, one of which fails and the other expires, and search again."""
    levers, clerk, services = office.levers, office.clerk, office.services
    for rc in _ENDED:
        levers.add_vehicle(rc, [{"challanNo": f"{rc[-4:]}-{n}", "challanAmount": 500} for n in (1, 2)])
    plan_id = clerk.plans_links(run_of(clerk, services, _ENDED, 1000))
    take_parts(services, plan_id)
    with services.store.read() as connection:
        failed, expired = (each.link_id or "" for each in plans.created(connection, plan_id))
    levers.fail(failed)
    levers.expire(expired)
    for link_id in (failed, expired):
        services.link_poller.require_fresh(link_id)
    return f"/fleet/runs/{run_of(clerk, services, (*_ENDED, PAYABLE[7]), 1000)}"


def add_fleet(levers: Levers) -> None:
    for rc in PAYABLE:
        levers.add_vehicle(rc, [{"challanNo": f"{rc[-4:]}-{n}", "challanAmount": 500 * n} for n in (1, 2)])


def run_of(clerk: Clerk, services: Services, listed: Iterable[str], parts: int) -> str:
    """Start a search of many vehicles, and take so many parts of it; return its id."""
    run_id = clerk.starts_a_run("Pune trucks", listed)
    take_parts(services, run_id, most=parts)
    return run_id
