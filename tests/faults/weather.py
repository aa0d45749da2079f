"""Inject the random events of a storm: kills, faults, payments, links created elsewhere."""

from __future__ import annotations

import random
import secrets
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import requests
from sqlalchemy import select

from dashboard.store.engine import Store
from dashboard.store.links.tables import link
from tests.faults.clerks import Tally
from tests.faults.house import House
from tests.support.levers import Levers

#: Hours of the links created elsewhere; no clerk requests as many.
ELSEWHERE_HOURS = 33

#: Acts for each click, besides one act a second.
_ACTS_A_CLICK = 1.2
#: Share of clicks for which a fault is ordered.
_FAULTY = 0.3

Fault = tuple[str, str, dict[str, Any]]


def _either(operation: str, kind: str, **more: Any) -> list[Fault]:
    """Return the fault twice: before the call takes effect, and after."""
    return [(operation, kind, {"when": when, **more}) for when in ("before", "after")]


def _damaged(operation: str) -> list[Fault]:
    kinds = ("invalid-json", "html", "empty", "success-false", "not-an-object")
    return [(operation, "corrupt", {"when": "after", "corruption": kind}) for kind in kinds]


def _failing(operation: str) -> list[Fault]:
    """Return the faults that leave any call unclear: silence, cuts, damage, errors."""
    return [
        *_either(operation, "cut"),
        *_either(operation, "status", status=500),
        *_either(operation, "status", status=502),
        *_either(operation, "status", status=302, headers={"Location": "/elsewhere"}),
        *_either(operation, "delay", seconds=0.3),
        *_either(operation, "delay", seconds=2.5),
        (operation, "truncate", {"when": "after"}),
        (operation, "drip", {"when": "after", "seconds": 2.5}),
        *_damaged(operation),
    ]


#: Every kind of fault that leaves the assumptions A1 to A7 valid. A definite refusal comes before the effect only.
_CREATING: list[Fault] = [
    *_failing("create_link"),
    *_either("create_link", "status", status=409),
    ("create_link", "corrupt", {"when": "after", "corruption": "missing-field", "missing": "data.id"}),
    ("create_link", "corrupt", {"when": "after", "corruption": "missing-field", "missing": "data.expiresAt"}),
    ("create_link", "corrupt", {"when": "after", "corruption": "nan", "missing": "data.amount.totalAmount"}),
    *[("create_link", "status", {"when": "before", "status": status}) for status in (400, 404, 413, 422)],
]
_READING: list[Fault] = [
    *_failing("search"),
    *_failing("link_status"),
    ("search", "status", {"when": "before", "status": 503, "headers": {"Retry-After": "1"}}),
    ("search", "corrupt", {"when": "after", "corruption": "missing-field", "missing": "data.challans"}),
    ("link_status", "status", {"when": "before", "status": 404}),
    # Slow answers, each of which may overlap with a later one about the same link.
    *[("link_status", "delay", {"when": "after", "seconds": seconds}) for seconds in (0.8, 1.2)],
    ("link_status", "corrupt", {"when": "after", "corruption": "missing-field", "missing": "data.status"}),
    ("locations", "cut", {"when": "before"}),
]
#: These close a service for minutes of our clock.
_CLOSING: list[Fault] = [
    (operation, "status", {"when": "before", "status": status})
    for operation in ("create_link", "search", "link_status")
    for status in (401, 403, 429)
]


@dataclass(frozen=True)
class World:
    levers: Levers
    store: Store
    secret_file: Path
    rcs: Sequence[str]
    tally: Tally


