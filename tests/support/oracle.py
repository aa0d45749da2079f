"""Compare the replica's truth, our store, and the words that people read.

Zero duplicates, zero lost links, zero false words, nothing stuck, at most one POST per request.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, select

from dashboard.domain.intents import LINK_KNOWN, NOTHING_CREATED, IntentState
from dashboard.store.creation.intents import claim, intent, intent_event
from dashboard.store.engine import Store
from dashboard.store.links.tables import DUPLICATE, link, link_event
from tests.support.disowned_links import disowned_links
from tests.support.killable_processes import Answer
from tests.support.levers import Levers

#: Words that deny that a request created a link, or that the link exists; not even in a condition (I6).
DENIALS = re.compile(
    r"no (?:new |payment )?link (?:was|has been|is|exists)|(?:not|never) (?:been )?(?:created|made)|did not create"
    r"|found no link|was never sent|nothing was sent|nothing has been sent"
    r"|(?:link|request|creation|creating)\W+(?:has |was )?failed|failed to create|could not be created",
    re.I,
)
CONFIRMS = re.compile(r"(?<!no )(?<!new )(?<!second )link was created|most likely made by the request", re.I)
_APOLOGY = re.compile(r"we are sorry", re.I)
REQUEST_PAGE = re.compile(r"^/requests/([0-9a-f-]{36})$")
LINK_PAGE = re.compile(r"^/links/([0-9a-f-]{36})$")
_VEHICLE_PAGE = re.compile(r"^/vehicles/[A-Z0-9]+$")
STATUS = re.compile(r'id="link-panel"[^>]*data-status="([^"]*)"')
_TICKABLE = re.compile(r'<input[^>]*type="checkbox"[^>]*name="challan"[^>]*value="([0-9a-f-]{36})"')
#: Both clocks run alike, but a busy machine may read them at different moments.
_TOLERANCE = timedelta(seconds=5)
_SETTLED = NOTHING_CREATED | LINK_KNOWN
_MADE = (IntentState.CREATED, IntentState.RECOVERED)

Truth = Mapping[str, Any]


class Kind(StrEnum):
    """Classify violations."""

    DUPLICATE = "duplicate"
    LOST = "lost"
    FALSE_WORD = "false word"
    STUCK = "stuck"
    POSTS = "posts"  #: More than one POST for a request, or a POST without a request.
    CLAIM = "claim"  #: A challan claimed for no reason, or released for none.
    STATE = "state"  #: The ledger has another status of a link than the service.


@dataclass(frozen=True)
class Violation:
    kind: Kind
    words: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.words}"


class Oracle:
    """Collect violations during a test, and raise them all at its end.

    `theirs` are links that the test made in another system. `late_links`: assumption A4 is broken on purpose, so a
    denial may turn out wrong; the page must correct it by the end, with an apology. `tolerance` is how far the
    service's clock may be from ours. `paid_late` are links that the test paid after their end: with another link on the
    same challans they need an alarm, and are no violation.
    """

    def __init__(
        self,
        levers: Levers,
        store: Store,
        *,
        theirs: Iterable[str] = (),
        late_links: bool = False,
        tolerance: timedelta = _TOLERANCE,
    ) -> None:
        self._levers = levers
        self._store = store
        self.late_links = late_links
        self._tolerance = tolerance
        self.theirs = set(theirs)
        self.paid_late: set[str] = set()
        self.violations: list[Violation] = []
        self.most_posts = 0  #: For one request; known after `verify`.
        self._denied: set[str] = set()

    # During a test

    def check_answer(
        self, answer: Answer | None, *, person_id: int | None = None, key: str | None = None, truth: Truth | None = None
    ) -> None:
        """Check the answer that a person just received. `person_id` and `key` are those of the form that they sent;
        `truth` is the replica's, if the caller has just read it.
        """
        if answer is None:
            return
        truth = truth or self._levers.truth()
        self._find_duplicates(truth)
        if found := REQUEST_PAGE.match(answer.address):
            self._check_request_page(found[1], answer, truth)
        elif found := LINK_PAGE.match(answer.address):
            self._check_link_page(found[1], answer, truth)
        elif _VEHICLE_PAGE.match(answer.address):
            self._check_vehicle_page(answer)
        self._check_makers(answer, truth)
        if key is not None and not REQUEST_PAGE.match(answer.address):
            self._check_after_sending(self._request(key=key, person_id=person_id), answer, truth)

    def _check_request_page(self, request_id: str, answer: Answer, truth: Truth) -> None:
        row = self._request(request_id=request_id)
        if row is None:
            return
        made = self._made_by(row, truth)
        denial = DENIALS.search(answer.words)
        if denial and made and not self.late_links:
            self._report(Kind.FALSE_WORD, f"{row.id} made {made}, but its page says: {_around(denial, answer)}")
        if denial and row.state not in NOTHING_CREATED:
            self._report(Kind.FALSE_WORD, f"{row.id} is {row.state}, but its page says: {_around(denial, answer)}")
        if denial and row.state in NOTHING_CREATED and row.sends:
            self._denied.add(row.id)
        confirmed = CONFIRMS.search(answer.words)
        # With late links, either of two equal requests may have created one: "most likely" is true of both.
        guessed = confirmed and self.late_links and "most likely" in confirmed[0].lower()
        if confirmed and not made and not guessed:
            self._report(Kind.FALSE_WORD, f"{row.id} made no link, but its page says so: {answer.words[:300]}")
        sorry = bool(_APOLOGY.search(answer.words))
        if row.id in self._denied and row.state in _MADE and not sorry:
            self._report(Kind.FALSE_WORD, f"{row.id} was denied before, and its page does not say sorry")
        if sorry and not self._was_denied(row.id):
            self._report(Kind.FALSE_WORD, f"{row.id} was never denied, and its page says sorry")

    def _check_link_page(self, link_id: str, answer: Answer, truth: Truth) -> None:
        statuses = {item["id"]: item["status"] for item in truth["links"]}
        if link_id not in statuses:
            self._report(Kind.FALSE_WORD, f"{answer.address} is shown, and the service knows no such link")
        shown = STATUS.search(answer.markup)
        if shown and shown[1] == "PAID" and statuses.get(link_id) != "PAID":
            self._report(Kind.FALSE_WORD, f"{link_id} is shown as PAID and is {statuses.get(link_id)}")

    def _check_makers(self, answer: Answer, truth: Truth) -> None:
        """Check that no page, list or export calls a link made elsewhere which one of our requests created."""
        if not (disowned := disowned_links(answer.address, answer.markup) - self.theirs):
            return
        with self._store.read() as connection:
            sent = connection.execute(select(intent).where(intent.c.sends > 0)).all()
        for row in sent:
            if self.late_links and row.state in NOTHING_CREATED:
                continue
            for link_id in disowned.intersection(self._made_by(row, truth)):
                self._report(Kind.FALSE_WORD, f"{row.id} made {link_id}, which {answer.address} calls made elsewhere")

    def _check_vehicle_page(self, answer: Answer) -> None:
        """Check a vehicle's page: a claimed challan cannot be ticked."""
        offered = set(_TICKABLE.findall(answer.markup))
        with self._store.read() as connection:
            held = set(connection.execute(select(claim.c.challan_id).where(claim.c.released_at.is_(None))).scalars())
        for challan_id in offered & held:
            self._report(Kind.CLAIM, f"challan {challan_id} is held, and offered on {answer.address}")

    def _check_after_sending(self, row: Row[Any] | None, answer: Answer, truth: Truth) -> None:
        if row is None:
            return
        denial = DENIALS.search(answer.words)
        if denial and row.sends:
            self._report(Kind.FALSE_WORD, f"{row.id} was sent, but {answer.address} says: {_around(denial, answer)}")
        made = self._made_by(row, truth)
        if CONFIRMS.search(answer.words) and not made:
            self._report(Kind.FALSE_WORD, f"{answer.address} says that {row.id} made a link, and it has not")
        about = LINK_PAGE.match(answer.address)
        if about and about[1] not in made:
            self._report(Kind.FALSE_WORD, f"{row.id} led to {answer.address}, and made {made or 'none'}")

    # At the end

    def verify(self, *, undecided: Iterable[str] = (), delisted: Iterable[str] = ()) -> None:
        """Raise AssertionError with all violations, once every request has ended but those that `undecided` names.

        No search can show a link that another system made on `delisted` challans alone.
        """
        truth = self._levers.truth()
        with self._store.read() as connection:
            requests = connection.execute(select(intent)).all()
            ledger = {row.id: row for row in connection.execute(select(link))}
            claims = connection.execute(select(claim).where(claim.c.released_at.is_(None))).all()
        self._find_duplicates(truth)
        self._find_unalarmed(truth)
        waiting, hidden = set(undecided), set(delisted)
        unseen = {link_id for link_id in self.theirs if hidden.issuperset(_covered_by(truth, link_id))}
        self._find_lost(truth, ledger, requests, waiting, unseen)
        self._find_stuck(requests, waiting)
        self._find_excess_sends(requests, truth)
        self._find_wrong_claims(truth, requests, claims)
        self._find_wrong_states(truth, ledger)
        self._find_wrong_ends(truth, requests)
        assert not self.violations, "\n".join(dict.fromkeys(str(violation) for violation in self.violations))

    def count(self, kind: Kind) -> int:
        """Return the number of violations of a kind."""
        return len({violation for violation in self.violations if violation.kind is kind})

    def _find_duplicates(self, truth: Truth) -> None:
        """Find challans with more than one link that can be or was paid: at any moment, not only at the end."""
        for challan_id, held_by in _holders(truth).items():
            if len(held_by - self.paid_late) > 1 and not self.theirs.issuperset(held_by):
                self._report(Kind.DUPLICATE, f"challan {challan_id} is on {sorted(held_by)}")

    def _find_unalarmed(self, truth: Truth) -> None:
        """Find links that were paid late, with another link on the same challans, and have no alarm."""
        with self._store.read() as connection:
            alarms = set(
                connection.execute(select(link_event.c.link_id).where(link_event.c.kind == DUPLICATE)).scalars()
            )
        for challan_id, held_by in _holders(truth).items():
            if len(held_by) > 1 and held_by & self.paid_late and not held_by & alarms:
                self._report(Kind.DUPLICATE, f"challan {challan_id} is on {sorted(held_by)}, without an alarm")

    def _find_lost(
        self,
        truth: Truth,
        ledger: Mapping[str, Row[Any]],
        requests: Sequence[Row[Any]],
        undecided: set[str],
        unseen: set[str],
    ) -> None:
        """Find links without a request. An undecided request holds its challans for the link that it may have made."""
        known = {row.link_id for row in requests}
        awaited = {link_id for row in requests if row.id in undecided for link_id in self._made_by(row, truth)}
        for item in truth["links"]:
            if item["organization"] != "demo" or item["id"] in awaited:
                continue
            if item["id"] not in ledger and item["id"] not in unseen:
                self._report(Kind.LOST, f"link {item['id']} ({item['status']}) is not in the ledger")
            elif item["id"] not in self.theirs and item["id"] not in known:
                self._report(Kind.LOST, f"link {item['id']} belongs to none of the requests")

    def _find_stuck(self, requests: Iterable[Row[Any]], undecided: set[str]) -> None:
        for row in requests:
            if row.state not in _SETTLED and row.id not in undecided:
                self._report(Kind.STUCK, f"request {row.id} is {row.state} ({row.outcome}, {row.attempt_failure})")

    def _find_excess_sends(self, requests: Sequence[Row[Any]], truth: Truth) -> None:
        posted = Counter(asked_for(call["body"]) for call in self._levers.calls("create_link"))
        allowed = Counter(tuple(row.challan_ids) for row in requests for _ in range(row.sends))
        theirs = Counter(_covered(item) for item in truth["links"] if item["id"] in self.theirs)
        del posted[()]  # Only other systems name challans by their numbers.
        for asked, count in posted.items():
            ours = count - theirs[asked]
            if ours > allowed[asked]:
                self._report(Kind.POSTS, f"{ours} POSTs for {asked}, and {allowed[asked]} were marked as sent")
            self.most_posts = max(self.most_posts, -(-ours // max(1, allowed[asked])))

    def _find_wrong_claims(self, truth: Truth, requests: Sequence[Row[Any]], claims: Iterable[Row[Any]]) -> None:
        claimed = {row.challan_id: row for row in claims}
        states = {row.id: row.state for row in requests}
        live = {item["id"]: item["live"] for item in truth["links"]}
        covered = {item["id"]: _covered(item) for item in truth["links"]}
        for row in requests:
            held = set(covered.get(row.link_id, ())) & set(row.challan_ids) if live.get(row.link_id) else set()
            for challan_id in sorted(held - claimed.keys()):
                self._report(Kind.CLAIM, f"challan {challan_id} is on {row.link_id} and free for us")
        for row in claimed.values():
            state = states[row.intent_id]
            if state in NOTHING_CREATED:
                self._report(Kind.CLAIM, f"challan {row.challan_id} stays held by {row.intent_id}, which is {state}")
            elif row.link_id is not None and not live.get(row.link_id, True):
                self._report(Kind.CLAIM, f"challan {row.challan_id} stays held by {row.link_id}, which has ended")
            elif state in LINK_KNOWN and row.link_id is None:
                self._report(Kind.CLAIM, f"challan {row.challan_id} is held by {row.intent_id} ({state}) for no link")

    def _find_wrong_states(self, truth: Truth, ledger: Mapping[str, Row[Any]]) -> None:
        statuses = {item["id"]: item["status"] for item in truth["links"]}
        for link_id, row in ledger.items():
            if link_id not in statuses:
                self._report(Kind.STATE, f"link {link_id} is in the ledger, and the service knows no such link")
            elif row.status != statuses[link_id]:
                self._report(Kind.STATE, f"link {link_id} is {statuses[link_id]}, and we say {row.status!r}")

    def _find_wrong_ends(self, truth: Truth, requests: Iterable[Row[Any]]) -> None:
        """Find requests that confirm or deny wrongly that they created a link. Late links prove neither."""
        for row in () if self.late_links else requests:
            made = self._made_by(row, truth)
            if row.state in _MADE and row.link_id not in made:
                self._report(Kind.FALSE_WORD, f"request {row.id} is {row.state} with {row.link_id}, and made {made}")
            elif made and row.state in NOTHING_CREATED:
                self._report(Kind.FALSE_WORD, f"request {row.id} is {row.state}, and made {made}")

    # Queries

    def _request(self, *, request_id: str | None = None, key: str | None = None, person_id: int | None = None) -> Any:
        query = select(intent)
        query = query.where(intent.c.id == request_id) if request_id else query.where(intent.c.request_key == key)
        if person_id is not None:
            query = query.where(intent.c.person_id == person_id)
        with self._store.read() as connection:
            return connection.execute(query).one_or_none()

    def _was_denied(self, request_id: str) -> bool:
        """Check whether the request was ever NOT_CREATED, so that its page denied that it created a link."""
        denied = select(intent_event.c.id).where(intent_event.c.new == IntentState.NOT_CREATED)
        with self._store.read() as connection:
            return connection.execute(denied.where(intent_event.c.intent_id == request_id)).first() is not None

    def _made_by(self, row: Row[Any], truth: Truth) -> list[str]:
        """Return the links at the service that only this request can have created."""
        if not row.sends:
            return []
        with self._store.read() as connection:
            same = connection.execute(select(intent).where(intent.c.rc == row.rc, intent.c.sends == 1)).all()
        others = [other.send_started for other in same if other.challan_ids == row.challan_ids and other.id != row.id]
        made = []
        for item in truth["links"]:
            created = datetime.fromisoformat(item["createdAt"])
            if row.send_started <= created:
                in_time = not any(row.send_started < other <= created for other in others)
            else:
                # By the service's clock before it was sent: its own, unless one that was sent before can have made it.
                in_time = row.send_started - self._tolerance <= created and not any(
                    other <= created for other in others
                )
            if item["id"] not in self.theirs and _covered(item) == tuple(row.challan_ids) and in_time:
                made.append(item["id"])
        return made

    def _report(self, kind: Kind, words: str) -> None:
        self.violations.append(Violation(kind, words))


def _holders(truth: Truth) -> dict[str, set[str]]:
    """Return the links, live or paid, that cover each challan."""
    holders: dict[str, set[str]] = {}
    for item in truth["links"]:
        for challan in item["challans"] if item["live"] else ():
            holders.setdefault(challan["id"], set()).add(item["id"])
    return holders


def _covered(item: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(sorted(challan["id"] for challan in item["challans"]))


def _covered_by(truth: Truth, link_id: str) -> tuple[str, ...]:
    return next((_covered(item) for item in truth["links"] if item["id"] == link_id), ())


def asked_for(body: str) -> tuple[str, ...]:
    """Return the challans that a POST to create a link names, sorted."""
    try:
        return tuple(sorted(json.loads(body)["challan_ids"]))
    except (ValueError, KeyError, TypeError):
        return ()


def _around(found: re.Match[str], answer: Answer) -> str:
    return answer.words[max(0, found.start() - 80) : found.end() + 40]
