"""Execute one call of the API without HTTP, so that it can also be executed late or twice."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from dashboard.replica import allowances, auth, clock, linking, searching, switches
from dashboard.replica.bodies import link_body, parse_object, search_body, uuid_of
from dashboard.replica.refusals import Refused
from dashboard.replica.settings import ReplicaSettings
from dashboard.replica.state import State

# The document shows no error body, so every refusal has the same one.
ERROR_BODY = {"success": False, "message": "The request could not be completed."}


@dataclass(frozen=True)
class Call:
    operation: str
    body: bytes
    content_type: str | None
    link_id: str | None
    page_base: str
    authorization: str | None = field(default=None, repr=False)
    address: str = ""

    def stored(self) -> str:
        """Return the call as stored for a late execution, without the token: the organization was found on receipt."""
        parts = asdict(self)
        parts.update(body=self.body.decode("latin-1"), authorization=None)
        return json.dumps(parts)

    @classmethod
    def restored(cls, text: str) -> Call:
        parts = json.loads(text)
        return cls(**{**parts, "body": parts["body"].encode("latin-1")})


@dataclass(frozen=True)
class Answer:
    status: int
    payload: Any
    headers: dict[str, str] = field(default_factory=dict)
    reason: str | None = None

    def text(self) -> str:
        # ASCII escapes can carry a lone surrogate, which hostile text may contain.
        return json.dumps(self.payload)


def refusal(refused: Refused) -> Answer:
    return Answer(refused.status, ERROR_BODY, refused.headers, refused.reason)


def identify(state: State, settings: ReplicaSettings, call: Call) -> auth.Organization:
    with state.reading() as connection:
        organization = auth.known_organization(connection, call.authorization)
    if organization is None:
        with state.writing() as connection:
            limit = switches.read(connection).bad_tokens_per_minute
            refused = auth.refuse_unknown(
                connection,
                call.authorization,
                call.address,
                settings.bad_tokens_per_minute if limit is None else limit,
                clock.now(connection),
            )
        # It is raised outside the transaction, which would roll the count back.
        raise refused
    auth.check_permissions(organization, call.operation)
    return organization


def execute(state: State, settings: ReplicaSettings, call: Call, organization: auth.Organization) -> Answer:
    """Execute and commit a call, and return the answer for the caller."""
    try:
        with state.writing() if call.operation in WRITERS else state.reading() as connection:
            return perform(connection, settings, call, organization, clock.now(connection))
    except Refused as refused:
        return refusal(refused)


def perform(
    connection: sqlite3.Connection,
    settings: ReplicaSettings,
    call: Call,
    organization: auth.Organization,
    now: datetime,
) -> Answer:
    data = HANDLERS[call.operation](_Execution(connection, settings, call, organization, now))
    return Answer(200, {"success": True, "data": data})


@dataclass(frozen=True)
class _Execution:
    """Hold what a handler may need: the call, whose it is, and the transaction and moment of its execution."""

    connection: sqlite3.Connection
    settings: ReplicaSettings
    call: Call
    organization: auth.Organization
    now: datetime


def _locations(run: _Execution) -> Any:
    rows = run.connection.execute(
        "SELECT record FROM city WHERE organization = ? ORDER BY position", (run.organization.id,)
    )
    return [json.loads(row["record"]) for row in rows]


def _rc_types(run: _Execution) -> Any:
    # The list is refused with 429 once the day's searches are spent, but spends none itself.
    allowance = run.organization.search_allowance
    allowances.require(
        run.connection,
        run.organization.id,
        "search",
        run.settings.search_allowance if allowance is None else allowance,
        run.now,
    )
    rows = run.connection.execute("SELECT value, label FROM rc_type ORDER BY position")
    return [{"value": row["value"], "label": row["label"]} for row in rows]


def _search(run: _Execution) -> Any:
    body = search_body(parse_object(run.call.body, run.call.content_type))
    return searching.search(run.connection, run.settings, run.organization, body, run.now, run.call.page_base)


def _create_link(run: _Execution) -> Any:
    body = link_body(parse_object(run.call.body, run.call.content_type))
    link_id = linking.create(run.connection, run.settings, run.organization, body, run.now)
    return linking.link_record(run.connection, link_id, run.call.page_base)


def _link_status(run: _Execution) -> Any:
    link_id = uuid_of(run.call.link_id)
    row = run.connection.execute(
        "SELECT id FROM link WHERE id = ? AND organization = ?", (link_id, run.organization.id)
    ).fetchone()
    if row is None:
        raise Refused(404, "no such link for the organization")
    return linking.link_record(run.connection, row["id"], run.call.page_base)


WRITERS = frozenset({"search", "create_link"})
HANDLERS = {
    "locations": _locations,
    "rc_types": _rc_types,
    "search": _search,
    "create_link": _create_link,
    "link_status": _link_status,
}
