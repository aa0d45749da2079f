"""Run one round of the storm: faults and clicks, time to settle, every form sent again, and the oracle's checks."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any

from sqlalchemy import Row, or_, select

from dashboard.domain.intents import LINK_KNOWN, NOTHING_CREATED, RESOLVABLE, IntentState
from dashboard.domain.roles import Role
from dashboard.replica.settings import ReplicaSettings
from dashboard.store.creation.intents import intent
from dashboard.store.engine import Store
from dashboard.store.links.tables import link
from dashboard.store.migrate import migrate
from tests.conftest import SECRET_KEY
from tests.faults.clerks import Clerk, Meetings, Office, Tally
from tests.faults.house import House
from tests.faults.scene import LISTS
from tests.faults.storm_outcome import Outcome
from tests.faults.weather import ELSEWHERE_HOURS, Weather, World
from tests.faults.witness import Click, Witness
from tests.support.browser import Browser, NoAnswer, ShownPage
from tests.support.killable_processes import CONTEXT, Answer, AppFactory, SharedClock
from tests.support.levers import Levers
from tests.support.long_running_processes import LongRunningProcess, run_replica
from tests.support.oracle import Kind, Oracle, Violation
from tests.support.people import Somebody, add

_VEHICLES, _CHALLANS = 16, 7
_PEOPLE, _TABS = 5, 2
_SETTLED = [str(state) for state in NOTHING_CREATED | LINK_KNOWN]
#: Seconds by which time moves while everything settles: leases, attempts at 3, 30 and 130 s, then every few minutes.
_STEPS = (20, 60, 60, 35, 35, 120, 300, 600, 900, 1800, 1800, 1800)
_NIGHT = 25 * 3600
_PATIENCE = 60
#: Longer than any call to the service takes here.
_STANDSTILL = 3.0


class Round:
    """Run one round. `folder` is for the replica's file, the spool, the key and the processes' logs.

    The storm lasts `seconds`, and longer on a busy machine: until `least` clicks were made.
    """

    def __init__(self, seed: int, database_url: str, folder: Path, seconds: float, least: int = 20) -> None:
        self._seed = seed
        self._seconds = seconds
        self._least = least
        self._folder = folder
        self._tally = Tally()
        self._witness = Witness()
        self._clock = SharedClock()
        self._secret_file = folder / "key"
        self._secret_file.write_text(f"storm-{seed}-key")
        self._database_url = database_url
        self._violations: list[str] = []
        self._rcs = [f"MH{12 + n}AB{1000 + seed % 1000 + n}" for n in range(_VEHICLES)]

    def run(self) -> Outcome:
        began = monotonic()
        with ExitStack() as stack:
            self._set_up(stack)
            self._rage()
            self._house.heal()
            self._settle()
            self._send_everything_again()
            self._settle()
            self._judge("after the storm", words=True)
            self._pass(_NIGHT)
            self._settle()
            self._judge("on the next day", words=False)
        self._tally.add("seconds", round(monotonic() - began))
        return Outcome(self._tally.counted(), self._violations)

    # Before

    def _rng(self, who: str) -> random.Random:
        return random.Random(f"{self._seed}/{who}")

    def _set_up(self, stack: ExitStack) -> None:
        oldest = CONTEXT.Value("d", 0.0, lock=False)
        settings = ReplicaSettings(
            database=self._folder / "replica.db",
            seed="empty",
            api_secret=self._secret_file.read_text(),
            levers=True,
            link_allowance=10**9,
            search_allowance=10**9,
        )
        service = LongRunningProcess(run_replica, settings, self._clock, oldest)
        stack.callback(service.close)
        self._levers = Levers(service.wait_ready())
        for rc in self._rcs:
            amounts = [{"challanAmount": 500 + 100 * n} for n in range(_CHALLANS)]
            self._levers.add_vehicle(rc, amounts)
        app_factory = AppFactory(self._environ(), self._clock)
        store = Store(self._database_url)
        migrate(store)
        store.close()
        app = app_factory.build()
        stack.callback(app.extensions["client"].close)
        self._store: Store = app.extensions["store"]
        stack.callback(self._store.close)
        self._house = House(app_factory, self._levers, oldest, self._tally, self._rng("house"))
        stack.callback(self._house.close)
        self._house.open()
        self._people = {}
        for number in range(_PEOPLE):
            person = add(app, Somebody(f"clerk{number}@example.com", f"Clerk {number}", Role.STAFF))
            rng = self._rng(f"ports of {number}")
            self._people[person.id] = Browser(person.email, self._house.ports, self._clock, rng)
        manager = add(app, Somebody("manager@example.com", "Manager", Role.MANAGER))
        self._manager = Browser(manager.email, self._house.ports, self._clock, self._rng("ports of the manager"))

    def _environ(self) -> dict[str, str]:
        return {
            "DASHBOARD_SERVICE_URL": self._levers.base_url,
            "DASHBOARD_API_SECRET_FILE": str(self._secret_file),
            "DASHBOARD_SECRET_KEY": SECRET_KEY,
            "DASHBOARD_DATABASE_URL": self._database_url,
            "DASHBOARD_DATA_DIR": str(self._folder),
            "DASHBOARD_INSECURE_COOKIES": "1",
            "DASHBOARD_CONNECT_SECONDS": "1",
            "DASHBOARD_CREATE_SECONDS": "1.5",
            "DASHBOARD_SEARCH_SECONDS": "2",
            "DASHBOARD_REFRESH_SECONDS": "2",
            "DASHBOARD_STATUS_SECONDS": "1.5",
            "DASHBOARD_POLL_SECONDS": "120",
            # Sessions end only at sign-out: a form of an expired session is refused, and would test nothing.
            "DASHBOARD_SESSION_HOURS": "168",
            "DASHBOARD_SESSION_IDLE_MINUTES": "1440",
        }

    # During the storm

    def _rage(self) -> None:
        over, calm = threading.Event(), threading.Event()
        world = World(self._levers, self._store, self._secret_file, self._rcs, self._tally)
        weather = Weather(world, self._house, self._rng("weather"), calm)
        with ThreadPoolExecutor(_PEOPLE * _TABS * 2) as hands:
            office = Office(self._rcs, Meetings(self._rcs), self._witness, self._tally, over, hands)
            clerks = [
                Clerk(office, browser, person_id, self._rng(f"clerk {person_id}/{tab}"))
                for person_id, browser in self._people.items()
                for tab in range(_TABS)
            ]
            for thread in (weather, *clerks):
                thread.start()
            try:
                began = monotonic()
                while monotonic() - began < self._seconds or self._tally.counted()["clicks"] < self._least:
                    over.wait(0.1)
                    if weather.trouble is not None or monotonic() - began > self._seconds + _PATIENCE:
                        break
            finally:
                over.set()
                for clerk in clerks:
                    clerk.join()
                calm.set()
                weather.join()
        for clerk in clerks:
            self._violations += clerk.trouble
        if weather.trouble is not None:
            raise weather.trouble

    # Afterwards

    def _settle(self) -> None:
        """Advance time and run the workers until every intent has its outcome, and every link its true status."""
        for seconds in _STEPS:
            self._wait_until_idle()
            if self._is_settled():
                return
            self._pass(seconds)
        self._wait_until_idle()

    def _pass(self, seconds: float) -> None:
        until = monotonic() + _PATIENCE
        while seconds > 0 and monotonic() < until:
            self._house.tend()
            seconds -= self._house.passes(seconds)
            threading.Event().wait(0.05 if seconds > 0 else 0)

    def _wait_until_idle(self) -> None:
        """Wait until nothing is due at this moment, or the number of due rows no longer changes."""
        due, until = -1, 0.0
        while (left := self._due()) and (left != due or monotonic() < until):
            if left != due:
                due, until = left, monotonic() + _STANDSTILL
            self._house.tend()
            threading.Event().wait(0.05)

    def _due(self) -> int:
        """Count the rows that are due now."""
        now = self._clock()
        looked_at = intent.c.state.in_([str(state) for state in RESOLVABLE])
        queries = (
            select(intent.c.id).where(looked_at, or_(intent.c.next_check_at <= now, intent.c.resolving_until > now)),
            select(intent.c.id).where(intent.c.state == IntentState.SENDING, intent.c.lease_until <= now),
            select(link.c.id).where(or_(link.c.next_check_at <= now, link.c.lease_until > now)),
        )
        with self._store.read() as connection:
            return sum(len(connection.execute(query).all()) for query in queries)

    def _is_settled(self) -> bool:
        with self._store.read() as connection:
            unsettled = select(intent.c.id).where(intent.c.state.not_in(_SETTLED)).limit(1)
            if connection.execute(unsettled).first():
                return False
            said = {row.id: row.status for row in connection.execute(select(link.c.id, link.c.status))}
        return said == {item["id"]: item["status"] for item in self._levers.truth()["links"]}

    def _send_everything_again(self) -> None:
        """Send every form again as its sender; each answer must lead to the request that it made before. Search every
        vehicle first: only a search observes a link created elsewhere.
        """
        for browser in self._people.values():
            home = browser.open("/")
        for rc in self._rcs:
            browser.send(home.form("Search").with_(rc_number=[rc]))

        def send(click: Click) -> None:
            with suppress(NoAnswer):
                self._witness.see(self._people[click.person_id].send(click.form, follow=False), click)

        with ThreadPoolExecutor(8) as pool:
            sent = [pool.submit(send, click) for click in list(self._witness.clicks.values())]
            while wait(sent, timeout=0.05).not_done:
                # A process stopped now must continue long before a browser gives up: no click may outlive the check.
                self._house.tend()
        for future in sent:
            future.result()
        self._house.everybody_goes_on()

    # The check

    def _judge(self, when: str, *, words: bool) -> None:
        truth = self._levers.truth()
        theirs = {item["id"] for item in truth["links"] if _lifetime(item) == timedelta(hours=ELSEWHERE_HOURS)}
        oracle = Oracle(self._levers, self._store, theirs=theirs, tolerance=timedelta(milliseconds=2))
        with self._store.read() as connection:
            requests = connection.execute(select(intent)).all()
        if words:
            ours = [item for item in truth["links"] if item["id"] not in theirs]
            oracle.violations += [
                Violation(Kind.FALSE_WORD, fault) for fault in self._witness.false_statements(requests, ours)
            ]
            self._count(requests, truth)
            self._read_lists(oracle, truth)
        with suppress(AssertionError):
            oracle.verify()
        for kind in Kind:
            self._tally.add(f"found: {kind}", oracle.count(kind))
        self._violations += [f"{when}: {violation}" for violation in dict.fromkeys(oracle.violations)]

    def _read_lists(self, oracle: Oracle, truth: dict[str, Any]) -> None:
        """Let a manager read the pages and exports that say of many links who made them."""
        for address in ("/", *LISTS):
            shown = self._opened(address)
            oracle.check_answer(Answer(shown.status, address, shown.words, shown.markup), truth=truth)
            self._tally.add("lists read", shown.status == 200)

    def _opened(self, address: str) -> ShownPage:
        until = monotonic() + _PATIENCE
        while True:
            try:
                return self._manager.open(address)
            except NoAnswer:
                assert monotonic() < until, f"nobody answers for {address}"
                self._house.tend()
                threading.Event().wait(0.05)

    def _count(self, requests: list[Row[Any]], truth: dict[str, Any]) -> None:
        for row in requests:
            self._tally.add(f"request: {row.state}")
        self._tally.add("posts", sum(row.sends for row in requests))
        self._tally.add("links", len(truth["links"]))
        self._tally.add("forms", len(self._witness.clicks))
        self._tally.add("pages read", self._witness.pages)


def _lifetime(item: dict[str, Any]) -> timedelta:
    return datetime.fromisoformat(item["expiresAt"]) - datetime.fromisoformat(item["createdAt"])
