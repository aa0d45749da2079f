"""Collect every page shown in a storm, and check it once its truth can no longer change.

While processes race, a page and the truth cannot be read at the same moment. So each page is recorded with the moments
between which it was made, and checked at the end against facts that never change: when a request was sent, which link
it made, that a link was paid.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row

from dashboard.domain.intents import NOTHING_CREATED, IntentState
from tests.support.browser import Form, ShownPage
from tests.support.oracle import CONFIRMS, DENIALS, LINK_PAGE, REQUEST_PAGE, STATUS

#: The service writes whole milliseconds; otherwise both clocks are one.
_ROUNDING = timedelta(milliseconds=2)
#: The page itself, or a form's answer that leads to it.
_LED_THERE = (200, 303)


@dataclass(frozen=True)
class Click:
    """Record a form that requests a link, its sender, and the start and answer time of every send."""

    person_id: int
    form: Form

    @property
    def key(self) -> str:
        return self.form.value("request_key")

    @property
    def challan_ids(self) -> tuple[str, ...]:
        return tuple(sorted(self.form.values("challan")))


@dataclass(frozen=True)
class _Statement:
    shown: ShownPage
    click: Click | None


class Witness:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._statements: list[_Statement] = []
        self.clicks: dict[str, Click] = {}

    @property
    def pages(self) -> int:
        return len(self._statements)

    def see(self, shown: ShownPage, click: Click | None = None) -> None:
        """Record a page that a person was shown; `click` is the form that led to it."""
        with self._lock:
            self._statements.append(_Statement(shown, click))

    def false_statements(self, requests: Iterable[Row[Any]], links: Iterable[dict[str, Any]]) -> list[str]:
        """Return the false statements. `requests` are our rows, `links` the service's truth without others' links."""
        with self._lock:
            statements = list(self._statements)
        court = _Court(list(requests), list(links))
        return [f"{_page(statement)}: {fault}" for statement in statements for fault in court.faults(statement)]


class _Court:
    def __init__(self, requests: list[Row[Any]], links: list[dict[str, Any]]) -> None:
        self._requests = {row.id: row for row in requests}
        self._by_key = {(row.person_id, row.request_key): row for row in requests}
        self._links = {item["id"]: item for item in links}
        self.made = _attribute(requests, links)

    def faults(self, statement: _Statement) -> list[str]:
        shown, click = statement.shown, statement.click
        found = [_broken(shown)]
        if address := REQUEST_PAGE.match(shown.address):
            found.append(self._of_request(address[1], shown, click))
        elif address := LINK_PAGE.match(shown.address):
            found.append(self._of_link(address[1], shown, click))
        elif click is not None:
            found.append(self._of_answer(shown, click))
        return [fault for fault in found if fault]

    def _of_request(self, request_id: str, shown: ShownPage, click: Click | None) -> str | None:
        row = self._requests.get(request_id)
        if shown.status not in _LED_THERE:
            return None
        if row is None:
            return "the page of a request that does not exist"
        if click is not None and (row.person_id, row.request_key) != (click.person_id, click.key):
            return f"the form with the key {click.key} led to somebody else's request"
        denial = DENIALS.search(shown.words)
        if denial is None:
            return None
        if shown.request_state == IntentState.PREPARED:
            if row.send_started is not None and row.send_started < shown.asked_at:
                return f"it was sent at {row.send_started}, before this was asked for: {denial[0]}"
            return None
        if shown.request_state not in NOTHING_CREATED:
            return f"it is {shown.request_state}, and yet: {denial[0]}"
        if made := self.made.get(request_id):
            return f"it made {made}, and yet: {denial[0]}"
        return None

    def _of_link(self, link_id: str, shown: ShownPage, click: Click | None) -> str | None:
        if shown.status not in _LED_THERE:
            return None
        truth = self._links.get(link_id)
        status = STATUS.search(shown.markup)
        if status and status[1] == "PAID" and truth and truth["status"] != "PAID":
            return f"shown as PAID, and it is {truth['status']}"
        if click is not None:
            row = self._by_key.get((click.person_id, click.key))
            if row is None or row.link_id != link_id:
                return f"the form with the key {click.key} led to a link that is not its own"
            covered = tuple(sorted(item["id"] for item in truth["challans"])) if truth else ()
            if covered != click.challan_ids:
                return f"it covers {covered}, and {click.challan_ids} were asked for"
        return None

    def _of_answer(self, shown: ShownPage, click: Click) -> str | None:
        """Check an answer that is neither a request's page nor a link's, such as the review drawn again."""
        row = self._by_key.get((click.person_id, click.key))
        if CONFIRMS.search(shown.words) and not (row and self.made.get(row.id)):
            return f"says that a link was created, and none was: {shown.words[:200]}"
        denial = DENIALS.search(shown.words)
        if denial and row is not None and row.send_started is not None and row.send_started < shown.asked_at:
            return f"{row.id} was sent at {row.send_started}, before this form was: {denial[0]}"
        return None


def _broken(shown: ShownPage) -> str | None:
    return f"something went wrong here: {shown.words[:200]}" if shown.status == 500 else None


def _attribute(requests: Iterable[Row[Any]], links: Iterable[dict[str, Any]]) -> dict[str, list[str]]:
    """Map each intent to its links: those on exactly its challans, from its send until the next one for them."""
    sent: dict[tuple[str, ...], list[tuple[datetime, str]]] = {}
    for row in requests:
        if row.sends:
            sent.setdefault(tuple(row.challan_ids), []).append((row.send_started, row.id))
    for group in sent.values():
        group.sort()
    made: dict[str, list[str]] = {}
    for item in links:
        group = sent.get(tuple(sorted(challan["id"] for challan in item["challans"])), [])
        created = datetime.fromisoformat(item["createdAt"]) + _ROUNDING
        place = bisect_right([started for started, _ in group], created)
        if place:
            made.setdefault(group[place - 1][1], []).append(item["id"])
    return made


def _page(statement: _Statement) -> str:
    sent = f", in answer to {statement.click.key}" if statement.click else ""
    return f"{statement.shown.address} ({statement.shown.status}) at {statement.shown.arrived_at:%H:%M:%S.%f}{sent}"
