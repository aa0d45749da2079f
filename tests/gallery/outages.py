"""Bring an office into the states of a service that fails, or refuses its key."""

from __future__ import annotations

from functools import partial

from dashboard.replica import fleet
from tests.gallery.fleet_runs import PAYABLE, add_fleet, run_of
from tests.gallery.workplace import Pages, Workplace, after, answer, seen_by
from tests.support.lanes import take_parts
from tests.web import steps


def outage(office: Workplace) -> Pages:
    """Fail every call of the service from now on."""
    levers, clerk, services = office.levers, office.clerk, office.services
    add_fleet(levers)
    active = clerk.creates_a_link(fleet.UNSEEN)
    run_id = clerk.starts_a_run("Pune trucks", PAYABLE)
    plan_id = clerk.plans_links(run_of(clerk, services, [fleet.HUGE], 1000))
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


def refused_key(office: Workplace) -> Pages:
    """Let the service refuse the key."""
    levers, staff = office.levers, office.staff
    link_id = office.clerk.creates_a_link(fleet.PAID_BEFORE)
    levers.revoke_secret()
    steps.search(staff, fleet.STAR)
    return {
        "home": seen_by(staff, "/"),
        "links": seen_by(staff, "/links"),
        "a link": seen_by(staff, f"/links/{link_id}"),
        "a vehicle": seen_by(staff, f"/vehicles/{fleet.PAID_BEFORE}"),
        "a search that is refused": answer(staff.page("/"), "Search", rc_number=fleet.STAR),
        "service": "/service",
        "service, a check without a note": answer(office.admin.page("/service/assumptions"), "Does not work"),
    }


def trouble(office: Workplace) -> Pages:
    """Let the service refuse more and more: the day's limits, a service that is not enabled, wrong numbers."""
    levers, staff = office.levers, office.staff
    steps.searches(staff, fleet.STAR)
    steps.searches(staff, fleet.PAID_BEFORE)
    levers.add_vehicle("MH12TR0001", [{"challanNo": "TR1"}, {"challanNo": "TR2", "challanAmount": None}])
    steps.searches(staff, "MH12TR0001")
    levers.issue_challan("MH12TR0001", challanNo="TR3")
    levers.set_organization(linkAllowance=0)
    rejected = steps.request_of(steps.create(staff, rc="MH12TR0001"))
    vehicle, home = staff.page("/vehicles/MH12TR0001"), staff.page("/")
    fails = partial(levers.fault, "search", "cut", count=3)
    return {
        "a search, a number that is wrong": answer(home, "Search", rc_number="!!"),
        "a search of a vehicle of somebody else": answer(home, "Search", rc_number="TN09BX5555"),
        "a search, nothing typed": answer(home, "Search", rc_number=""),
        "a search, the first of a vehicle": answer(home, "Search", rc_number="KA05MN7788"),
        "a search that fails": after(fails, answer(home, "Search", rc_number=fleet.STAR)),
        "a vehicle that cannot be refreshed": after(fails, answer(vehicle, "Refresh from source")),
        "the day's limit for links": seen_by(staff, rejected),
        "home": seen_by(staff, "/"),
        "the review": seen_by(staff, "/vehicles/MH12TR0001/review"),
        "service": "/service",
    }
