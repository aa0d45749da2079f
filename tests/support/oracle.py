"""The oracle: the replica's truth, our store, and the words that people were shown, held against each other.

Zero duplicates, zero lost links, zero false words, nothing stuck, at most one POST per request.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, select

from dashboard.domain.intents import LINK_KNOWN, NOTHING_CREATED, IntentState
from dashboard.domain.links import ENDED_STATUSES
from dashboard.store.engine import Store
from dashboard.store.intents import claim, intent
from dashboard.store.link_tables import link
from tests.support.crew import Answer
from tests.support.levers import Levers

#: Words that deny that a link was made by the request they are about (I6).
DENIALS = re.compile(
    r"no link was created|not created|found no link|was never sent|nothing was sent|nothing has been sent", re.I
)
CONFIRMS = re.compile(r"link was created", re.I)
REQUEST_PAGE = re.compile(r"^/requests/([0-9a-f-]{36})$")
LINK_PAGE = re.compile(r"^/links/([0-9a-f-]{36})$")
STATUS = re.compile(r'id="link-panel"[^>]*data-status="([^"]*)"')
#: Both clocks tick alike; moments are compared with what a busy machine may lie between two readings.
_TOLERANCE = timedelta(seconds=5)
_SETTLED = NOTHING_CREATED | LINK_KNOWN
_HOLDS = ("ACTIVE", "PAID")


class Oracle:
    """`theirs` are the links that the test itself made elsewhere. `late_links`: assumption A4 is broken on purpose, so
    a denial may turn out wrong; it must be put right by the end, with an apology.
    """

    def __init__(self, levers: Levers, store: Store, *, theirs: Iterable[str] = (), late_links: bool = False) -> None:
        self._levers = levers
        self._store = store
        self._late_links = late_links
        self.theirs = set(theirs)
        self.findings: list[str] = []

    # While it goes on

    def hear(self, answer: Answer | None, *, person_id: int | None = None, key: str | None = None) -> None:
        """Somebody was shown an answer just now. `person_id` and `key` are those of the form that they sent."""
        if answer is None:
            return
        truth = self._levers.truth()
        if found := REQUEST_PAGE.match(answer.address):
            self._hear_about_request(found[1], answer, truth)
        elif found := LINK_PAGE.match(answer.address):
            self._hear_about_link(found[1], answer, truth)
        elif key is not None and DENIALS.search(answer.words):
            row = self._request(key=key, person_id=person_id)
            if row is not None and row.sends:
                self._find(f"{row.id} was sent, but {answer.address} says: {_denial(answer.words)}")
        elif key is not None and CONFIRMS.search(answer.words):
            row = self._request(key=key, person_id=person_id)
            if row is not None and not self._made_by(row, truth):
                self._find(f"{answer.address} says that {row.id} made a link, and it has not")

    def _hear_about_request(self, request_id: str, answer: Answer, truth: dict[str, Any]) -> None:
        row = self._request(request_id=request_id)
        made = self._made_by(row, truth)
        if made and DENIALS.search(answer.words) and not self._late_links:
            self._find(f"{request_id} made {made}, but its page says: {_denial(answer.words)}")
        denies = row.state in NOTHING_CREATED or row.state == IntentState.PREPARED
        if DENIALS.search(answer.words) and not denies:
            self._find(f"{request_id} is {row.state}, but its page says: {_denial(answer.words)}")

    def _hear_about_link(self, link_id: str, answer: Answer, truth: dict[str, Any]) -> None:
        statuses = {item["id"]: item["status"] for item in truth["links"]}
        if link_id not in statuses:
            self._find(f"{answer.address} is shown, and the service knows no such link")
        shown = STATUS.search(answer.markup)
        if shown and shown[1] == "PAID" and statuses.get(link_id) != "PAID":
            self._find(f"{link_id} is shown as PAID and is {statuses.get(link_id)}")

    # In the end

    def verify(self, *, undecided: Iterable[str] = ()) -> None:
        """Raise AssertionError with all that is wrong, once everything has settled; `undecided` requests need not."""
        truth = self._levers.truth()
        with self._store.read() as connection:
            requests = connection.execute(select(intent)).all()
            ledger = {row.id: row for row in connection.execute(select(link))}
            claims = connection.execute(select(claim).where(claim.c.released_at.is_(None))).all()
        self._find_doubles(truth)
        self._find_lost(truth, ledger, requests)
        self._find_stuck(requests, set(undecided))
        self._find_excess_sends(requests)
        self._find_wrong_claims(truth, requests, claims)
        self._find_wrong_states(truth, ledger)
        assert not self.findings, "\n".join(self.findings)

    def _find_doubles(self, truth: dict[str, Any]) -> None:
        holders: dict[str, list[str]] = {}
        for item in truth["links"]:
            for challan in item["challans"] if item["status"] in _HOLDS else ():
                holders.setdefault(challan["id"], []).append(item["id"])
        for challan_id, held_by in holders.items():
            if len(held_by) > 1:
                self._find(f"double: challan {challan_id} is on {held_by}")

    def _find_lost(self, truth: dict[str, Any], ledger: dict[str, Row[Any]], requests: Iterable[Row[Any]]) -> None:
        known = {row.link_id for row in requests}
        for item in truth["links"]:
            if item["organization"] != "demo":
                continue
            row = ledger.get(item["id"])
            if row is None:
                self._find(f"lost: link {item['id']} ({item['status']}) is not in the ledger")
            elif item["id"] not in self.theirs and row.id not in known:
                self._find(f"lost: link {item['id']} belongs to none of the requests")

    def _find_stuck(self, requests: Iterable[Row[Any]], undecided: set[str]) -> None:
        for row in requests:
            if row.state not in _SETTLED and row.id not in undecided:
                self._find(f"stuck: request {row.id} is {row.state} (outcome {row.outcome}, {row.look_failure})")

    def _find_excess_sends(self, requests: Iterable[Row[Any]]) -> None:
        posted = Counter(_asked_for(call["body"]) for call in self._levers.calls("create_link"))
        allowed = Counter(tuple(row.challan_ids) for row in requests for _ in range(row.sends))
        for asked, count in posted.items():
            others = sum(1 for item in self._levers.truth()["links"] if item["id"] in self.theirs)
            if count > allowed[asked] + others:
                self._find(f"{count} POSTs for {asked}, and {allowed[asked]} were marked as sent")

    def _find_wrong_claims(
        self, truth: dict[str, Any], requests: Iterable[Row[Any]], claims: Iterable[Row[Any]]
    ) -> None:
        claimed = {row.challan_id for row in claims}
        states = {row.id: row.state for row in requests}
        service = {item["id"]: item for item in truth["links"]}
        for row in requests:
            item = service.get(row.link_id or "")
            if item is None or item["status"] not in _HOLDS:
                continue
            free = {challan["id"] for challan in item["challans"]} & set(row.challan_ids) - claimed
            for challan_id in sorted(free):
                self._find(f"challan {challan_id} is on {row.link_id} ({item['status']}) and free for us")
        for row in claims:
            if states[row.intent_id] in NOTHING_CREATED:
                self._find(f"challan {row.challan_id} stays held by {row.intent_id}, which is {states[row.intent_id]}")
            elif row.link_id in service and service[row.link_id]["status"] in ENDED_STATUSES:
                self._find(f"challan {row.challan_id} stays held by {row.link_id}, which has ended")

    def _find_wrong_states(self, truth: dict[str, Any], ledger: dict[str, Row[Any]]) -> None:
        for item in truth["links"]:
            row = ledger.get(item["id"])
            if row is not None and row.status != item["status"]:
                self._find(f"link {item['id']} is {item['status']}, and we say {row.status!r}")

    # Asking

    def _request(self, *, request_id: str | None = None, key: str | None = None, person_id: int | None = None) -> Any:
        query = select(intent)
        query = query.where(intent.c.id == request_id) if request_id else query.where(intent.c.request_key == key)
        if person_id is not None:
            query = query.where(intent.c.person_id == person_id)
        with self._store.read() as connection:
            return connection.execute(query).one_or_none()

    def _made_by(self, row: Row[Any], truth: dict[str, Any]) -> list[str]:
        """The links at the service that can only have come of this request."""
        if not row.sends:
            return []
        with self._store.read() as connection:
            same = connection.execute(select(intent).where(intent.c.rc == row.rc, intent.c.sends == 1)).all()
        later = [
            other.send_started
            for other in same
            if other.challan_ids == row.challan_ids and other.send_started > row.send_started
        ]
        until = min(later, default=None)
        made = []
        for item in truth["links"]:
            created = datetime.fromisoformat(item["createdAt"])
            covered = sorted(challan["id"] for challan in item["challans"])
            in_time = row.send_started - _TOLERANCE <= created and (until is None or created < until)
            if item["id"] not in self.theirs and covered == list(row.challan_ids) and in_time:
                made.append(item["id"])
        return made

    def _find(self, words: str) -> None:
        self.findings.append(words)


def _asked_for(body: str) -> tuple[str, ...]:
    try:
        return tuple(sorted(json.loads(body)["challan_ids"]))
    except (ValueError, KeyError, TypeError):
        return ()


def _denial(words: str) -> str:
    found = DENIALS.search(words)
    assert found is not None
    return words[max(0, found.start() - 80) : found.end() + 40]
