"""Tell what is to be done with the links of a plan that nobody was given: every page of it says the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass, field

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.payment_urls import problem_of
from dashboard.domain.phones import digits
from dashboard.store.fleet import plan_drivers, plans
from dashboard.store.sharing import drivers, follow_ups
from dashboard.store.sharing.drivers import Driver
from dashboard.web.fleet import plan_texts as texts
from dashboard.web.shared.current import current_services
from dashboard.web.sharing.unsent import not_to_send

#: Of so many links that wait to be sent it is read all that may hold each of them back.
_MOST_READ = 500


@dataclass(frozen=True, slots=True)
class UnsentLinks:
    """Hold who can be sent links of a plan, and how many each, and the vehicles whose links go to nobody, with how many
    links these have, how many those of drivers without a phone number, and how many are to be checked first.

    `to_come` is how many links of drivers are still to be created.
    """

    by_driver: Mapping[int, int] = field(default_factory=dict)
    to_come: Mapping[int, int] = field(default_factory=dict)
    undriven: Set[str] = frozenset()
    without_driver: int = 0
    without_phone: int = 0
    to_check: int = 0

    @property
    def words(self) -> str:
        """Say how the links are split by what comes next."""
        waiting = self.by_driver.keys() & self.to_come.keys()
        waits = texts.drivers_wait(len(waiting), sum(self.to_come[each] for each in waiting))
        to_send = sum(self.by_driver.values())
        return texts.unsent(to_send, self.without_driver, self.without_phone, self.to_check, waits)

    @property
    def next_words(self) -> str:
        """Name what comes next; "" where no link can be sent, whoever drives."""
        if self.by_driver:
            return texts.send_to(len(self.by_driver))
        return texts.choose(len(self.undriven)) if self.undriven else ""

    @property
    def is_complete(self) -> bool:
        """Return whether whoever can be sent links gets all of theirs in one message."""
        return not self.by_driver.keys() & self.to_come.keys()

    def next_address(self, plan_id: str) -> str:
        """Return where that is done."""
        return url_for("fleet.share_plan" if self.by_driver else "fleet.choose_drivers", plan_id=plan_id)


def of_plan(connection: Connection, plan_id: str) -> UnsentLinks:
    """Read what the unsent links of a plan wait for."""
    unsent = plans.to_send(connection, plan_id)
    # Polls read this: of many links, only what is doubtful about them, and whether their payment URLs are safe.
    if len(unsent) <= _MOST_READ:
        held = not_to_send(connection, list(unsent))
    else:
        held = follow_ups.to_check_of(connection, list(unsent)) | _without_safe_url(unsent)
    waiting = [rc for link_id, (rc, _url) in unsent.items() if link_id not in held]
    drive = drivers_of(connection, plan_id, waiting)
    by_driver, undriven, without_phone = Counter[int](), list[str](), 0
    for rc in waiting:
        to = drive.get(rc, [])
        if len(to) != 1:
            undriven.append(rc)
        elif digits(to[0].phone):
            by_driver[to[0].id] += 1
        else:
            without_phone += 1
    come = to_come(connection, plan_id) if by_driver else {}
    return UnsentLinks(by_driver, come, frozenset(undriven), len(undriven), without_phone, len(unsent) - len(waiting))


def drivers_of(connection: Connection, plan_id: str, rcs: Collection[str]) -> dict[str, list[Driver]]:
    """Return who is to be sent the links of each vehicle: who was chosen in the plan, or all who usually drive it."""
    usual, chosen = drivers.of_vehicles(connection, set(rcs)), plan_drivers.of_vehicles(connection, plan_id, rcs)
    return usual | {rc: [driver] for rc, driver in chosen.items()}


def to_come(connection: Connection, plan_id: str) -> Counter[int]:
    """Count the links of a plan that are still to be created, by the only driver whom each is for."""
    rcs = plan_drivers.still_to_create(connection, plan_id)
    drive = drivers_of(connection, plan_id, rcs) if rcs else {}
    return Counter(drive[rc][0].id for rc in rcs if len(drive.get(rc, ())) == 1)


def _without_safe_url(unsent: Mapping[str, tuple[str, str]]) -> set[str]:
    base = current_services().payment_page_base
    return {link_id for link_id, (_rc, url) in unsent.items() if problem_of(url, base)}


def of_plans(connection: Connection, plan_ids: Iterable[str]) -> dict[str, UnsentLinks]:
    """Read that of several plans, by their ids."""
    return {plan_id: of_plan(connection, plan_id) for plan_id in plan_ids}


def next_step(connection: Connection, plan_ids: Iterable[str]) -> tuple[str, str]:
    """Return the address and the name of what comes next with the first of these plans that has something to do."""
    for plan_id in plan_ids:
        if words := (unsent := of_plan(connection, plan_id)).next_words:
            return unsent.next_address(plan_id), words
    return "", ""
