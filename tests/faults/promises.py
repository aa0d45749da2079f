"""Check the invariants of link-creation.md after every single step."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sqlalchemy import Row, select

from dashboard.domain.intents import OPEN, IntentState
from dashboard.store.creation.intents import claim, intent, intent_event
from dashboard.store.links.tables import link, link_event
from tests.faults.office import Office
from tests.support.oracle import Truth, asked_for

S = IntentState
#: Every change of state that there may be; a late answer may turn any into CREATED.
MAY_BECOME = {
    None: {S.PREPARED},
    S.PREPARED: {S.SENDING, S.NOT_SENT, S.ABANDONED, S.ATTACHED},
    S.SENDING: {S.REJECTED, S.NOT_SENT, S.UNKNOWN},
    S.UNKNOWN: {S.RECOVERED, S.ATTACHED, S.REJECTED, S.NOT_CREATED, S.NEEDS_ATTENTION},
    S.NEEDS_ATTENTION: {S.RECOVERED, S.ATTACHED, S.REJECTED, S.NOT_CREATED},
    S.NOT_CREATED: {S.RECOVERED},
}
_SENT = set(S) - {S.PREPARED, S.NOT_SENT, S.ABANDONED}


class Promises:
    def __init__(self, office: Office) -> None:
        self._office = office
        self._history: dict[str, list[Row[Any]]] = {"intent_event": [], "link_event": []}
        self._links: set[str] = set()
        self._posts: list[dict[str, Any]] = []

    def hold(self, truth: Truth) -> None:
        """Raise AssertionError when one of them is broken. `truth` is the replica's, read a moment ago."""
        with self._office.web.store.read() as connection:
            requests = {row.id: row for row in connection.execute(select(intent))}
            claims = connection.execute(select(claim).order_by(claim.c.id)).all()
            changes = list(connection.execute(select(intent_event).order_by(intent_event.c.id)).all())
            events = list(connection.execute(select(link_event).order_by(link_event.c.id)).all())
            known = set(connection.execute(select(link.c.id)).scalars())
        self._one_open_claim(claims)
        self._one_send(requests, truth)
        self._one_live_link(truth)
        self._no_open_intent_releases(requests, claims)
        assert self._links <= known, "a link has gone from the ledger"
        self._links = known
        self._grows("intent_event", changes)
        self._grows("link_event", events)
        self._no_silent_change(requests, changes)
        assert not [row for row in events if row.kind == "status" and row.old == "PAID"], "PAID was overwritten"

    @staticmethod
    def _one_open_claim(claims: Any) -> None:
        held = Counter(row.challan_id for row in claims if row.released_at is None)
        assert max(held.values(), default=0) <= 1, f"two open claims: {held.most_common(1)}"

    def _one_send(self, requests: dict[str, Row[Any]], truth: Truth) -> None:
        assert all(row.sends <= 1 for row in requests.values()), "a request was sent twice"
        marked = Counter(tuple(row.challan_ids) for row in requests.values() for _ in range(row.sends))
        theirs = Counter(self._office.around.asked_elsewhere)
        if truth["calls"].get("create_link", 0) > len(self._posts):
            self._posts = self._office.around.levers.calls("create_link")
        for asked, count in Counter(asked_for(call["body"]) for call in self._posts).items():
            assert count <= marked[asked] + theirs[asked], f"{count} POSTs for {asked}, {marked[asked]} marked"

    def _one_live_link(self, truth: Truth) -> None:
        on: dict[str, list[str]] = {}
        for item in truth["links"]:
            for challan in item["challans"] if item["live"] and item["id"] not in self._office.around.paid_late else ():
                on.setdefault(challan["id"], []).append(item["id"])
        duplicates = {key: ids for key, ids in on.items() if len(ids) > 1}
        assert not duplicates, f"two live links: {duplicates}"

    @staticmethod
    def _no_open_intent_releases(requests: dict[str, Row[Any]], claims: Any) -> None:
        for row in claims:
            state = IntentState(requests[row.intent_id].state)
            assert row.released_at is None or state not in OPEN, (
                f"{row.intent_id} is {state}, and its claim released: {row.why}"
            )

    def _grows(self, name: str, rows: list[Row[Any]]) -> None:
        before = self._history[name]
        assert rows[: len(before)] == before, f"the history in {name} was changed"
        self._history[name] = rows

    @staticmethod
    def _no_silent_change(requests: dict[str, Row[Any]], changes: list[Row[Any]]) -> None:
        states: dict[str, str | None] = {}
        for row in changes:
            assert states.get(row.intent_id) == row.old, f"{row.intent_id} went from {row.old}, and was not there"
            states[row.intent_id] = row.new
            before = None if row.old is None else IntentState(row.old)
            late = row.new == S.CREATED and before in _SENT
            set_aside = row.old == row.new
            assert late or set_aside or row.new in MAY_BECOME.get(before, ()), f"{before} became {row.new}"
        assert states == {key: row.state for key, row in requests.items()}, "a state changed without a word"
