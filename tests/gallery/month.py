"""Let an office work for more than a month, so that figures have days to compare."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

from tests.gallery.workplace import Pages, Workplace, seen_by
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.sharing.steps import adds_a_driver, prepares, shares

#: The links of each day: their vehicles, by number, and after how many hours each is paid; None for never.
_DAYS: tuple[dict[int, int | None], ...] = (
    {1: 2, 2: 20},
    {3: 5},
    {4: None},
    {1: 30, 5: 3},
    {},
    {2: 1, 6: 4, 3: 26},
    {4: 2},
    {1: None, 5: 8},
    {2: 3},
    {6: 40, 3: 1},
    {4: 6, 1: 12, 5: None},
    {2: 4},
    {3: 3, 6: 2},
    {1: None, 4: None, 5: None},
)
_DRIVERS = {
    1: ("Ramesh Yadav", "98765 43210"),
    2: ("Lakshmi Devi", "98765 43211"),
    3: ("Imran Shaikh", "98765 43212"),
}


def month(office: Workplace) -> Pages:
    """Create links on every second or third day, most of which are paid."""
    manager = office.manager
    drivers = {
        number: adds_a_driver(office.staff, name=name, phone=phone, vehicles=_rc(number))
        for number, (name, phone) in _DRIVERS.items()
    }
    for number in range(1, 7):
        office.levers.add_vehicle(_rc(number))
    for day, links in enumerate(_DAYS):
        waits: dict[str, int | None] = {}
        for number, hours in links.items():
            link_id = _creates(office, office.staff if number % 3 else manager, number, day)
            if number in drivers:
                shares(office.staff, prepares(office.staff, link_id, driver=drivers[number]), link_id, "whatsapp")
            waits[link_id] = hours
        if day < len(_DAYS) - 1:
            _are_paid(office, waits, until=24 * (5 if day % 3 else 4))
    manager.get("/")  # It shows that the last link was created.
    today = office.clock().astimezone(ZoneInfo("Asia/Kolkata")).date()
    days = f"/reconcile/statement?from={today - timedelta(days=29)}&to={today}"
    own = f"/overview?from={today - timedelta(days=24)}&to={today - timedelta(days=11)}"
    return {
        "home": seen_by(manager, "/"),
        "links": seen_by(manager, "/links"),
        "follow-up": seen_by(manager, "/follow-up"),
        "vehicles": seen_by(manager, "/vehicles"),
        "overview": seen_by(manager, "/overview"),
        "overview, 7 days": seen_by(manager, "/overview?days=7"),
        "overview, 90 days": seen_by(manager, "/overview?days=90"),
        "overview, own days": seen_by(manager, own),
        "overview, days that are refused": seen_by(manager, f"/overview?from={today}&to=2026-01-01"),
        "service": "/service",
        "statement": seen_by(manager, days),
        "statement by day": seen_by(manager, f"{days}&by=day"),
    }


def _rc(number: int) -> str:
    return f"MH12MT{1000 + number}"


def _creates(office: Workplace, visitor: WebClient, number: int, day: int) -> str:
    """Create a link for new challans of a vehicle."""
    rc = _rc(number)
    for letter in "ABC"[: 1 + (number + day) % 3]:
        amount = 500 * (1 + (number * day) % 5)
        office.levers.issue_challan(rc, challanNo=f"MT{number}{day:02}{letter}", challanAmount=amount, seen=True)
    steps.searches(visitor, rc)
    return steps.link_of(steps.create(visitor, rc=rc))


def _are_paid(office: Workplace, waits: dict[str, int | None], until: int) -> None:
    """Let hours pass, in which links are paid after theirs, and the others end."""
    passed = 0
    for link_id, hours in sorted(waits.items(), key=lambda item: item[1] or until):
        office.later(hours=(hours or until) - passed)
        passed = hours or until
        if hours:
            office.levers.pay(link_id)
        office.services.link_poller.refresh(link_id)
    office.later(hours=until - passed)
