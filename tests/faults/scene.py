"""Play a scene of the crash table: people at pages, a process that dies at a failpoint, a service that misbehaves.

Asha's click runs in a process of its own; what comes after (reading the pages, her resend, a colleague's click, the
worker's rounds) runs in the processes that survive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import Row, select

from dashboard.domain.intents import OPEN, IntentState
from dashboard.failpoints import Point
from dashboard.store.creation.intents import claim, intent
from dashboard.store.engine import Store
from dashboard.store.links.tables import link
from dashboard.upstream import SecretSource, ServiceClient, ServiceConfig
from tests.conftest import CANARY
from tests.faults.stage import RC, RECEIVED, app_factory
from tests.support import killable_processes
from tests.support.killable_processes import Action, Answer, AppFactory, KillableTask, SentForm
from tests.support.levers import Levers
from tests.support.oracle import Oracle
from tests.support.page import Page
from tests.support.people import ASHA, MEERA, PASSWORD, Somebody, add
from tests.support.unchecked_page import UncheckedPage
from tests.support.waiting import until
from tests.support.web_client import WebClient

#: Pages and exports that say of many links who made them; an office and the scenes of one person read them.
LISTS = ("/links", "/links?creator=elsewhere", "/links/export.csv", "/reconcile")
_OPEN = [str(state) for state in OPEN]


@dataclass
class Scene:
    """Play one case. `app_factory` has the URL of a migrated, empty store; at the replica, `RC` has payable challans.

    With `careful` every page that a colleague reads is checked against the page rules, which takes ten times as
    long as reading its words.
    """

    app_factory: AppFactory
    levers: Levers
    careful: bool = True
    app: Flask = field(init=False)
    oracle: Oracle = field(init=False)
    people: dict[Somebody, WebClient] = field(init=False)

    def __post_init__(self) -> None:
        self.app = self.app_factory.build()
        self.store: Store = self.app.extensions["store"]
        self.oracle = Oracle(self.levers, self.store)
        self._seen: object = None
        self.people = {}
        for somebody in (ASHA, MEERA):
            add(self.app, somebody)
            visitor = self.app.test_client()
            assert isinstance(visitor, WebClient)
            self.people[somebody] = visitor
        self.signs_in_again()

    @classmethod
    @contextmanager
    def of(cls, levers: Levers, store: Store, folder: Path, *, careful: bool = True, **more: Any) -> Iterator[Scene]:
        """Yield a scene over a store; `more` are arguments of `stage.app_factory`."""
        url = store.url.render_as_string(hide_password=False)
        scene = cls(app_factory(levers, url, folder, **more), levers, careful)
        try:
            yield scene
        finally:
            scene.close()

    # People's actions

    def close(self) -> None:
        self.store.close()
        self.app.extensions["client"].close()

    def signs_in_again(self) -> None:
        """Sign in every person whose session has not begun or has expired."""
        for somebody, visitor in self.people.items():
            page = self._open(somebody, "/sign-in")
            if page.address != "/sign-in":
                continue
            address, fields = page.form("Sign in")
            fields |= {"email": [somebody.email], "password": [PASSWORD]}
            assert visitor.post(address, data=fields).status_code == 303

    def search(self, somebody: Somebody = ASHA) -> None:
        address, fields = self._open(somebody, "/").form("Search")
        self._post(somebody, address, fields | {"rc_number": [RC]})

    def payable(self, somebody: Somebody = ASHA) -> list[str]:
        """Return the ids of the challans that can be ticked."""
        return self._open(somebody, f"/vehicles/{RC}").ticks

    def review(self, somebody: Somebody = ASHA, *, hours: int = 48) -> SentForm | None:
        """Tick everything payable and open the review; return its form, or None with nothing to tick."""
        page = self._open(somebody, f"/vehicles/{RC}")
        if not page.ticks:
            return None
        address, fields = page.form("Review and create")
        answer = self._post(somebody, address, fields | {"challan": page.ticks})
        return killable_processes.open_form(self.people[somebody], answer, "Create payment link", hours=[str(hours)])

    def reads(self, address: str, somebody: Somebody = MEERA) -> str:
        """Return the words of a page, which the oracle reads too."""
        self._reads(somebody, [address])
        return self._open(somebody, address).words

    def _open(self, somebody: Somebody, address: str) -> UncheckedPage:
        return UncheckedPage(self.people[somebody].get(address, follow_redirects=True))

    def _post(self, somebody: Somebody, address: str, fields: dict[str, list[str]]) -> UncheckedPage:
        answer = UncheckedPage(self.people[somebody].post(address, data=fields, follow_redirects=True))
        assert answer.status == 200, f"{address}: {answer.status} {answer.words[:300]}"
        return answer

    def click(
        self,
        form: SentForm,
        *,
        at: Point | None = None,
        action: Action = Action.KILL,
        app_factory: AppFactory | None = None,
    ) -> KillableTask:
        """Send a form from a process of its own, which may die at a failpoint; it is built by `app_factory`."""
        return KillableTask(app_factory or self.app_factory, killable_processes.send_form, form, at=at, action=action)

    def dies(self, at: Point) -> SentForm:
        """Let Asha search and click, and kill the process that serves her at a failpoint."""
        self.search()
        form = self.review()
        assert form
        click = self.click(form, at=at)
        assert click.result() is None
        assert click.was_killed, f"the click did not come by {at}"
        self.awaits_the_service(1 if at in RECEIVED else 0)
        return form

    def send(self, form: SentForm, somebody: Somebody = ASHA) -> Answer:
        """Send a form from a process that survives, and let the oracle read the answer."""
        answer = killable_processes.send_form(self.app, form)
        self.check_answer(answer, form, somebody)
        return answer

    def check_answer(self, answer: Answer | None, form: SentForm, somebody: Somebody = ASHA) -> None:
        person = self.app.extensions["people"].find(somebody.email)
        self.oracle.check_answer(answer, person_id=person.id, key=form.fields["request_key"][0])

    def reads_everything(self, somebody: Somebody = MEERA) -> None:
        """Let a colleague open every page that shows a request or a link, or offers challans."""
        self._reads(somebody, [*self._addresses(), f"/vehicles/{RC}", "/", *LISTS])

    def _reads(self, somebody: Somebody, addresses: Iterable[str]) -> None:
        visitor = self.people[somebody]
        truth = self.levers.truth()
        for address in addresses:
            response = visitor.get(address)
            if self.careful and response.mimetype == "text/html":
                Page(visitor, response)
            page = UncheckedPage(response)
            self.oracle.check_answer(Answer(page.status, page.address, page.words, page.markup), truth=truth)

    def _addresses(self) -> list[str]:
        with self.store.read() as connection:
            requests = connection.execute(select(intent.c.id)).scalars().all()
            links = connection.execute(select(link.c.id)).scalars().all()
        return [f"/requests/{item}" for item in requests] + [f"/links/{item}" for item in links]

    def makes_elsewhere(self, challan_ids: Iterable[str]) -> str:
        """Create a link by another system of the same organization; return its id."""
        config = ServiceConfig(self.levers.base_url, SecretSource.literal(CANARY))
        with ServiceClient(config) as client:
            made = client.create_payment_link(RC, sorted(challan_ids), expiry_hours=48, before_send=lambda: None)
        self.oracle.theirs.add(made.id)
        return made.id

    # State on disk

    def requests(self) -> list[Row[Any]]:
        with self.store.read() as connection:
            return list(connection.execute(select(intent).order_by(intent.c.prepared_at)))

    def request_of(self, form: SentForm) -> Row[Any] | None:
        """Return the intent of a form, if there is one."""
        with self.store.read() as connection:
            query = select(intent).where(intent.c.request_key == form.fields["request_key"][0])
            return connection.execute(query).one_or_none()

    def state(self, form: SentForm) -> str:
        """Return the state of a form's intent."""
        row = self.request_of(form)
        assert row is not None, "it made none"
        return str(row.state)

    @property
    def posts(self) -> int:
        """Count the calls that asked the service to create a link."""
        return self.levers.count("create_link")

    def page_of(self, form: SentForm) -> str:
        """Return the address of the page of a form's request."""
        row = self.request_of(form)
        assert row is not None
        return f"/requests/{row.id}"

    def claimed(self) -> set[str]:
        """Return the challans with an open claim."""
        with self.store.read() as connection:
            return set(connection.execute(select(claim.c.challan_id).where(claim.c.released_at.is_(None))).scalars())

    def open_requests(self, undecided: Iterable[str] = ()) -> list[Row[Any]]:
        """Return the open intents, but for those that `undecided` names."""
        with self.store.read() as connection:
            rows = connection.execute(select(intent).where(intent.c.state.in_(_OPEN)))
            return [row for row in rows if row.id not in set(undecided)]

    # Time

    @property
    def now(self) -> datetime:
        """Return the moment by the clock of the process that survives."""
        moment: datetime = self.app.extensions["services"].clock()
        return moment

    def passes(self, seconds: float) -> None:
        """Advance the dashboard's clock and the service's."""
        self.app_factory.clock.advance(seconds)
        self.levers.advance(seconds)
        self.app.extensions["services"].clocks.compare()  # As each process does by itself.

    def step(self, seconds: float) -> None:
        """Step the database's clock, which every process of ours follows, and not the service's."""
        self.app_factory.clock.step(seconds)
        self.app.extensions["services"].clocks.compare()

    def work(self, *, at: Point | None = None) -> Any:
        """Run one round of a worker: in this process, or in one that dies at a failpoint."""
        if at is None:
            return killable_processes.run_worker_once(self.app)
        return KillableTask(self.app_factory, killable_processes.run_worker_once, at=at).result()

    def worker_dies(self, at: Point) -> bool:
        """Run one round of a worker that dies at a failpoint; False when it did not reach it."""
        task = KillableTask(self.app_factory, killable_processes.run_worker_once, at=at)
        task.result()
        return task.was_killed

    def round(self) -> None:
        """Run the workers' due rounds, and have people read the pages after a change."""
        self.work()
        if (now := self._state()) != self._seen:
            self._seen = now
            self._reads(MEERA, self._addresses())

    def settles(self, *, minutes: float = 40, undecided: Iterable[str] = ()) -> None:
        """Run the workers until every intent has its outcome and every link is known, or for so many minutes.

        `undecided` requests need no end. Time moves on by no more than to the next moment that something is due.
        """
        until = self.now + timedelta(minutes=minutes)
        self.round()
        while self.now < until and (self.open_requests(undecided) or self._links_unknown()):
            self.passes(self._pause())
            self.round()
        self.passes(61)
        self.round()

    def all_is_well(self) -> None:
        """Let everything settle, read every page, and run the oracle's checks."""
        self.settles()
        self.reads_everything()
        self.oracle.verify()

    def awaits_the_service(self, calls: int = 0) -> None:
        """Wait until the service has received at least so many creations and handled them all."""

        def done() -> bool:
            received = self.levers.calls("create_link")
            return len(received) >= calls and all(call["status"] or call["fault"] for call in received)

        until(done)

    def _pause(self) -> float:
        """Return the seconds until something is due; half a minute when nothing is, or when due work is not done."""
        now = self.now
        due = [moment for row in self.requests() if (moment := _due(row)) is not None and moment > now]
        return min([(moment - now).total_seconds() + 0.05 for moment in due] or [30])

    def _links_unknown(self) -> bool:
        """Check whether the service has links that we have not observed."""
        with self.store.read() as connection:
            known = set(connection.execute(select(link.c.id)).scalars())
        return any(item["id"] not in known and item["organization"] == "demo" for item in self.levers.truth()["links"])

    def _state(self) -> object:
        """Return the data that the pages show, without ages."""
        with self.store.read() as connection:
            requests = select(
                intent.c.id, intent.c.state, intent.c.attempts, intent.c.attempt_failure, intent.c.link_id
            )
            links = select(link.c.id, link.c.status, link.c.failure)
            return [tuple(row) for query in (requests, links) for row in connection.execute(query)]


def _due(row: Row[Any]) -> Any:
    """Return when a worker has something to do for an intent."""
    match IntentState(row.state):
        case IntentState.SENDING:
            return row.lease_until
        case IntentState.PREPARED:
            return row.lease_until or row.prepared_at + timedelta(seconds=30)
        case _:
            return row.next_check_at