class Weather(threading.Thread):
    def __init__(self, world: World, house: House, rng: random.Random, over: threading.Event) -> None:
        super().__init__(name="weather", daemon=True)
        self._world = world
        self._levers = world.levers
        self._house = house
        self._rng = rng
        self._over = over
        self._ended: set[str] = set()
        self.trouble: BaseException | None = None
        self._acts: list[tuple[Callable[[], None], float]] = [
            (self._time, 9),
            (self._fault_creating, 7),
            (self._fault_reading, 3),
            (self._end_links, 7),
            (self._issue, 4),
            (self._make_elsewhere, 2),
            (self._late, 1.5),
            (self._house.kill, 1),
            (self._house.stop, 1),
            (self._house.step_a_clock, 0.7),
            (self._close_a_service, 0.4),
            (self._replace_secret, 0.3),
        ]

    def run(self) -> None:
        acts, weights = zip(*self._acts, strict=True)
        began, done = monotonic(), 0
        try:
            while not self._over.wait(0.02):
                self._house.tend()
                # Follow the number of clicks, so that a busy machine has no more acts for each click.
                if done < _ACTS_A_CLICK * self._world.tally.counted()["clicks"] + (monotonic() - began):
                    self._rng.choices(acts, weights)[0]()
                    done += 1
        except BaseException as trouble:
            self.trouble = trouble

    # Time

    def _time(self) -> None:
        wanted = self._rng.choice((2, 5, 15, 35, 60))
        if self._house.room() < wanted:
            self._house.settle_late()
        self._world.tally.add("seconds of time moved", round(self._house.passes(wanted)))

    # The service misbehaves

    def _fault_creating(self) -> None:
        counted = self._world.tally.counted()
        ordered = sum(count for name, count in counted.items() if name.startswith("fault: create_link"))
        if ordered < _FAULTY * counted["clicks"]:
            self._order(self._rng.choice(_CREATING))

    def _fault_reading(self) -> None:
        self._order(self._rng.choice(_READING))

    def _close_a_service(self) -> None:
        self._order(self._rng.choice(_CLOSING))

    def _order(self, fault: Fault) -> None:
        operation, kind, more = fault
        self._levers.fault(operation, kind, **more)
        self._world.tally.add(f"fault: {operation} {more.get('status') or more.get('corruption') or kind}")

    def _late(self) -> None:
        self._house.late_request()
        self._world.tally.add("fault: create_link late")

    def _replace_secret(self) -> None:
        """Revoke the secret, and install the new one a moment later."""
        fresh = f"storm-{secrets.token_hex(8)}"
        self._levers.replace_secret(secret=fresh)
        self._over.wait(self._rng.uniform(0, 0.3))
        unfinished = self._world.secret_file.with_suffix(".new")
        unfinished.write_text(fresh)
        unfinished.replace(self._world.secret_file)
        self._world.tally.add("keys replaced")

    # The world goes on

    def _end_links(self) -> None:
        """Pay some links and end others, so that their challans can be requested again."""
        with self._world.store.read() as connection:
            rows = connection.execute(select(link.c.id).where(link.c.status == "ACTIVE").order_by(link.c.id))
            found = [link_id for link_id in rows.scalars() if link_id not in self._ended]
        for link_id in self._rng.sample(found, min(len(found), 3)):
            ends = (self._levers.expire, self._levers.cancel, self._levers.fail, self._levers.pay)
            end = self._rng.choices(ends, (3, 3, 2, 1))[0]
            end(link_id)
            self._ended.add(link_id)
            self._world.tally.add(f"ended: {end.__name__}")

    def _issue(self) -> None:
        self._levers.issue_challan(self._rng.choice(self._world.rcs), challanAmount=self._rng.randint(1, 40) * 100)

    def _make_elsewhere(self) -> None:
        """Create a link by another system of the organization, which names challans by their numbers."""
        rc = self._rng.choice(self._world.rcs)
        listed = [item["shown"]["challanNo"] for item in self._levers.vehicle(rc)["challans"] if item["shown"]]
        chosen = self._rng.sample(listed, min(len(listed), self._rng.choice((1, 2))))
        asked = {"vehicle_number": rc, "challan_numbers": chosen, "expiry_time": ELSEWHERE_HOURS}
        bearer = {"Authorization": f"Bearer {self._world.secret_file.read_text()}"}
        with suppress(requests.RequestException):
            address = f"{self._levers.base_url}/api/v1/staging/payment-links"
            answer = requests.post(address, json=asked, headers=bearer, timeout=1)
            self._world.tally.add("links made elsewhere", answer.status_code == 200)
