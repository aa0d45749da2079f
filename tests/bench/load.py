"""Work as a large office while the service fails often, and count what people got (`make load`).

    python -m tests.bench.load [--people 200] [--minutes 10] [--faults 0.3]

Two web processes and a worker on SQLite, as in production; the people search, create links, and read lists and
panels. Afterwards the faults end, somebody presses Check now on what is unclear still, and the service's truth is
compared with the ledger. The exit status is 1 when an answer was an error of ours, a link is in no ledger, a challan
has two live links, or memory grows.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import closing
from http.client import HTTPException
from pathlib import Path

from dashboard.app import create_app
from dashboard.domain.roles import Role
from dashboard.store.engine import Store
from tests.bench.clerk import _KEY, _TICKS, Clerk
from tests.bench.office import Office, memory_mb
from tests.bench.tables import Table, machine, ms
from tests.support.levers import Levers
from tests.support.people import Somebody, add, cheap_passwords

_VEHICLES, _CHALLANS = 80, 12
#: How long a person reads before the next click, in seconds.
_READS = (2.0, 8.0)
_OPERATIONS = ("locations", "rc_types", "search", "create_link", "link_status")
#: Before the call takes effect, or after it did: then its answer is lost.
_FAULTS: tuple[dict[str, object], ...] = (
    {"kind": "status", "status": 500},
    {"kind": "status", "status": 502},
    {"kind": "status", "status": 503, "when": "after"},
    {"kind": "cut"},
    {"kind": "cut", "when": "after"},
    {"kind": "corrupt", "corruption": "html", "when": "after"},
    {"kind": "truncate", "when": "after"},
    {"kind": "delay", "seconds": 2},
)
#: How long unclear requests may take to settle once the faults have ended, and how often somebody asks about each.
_SETTLE_SECONDS, _ASKS_EVERY = 300, 20
_UNCLEAR = "SELECT id FROM intent WHERE state IN ('PREPARED', 'SENDING', 'UNKNOWN', 'NEEDS_ATTENTION')"
#: Memory may grow by so much from the middle of the run to its end.
_GROWTH = 1.15


class Figures:
    """What all people got, from many threads."""

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self.seconds: list[float] = []
        self.trouble: Counter[str] = Counter()
        self.lock = threading.Lock()

    def answered(self, method: str, address: str, status: int, seconds: float) -> None:
        with self.lock:
            self.statuses[status] += 1
            if method == "GET":
                self.seconds.append(seconds)
            # 502 and 504 say that the service failed; 503 that it is blocked, or the database busy.
            if status >= 500 and status not in (502, 503, 504):
                self.trouble[f"{method} {address}: {status}"] += 1

    def failed(self, what: str) -> None:
        with self.lock:
            self.trouble[what] += 1


class Person(Clerk):
    """A clerk to whom a page with an error is an answer too."""

    def __init__(self, url: str, email: str, figures: Figures) -> None:
        self._figures = figures
        super().__init__(url, email)

    def _read(self, method, address, body, headers):  # type: ignore[no-untyped-def]  # As the method it replaces.
        began = time.perf_counter()
        answer = self._ask(method, address, body, headers)
        content = answer.read()
        self._figures.answered(method, address, answer.status, time.perf_counter() - began)
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        self.address = answer.getheader("Location") or address
        return content

    def works(self, rng: random.Random) -> None:
        """Do one thing that staff do."""
        step = rng.choices(("first page", "list", "search", "create", "panel"), (2, 2, 3, 3, 4))[0]
        rc = f"MH12LD{rng.randrange(_VEHICLES):04}"
        if step == "first page":
            self.opens("/")
        elif step == "list":
            self.opens(rng.choice(("/links", "/follow-up", "/links?state=active")))
        elif step == "search":
            self.searches(rc)
        elif step == "panel" and self.address.startswith("/links/"):
            link = self.address.split("/")[2].partition("?")[0]
            self.opens(f"/links/{link}/panel", {"HX-Request": "true"})
        elif step == "create":
            self._creates_for_one_challan(rc, rng)

    def looks_now(self, request_id: str) -> None:
        """Press Check now on the page of a request whose outcome is unclear."""
        self.sends(f"/requests/{request_id}/check", {"csrf_token": self._token()})

    def _creates_for_one_challan(self, rc: str, rng: random.Random) -> None:
        token = self._token()
        self.sends("/search", {"csrf_token": token, "rc_number": rc})
        if not (ticks := _TICKS.findall(self.opens(f"/vehicles/{rc}"))):
            return
        self.sends(f"/vehicles/{rc}/selection", {"csrf_token": token, "challan": [rng.choice(ticks)]})
        page = self.opens(f"/vehicles/{rc}/review")
        if (key := _KEY.search(page)) and (chosen := _TICKS.findall(page)):
            form = {"csrf_token": token, "request_key": key[1], "challan": chosen, "hours": "48"}
            self.sends(f"/vehicles/{rc}/links", form)


def measure(office: Office, people: int, seconds: float, faults: float) -> tuple[Table, list[str]]:
    """Run the office, and return its figures and what must not have happened."""
    emails = _furnish(office, people)
    figures, over = Figures(), threading.Event()
    with office.replica() as levers:
        for number in range(_VEHICLES):
            levers.add_vehicle(f"MH12LD{number:04}", [{"challanNo": f"LD{number}-{each}"} for each in range(_CHALLANS)])
        with office.dashboard("web", "-w", "2") as web, office.worker() as worker:
            staff = [
                threading.Thread(target=_work, args=(office.url, email, figures, over, seconds / 6)) for email in emails
            ]
            spoiler = threading.Thread(target=_spoil, args=(levers, faults, over))
            levers.forget_calls()
            for thread in (*staff, spoiler):
                thread.start()
            memory = []
            for _ in range(4):
                time.sleep(seconds / 4)
                memory.append(memory_mb(web) + memory_mb(worker))
            over.set()
            for thread in (*staff, spoiler):
                thread.join()
            calls = sum(levers.count(operation) for operation in _OPERATIONS)
            levers.clear_faults()
            unclear, left = _settle(office, Person(office.url, emails[0], figures))
            truth = levers.truth()
            problems = [f"{count} × {what}" for what, count in figures.trouble.most_common(10)]
            known = _ledger(office)
            made = {link["id"]: link for link in truth["links"]}
            problems += [f"the link {link_id} is in no ledger" for link_id in made.keys() - known]
            problems += [f"a challan has two live links: {held}" for held in truth["doublyHeld"]]
            problems += [f"{left} requests did not settle"] if left else []
            if memory[-1] > memory[1] * _GROWTH:
                problems.append(f"memory grew from {memory[1]:.0f} to {memory[-1]:.0f} MB")
    spans = sorted(figures.seconds)
    table = Table(
        f"{people} people, {faults:.0%} of the service's calls fail",
        f"`dashboard web -w 2` and `dashboard worker` on SQLite for {seconds:.0f} s; each person reads for "
        f"{_READS[0]:.0f} to {_READS[1]:.0f} s between clicks; the people run on the same cores.",
    )
    table.add("requests answered", f"{sum(figures.statuses.values()):,}")
    table.add("pages read: median", ms(statistics.median(spans)))
    table.add("pages read: 95 %", ms(spans[int(len(spans) * 0.95)]))
    table.add("answers by status", ", ".join(f"{status}: {n:,}" for status, n in sorted(figures.statuses.items())))
    table.add("errors of ours", str(sum(figures.trouble.values())), "0")
    table.add("calls to the service", f"{calls:,}")
    table.add("links made, and in the ledger", f"{len(made)}, {len(made.keys() & known)}", "equal")
    table.add("requests unclear when the faults ended, and after Check now", f"{unclear}, {left}", "0 after")
    table.add("challans with two live links", str(len(truth["doublyHeld"])), "0")
    table.add("memory of all processes, by quarters", ", ".join(f"{each:.0f} MB" for each in memory), "flat")
    return table, problems


def _furnish(office: Office, people: int) -> list[str]:
    office.furnish()
    store = Store(office.settings.database_url)
    try:
        app = create_app(office.settings, store=store, passwords=cheap_passwords())
        staff = [Somebody(f"person{number}@example.com", f"Person {number}", Role.STAFF) for number in range(people)]
        return [add(app, somebody).email for somebody in staff]
    finally:
        store.close()


def _work(url: str, email: str, figures: Figures, over: threading.Event, arrive_within: float) -> None:
    rng = random.Random(email)
    over.wait(rng.uniform(0, arrive_within))  # Nobody's office signs in at the same moment.
    try:
        person = Person(url, email, figures)
    except (AssertionError, OSError, HTTPException) as error:
        figures.failed(f"sign-in: {error}")
        return
    while not over.wait(rng.uniform(*_READS)):
        try:
            person.works(rng)
        except AssertionError:
            continue  # A page without what the next step needs says why, and was counted.
        except (OSError, HTTPException) as error:
            figures.failed(f"no answer: {type(error).__name__}")


def _spoil(levers: Levers, share: float, over: threading.Event) -> None:
    """Order faults for the share of the calls that came in the last half second."""
    rng, seen, owed = random.Random(1), 0, 0.0
    while not over.wait(0.5):
        calls = sum(levers.count(operation) for operation in _OPERATIONS)
        owed += share * (calls - seen)
        seen = calls
        for _ in range(int(owed)):
            levers.fault("*", **rng.choice(_FAULTS))  # type: ignore[arg-type]  # The fields of a fault differ in type.
            owed -= 1


def _settle(office: Office, person: Person) -> tuple[int, int]:
    """Have a person ask about the unclear requests, and return how many there were and how many there still are."""
    until, at_first = time.monotonic() + _SETTLE_SECONDS, len(_ids(office, _UNCLEAR))
    while (unclear := _ids(office, _UNCLEAR)) and time.monotonic() < until:
        for request_id in unclear:
            person.looks_now(request_id)
        time.sleep(_ASKS_EVERY)
    return at_first, len(unclear)


def _ledger(office: Office) -> set[str]:
    return set(_ids(office, "SELECT id FROM link"))


def _ids(office: Office, query: str) -> list[str]:
    with closing(sqlite3.connect(office.folder / "dashboard.db")) as database:
        return [each for (each,) in database.execute(query)]


def main() -> int:
    parser = argparse.ArgumentParser(prog="make load", description="Work as a large office while the service fails.")
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--faults", type=float, default=0.3, help="the share of calls that fail")
    asked = parser.parse_args()
    print(f"{machine()}\n", flush=True)
    with tempfile.TemporaryDirectory(prefix="challan-load-") as folder:
        table, problems = measure(
            Office(Path(folder), DASHBOARD_LOG_LEVEL="ERROR"), asked.people, asked.minutes * 60, asked.faults
        )
    print(table)
    print(*problems, sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
