"""Run an office in one thread, with a virtual clock: a process that may die at any failpoint, and one that lives on.

The second process acts for other people in the middle of the first one's work, at the failpoint that it reached.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from sqlalchemy import select

from dashboard import failpoints
from dashboard.errors import ServiceError
from dashboard.failpoints import Point
from dashboard.services.creation.commands import CreateLink, CreationRefused
from dashboard.services.vehicles import eligibility
from dashboard.services.vehicles.search import RefreshBusy
from dashboard.settings import Settings
from dashboard.store.creation.intents import claim, intent, intent_event
from dashboard.store.links.tables import OBSERVED, link, link_challan, link_event
from dashboard.web.creation.texts import PROBLEMS
from tests.faults.scene import LISTS
from tests.faults.surroundings import FLEET, Surroundings, Truth
from tests.support.killable_processes import Answer
from tests.support.levers import Levers
from tests.support.oracle import Oracle
from tests.support.page import Page
from tests.support.people import ASHA, MEERA, Somebody, add
from tests.support.simulated_process import SimulatedCrash, SimulatedProcess
from tests.support.web_client import WebClient

T = TypeVar("T")

_LEDGER = (intent, claim, intent_event, link, link_challan, link_event)


@dataclass(frozen=True)
class Form:
    """Hold an open review of one person, with the request key of its form."""

    person: Somebody
    key: str
    rc: str
    challan_ids: tuple[str, ...]
    hours: int


@dataclass(frozen=True)
class Interruption:
    """Describe what happens at a failpoint: time passes, others act, and the process may die."""

    point: Point
    seconds: float = 0
    others: tuple[str, ...] = ()
    dies: bool = False


class Office:
    """Run two processes on one store. `database_url` is of a migrated, empty store; no other office uses `folder`."""

    def __init__(self, levers: Levers, database_url: str, folder: Path, secret: str, *, late_links: bool) -> None:
        self._folder = folder
        self.around = Surroundings(levers, folder / "secret", secret, late_links=late_links)
        self._settings = Settings.from_environ(
            {
                "DASHBOARD_SERVICE_URL": levers.base_url,
                "DASHBOARD_API_SECRET_FILE": str(folder / "secret"),
                "DASHBOARD_SECRET_KEY": "a key for the sessions of one office",
                "DASHBOARD_DATABASE_URL": database_url,
                "DASHBOARD_DATA_DIR": str(folder),
                "DASHBOARD_INSECURE_COOKIES": "1",
                "DASHBOARD_CONNECT_SECONDS": "20",
                "DASHBOARD_SESSION_IDLE_MINUTES": "1440",
                "DASHBOARD_SESSION_HOURS": "168",
            }
        )
        self.clerk, self.web = self._open(), self._open()
        self.oracle = Oracle(levers, self.web.store, late_links=late_links)
        self.oracle.theirs, self.oracle.paid_late = self.around.theirs, self.around.paid_late
        self.deaths = 0
        self._person_ids = {somebody: add(self.web.app, somebody).id for somebody in (ASHA, MEERA)}
        self._reader = self._signed_in()
        self._read: dict[str, Any] = {}
        self._posts = 0
        self._left: Any = None

    def close(self) -> None:
        for process in (self.clerk, self.web):
            process.close()
        self.around.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _open(self) -> SimulatedProcess:
        return SimulatedProcess(self._settings, self.around.config, self.around.clock)

    # Work and interruptions

    def run(
        self, work: Callable[[SimulatedProcess], T], interruption: Interruption | None = None, form: Form | None = None
    ) -> T | None:
        """Run work in the process that may die; None when it died. `form` is the form concerned."""
        if interruption is None:
            return work(self.clerk)
        self._posts = self.around.levers.count("create_link")
        failpoints.arm(interruption.point, lambda: self._interrupt(interruption, form))
        try:
            return work(self.clerk)
        except SimulatedCrash:
            self._bury()
            return None
        finally:
            failpoints.disarm()

    def _interrupt(self, what: Interruption, form: Form | None) -> None:
        failpoints.disarm()
        if what.point is Point.SEND_WHOLE:
            self._is_served()
        self.around.passes(what.seconds)
        for other in what.others:
            self._meanwhile(other, form)
        if what.dies:
            self._left = self._on_disk()
            self.clerk.die()

    def _meanwhile(self, what: str, form: Form | None) -> None:
        if what == "watcher":
            self.web.watch()
        elif what == "commit":
            self.around.settle_late(commit=True)
        elif what in ("pay", "expire"):
            self.around.end_links(what, self.known_links())
        elif form is not None and what == "twin":
            self.send(form, self.web)
        elif form is not None and what == "colleague":
            chosen = tuple(self.offered(form.rc)) or form.challan_ids
            self.send(Form(MEERA, f"meanwhile-{form.key}", form.rc, chosen, 49), self.web)

    def _bury(self) -> None:
        """Check that a dead process wrote and called nothing, and open another in its place."""
        assert self._on_disk() == self._left, "a dead process wrote"
        assert not self.clerk.called_after_death, "a dead process called the service"
        self.clerk.close()
        self.clerk = self._open()
        self.deaths += 1

    def _is_served(self) -> None:
        """Wait until the service has handled the request that has just left."""
        until = monotonic() + 30
        while monotonic() < until:
            calls = self.around.levers.calls("create_link")[self._posts :]
            if calls and (calls[0]["status"] or calls[0]["fault"]):
                return
        raise AssertionError("the service does not come to the end of a request")

    def _on_disk(self) -> list[list[tuple[Any, ...]]]:
        """Return the database's rows and the disk's files, as every process finds them."""
        with self.web.store.read() as connection:
            found = [connection.execute(select(table).order_by(*table.primary_key)).all() for table in _LEDGER]
        return [[tuple(row) for row in rows] for rows in found]

    # People's actions

    def search(self, person: Somebody, rc: str, *, fresh: bool) -> None:
        searching = self.web.services.vehicle_search
        with suppress(ServiceError, RefreshBusy):
            (searching.refresh if fresh else searching.search)(rc, self._person_ids[person])

    def send(self, form: Form, process: SimulatedProcess) -> str | None:
        """Click; returns the request's id, or None when it was refused before anything was sent."""
        person_id = self._person_ids[form.person]
        try:
            return str(
                process.services.link_creator.create(
                    CreateLink(person_id, form.key, form.rc, form.challan_ids, form.hours)
                )
            )
        except CreationRefused as refused:
            words = PROBLEMS[refused.problem]
        except ServiceError:
            words = "Nothing was sent."
        self.oracle.check_answer(Answer(422, f"/vehicles/{form.rc}", words, ""), person_id=person_id, key=form.key)
        return None

    def request_of(self, form: Form) -> Any:
        mine = (intent.c.request_key == form.key, intent.c.person_id == self._person_ids[form.person])
        with self.web.store.read() as connection:
            return connection.execute(select(intent).where(*mine)).one_or_none()

    def offered(self, rc: str) -> list[str]:
        """Return the selectable challans of a vehicle."""
        with self.web.store.read() as connection:
            return [str(item.challan.id) for item in eligibility.of_vehicle(connection, rc) if item.selectable]

    def known_links(self) -> set[str]:
        with self.web.store.read() as connection:
            return set(connection.execute(select(link.c.id)).scalars())

    def reads_pages(self, truth: Truth, *, again: bool = False) -> None:
        """Have a colleague read the page of every request and link that has changed, or of all with `again`."""
        with self.web.store.read() as connection:
            pages = [(f"/requests/{row.id}", tuple(row)) for row in connection.execute(select(intent))]
            known = connection.execute(select(link.c.id, link.c.status, link.c.paid_at)).all()
            observed = set(connection.execute(select(link.c.id).where(link.c.origin == OBSERVED)).scalars())
        if observed - self.oracle.theirs:  # Only these may be called made elsewhere by mistake.
            pages += [(address, (*pages, *known)) for address in ("/", *LISTS)]
        for address, state in pages + [(f"/links/{row.id}", tuple(row)) for row in known]:
            if again or self._read.get(address) != state:
                self._read[address] = state
                self.oracle.check_answer(self._page(address), truth=truth)
        assert not self.oracle.violations, "\n".join(str(violation) for violation in self.oracle.violations)

    def _page(self, address: str) -> Answer:
        response = self._reader.get(address)
        if response.status_code == 302:  # The session has ended.
            self._reader = self._signed_in()
            response = self._reader.get(address)
        assert response.status_code == 200, f"{address} answered {response.status}"
        words = Page(self._reader, response).text if response.mimetype == "text/html" else response.text
        return Answer(200, address, words, response.text)

    def _signed_in(self) -> WebClient:
        visitor = self.web.app.test_client()
        assert isinstance(visitor, WebClient)
        assert visitor.signs_in(MEERA.email).status_code == 303
        return visitor

    # In the end

    def settles(self, check: Callable[[], None]) -> None:
        """End every fault, and let more than a day pass with watchers running and every vehicle searched again."""
        self.around.heals()
        self._work_on(check, 5, 35, 70, 60, 130, 300, 700)
        for rc in FLEET:
            self.web.services.vehicle_search.refresh(rc, self._person_ids[MEERA])
        self._work_on(check, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600, 7 * 3600)

    def _work_on(self, check: Callable[[], None], *spans: float) -> None:
        for seconds in spans:
            self.around.passes(seconds)
            self.web.watch()
            check()

    def is_true(self, check: Callable[[], None]) -> None:
        """Compare everything with the truth.

        While a challan is delisted, its intent needs attention. So does an intent whose link would have ended before an
        attempt could settle it.
        """
        away, delisted = self.around.withdrawn(), self.around.delisted()
        undecided = [row.id for row in self._waiting() if away & set(row.challan_ids)]
        self.reads_pages(self.around.levers.truth(), again=True)
        self.oracle.verify(undecided=[*undecided, *self._outlived()], delisted=delisted)
        if undecided:
            self.around.bring_back(away)
            for seconds in (0, 60, 60):
                self.around.passes(seconds)
                for request_id in undecided:
                    self.web.services.outcome_resolver.resolve_on_request(request_id)
                check()
            self._work_on(check, 3600, 24 * 3600)
            self.reads_pages(self.around.levers.truth(), again=True)
            self.oracle.verify(undecided=self._outlived(), delisted=delisted)

    def _waiting(self) -> Any:
        with self.web.store.read() as connection:
            return connection.execute(select(intent).where(intent.c.state == "NEEDS_ATTENTION")).all()

    def _outlived(self) -> list[str]:
        """Return the intents that need attention and whose link would have ended by now."""
        now = self.around.clock()
        return [row.id for row in self._waiting() if now - row.send_started >= timedelta(hours=row.hours)]
