"""One scene of the crash table: people at pages, a process that dies at a point, a service that misbehaves.

Asha's click runs in a process of its own; what comes after (a look at the pages, her resend, a colleague's click, the
worker's rounds) runs in the processes that survive.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from flask import Flask
from sqlalchemy import select

from dashboard.crash_points import Point
from dashboard.store.engine import Store
from dashboard.store.intents import intent
from dashboard.store.link_tables import link
from tests.support import crew
from tests.support.crew import Action, Answer, Errand, Premises, SentForm
from tests.support.levers import Levers
from tests.support.oracle import Oracle
from tests.support.page import Page
from tests.support.people import ASHA, MEERA, Somebody, add
from tests.support.visitor import Visitor

RC = "MH12AB1001"


@dataclass
class Scene:
    """`premises` lead to a migrated, empty store; the replica knows `RC` with some payable challans."""

    premises: Premises
    levers: Levers
    app: Flask = field(init=False)
    oracle: Oracle = field(init=False)
    people: dict[Somebody, Visitor] = field(init=False)

    def __post_init__(self) -> None:
        self.app = self.premises.build()
        self.store: Store = self.app.extensions["store"]
        self.oracle = Oracle(self.levers, self.store)
        self.people = {}
        for somebody in (ASHA, MEERA):
            add(self.app, somebody)
            visitor = self.app.test_client()
            assert isinstance(visitor, Visitor)
            assert visitor.signs_in(somebody.email).status_code == 303
            self.people[somebody] = visitor

    def close(self) -> None:
        self.store.close()
        self.app.extensions["client"].close()

    # What people do

    def search(self, somebody: Somebody = ASHA) -> Page:
        visitor = self.people[somebody]
        return visitor.read(visitor.page("/").submit("Search", rc_number=RC))

    def review(self, somebody: Somebody = ASHA, *, hours: int = 48) -> SentForm | None:
        """Tick everything payable and open the review; the form that makes the link, or None with nothing to tick."""
        page = self.people[somebody].page(f"/vehicles/{RC}")
        boxes = [str(box["value"]) for box in page.all("input[type=checkbox][name=challan]")]
        if not boxes:
            return None
        answer = self.people[somebody].read(page.submit("Review and create", challan=boxes))
        return crew.draw(answer, "Create payment link", hours=[str(hours)])

    def click(self, form: SentForm, *, at: Point | None = None, action: Action = Action.KILL) -> Errand:
        """Send a form from a process of its own, which may die at a point."""
        return Errand(self.premises, crew.send, form, at=at, action=action)

    def send(self, form: SentForm, somebody: Somebody = ASHA) -> Answer:
        """Send a form from a process that survives, and let the oracle hear the answer."""
        answer = crew.send(self.app, form)
        self.hear(answer, form, somebody)
        return answer

    def hear(self, answer: Answer | None, form: SentForm, somebody: Somebody = ASHA) -> None:
        person = self.app.extensions["people"].find(somebody.email)
        self.oracle.hear(answer, person_id=person.id, key=form.fields["request_key"][0])

    def looks_at_everything(self, somebody: Somebody = MEERA) -> None:
        """A colleague opens every page that tells of a request or a link."""
        visitor = self.people[somebody]
        for address in [*self._addresses(), "/"]:
            response = visitor.get(address)
            page = Page(visitor, response)
            self.oracle.hear(Answer(response.status_code, address, page.text, response.text))

    def _addresses(self) -> list[str]:
        with self.store.read() as connection:
            requests = connection.execute(select(intent.c.id)).scalars().all()
            links = connection.execute(select(link.c.id)).scalars().all()
        return [f"/requests/{item}" for item in requests] + [f"/links/{item}" for item in links]

    # Time

    def passes(self, seconds: float) -> None:
        """Time goes by, for us and for the service."""
        self.premises.clock.advance(seconds)
        self.levers.advance(seconds)

    def work(self, *, at: Point | None = None) -> Any:
        """A round of a worker: in this process, or in one that dies at a point."""
        if at is None:
            return crew.watch(self.app)
        return Errand(self.premises, crew.watch, at=at).ended()

    def settles(self, *, minutes: int = 8) -> None:
        """Let the workers go on until everything has had its time."""
        for seconds in (4, 30, 45, 60, *[60] * minutes):
            self.passes(seconds)
            self.work()
            self.looks_at_everything()
