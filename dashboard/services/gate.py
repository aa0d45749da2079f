"""Stands before every call: what the service has refused is not asked again until there is a reason to.

A refused secret stops all calls (a bad one is throttled, and each call would make it worse), a service that is not
enabled rests for a while, a spent allowance is remembered. The latches live in the store, so all processes share them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from sqlalchemy import Row
from sqlalchemy.exc import SQLAlchemyError

from dashboard.errors import (
    AllowanceSpent,
    Operation,
    OtherOrganization,
    SecretRejected,
    ServiceError,
    ServiceGroup,
    ServiceNotEnabled,
)
from dashboard.services.pace import Clock
from dashboard.store import latches
from dashboard.store.engine import Store

T = TypeVar("T")

log = logging.getLogger(__name__)

SECRET, ORGANIZATION = "secret", "organization"

_SECRET_WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30))
_NOT_ENABLED_WAIT = timedelta(minutes=10)
_ALLOWANCE_WAIT = timedelta(minutes=1)
_FOREVER = timedelta(days=36500)


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong with the service for everybody: a latch that people should know of."""

    scope: str  # SECRET, ORGANIZATION, or the name of a service group
    since: datetime
    until: datetime


class Gate:
    """`fingerprint` tells which secret is in use, without telling it."""

    def __init__(self, store: Store, clock: Clock, fingerprint: Callable[[], str]) -> None:
        self._store = store
        self._clock = clock
        self._fingerprint = fingerprint

    def call(self, operation: Operation, ask: Callable[[], T]) -> T:
        """Ask the service unless a latch is closed; raises the remembered error with `sent` False then."""
        self.check(operation, trying=True)
        asked_at = self._clock()
        try:
            answer = ask()
        except ServiceError as error:
            self._kept(partial(self._remember, error, asked_at))
            raise
        self._kept(partial(self._forget, operation))
        return answer

    def check(self, operation: Operation, *, trying: bool = False) -> None:
        """Raise what the service refused before, when it would be refused again.

        Once a latch's time is up one caller may try; only `trying`, right before a call, takes that turn.
        """
        now = self._clock()
        with self._store.read() as connection:
            closed = {row.scope: row for row in latches.everything(connection)}
        if not closed:
            return
        if (row := closed.get(ORGANIZATION)) and row.fingerprint == self._fingerprint():
            raise OtherOrganization(operation, sent=False)
        if (row := closed.get(_allowance(operation))) and now < row.until:
            raise AllowanceSpent(operation, status=429, sent=False, retry_after=(row.until - now).total_seconds())
        latched = (
            (SECRET, SecretRejected(operation, status=401, sent=False)),
            (operation.group, ServiceNotEnabled(operation, status=403, sent=False)),
        )
        # First those that hold for certain, so that no turn is taken for a call that is then not made.
        for turn in (False, trying):
            for scope, error in latched:
                if (row := closed.get(scope)) and self._holds(row, now, turn):
                    raise error

    def try_again(self) -> None:
        """An administrator asks for another try of a refused secret or service."""
        with self._store.write() as connection:
            for row in latches.everything(connection):
                latches.reopen(connection, row.scope)

    def troubles(self) -> list[Trouble]:
        """What is closed at present and concerns everybody."""
        with self._store.read() as connection:
            rows = latches.everything(connection)
        told = [SECRET, ORGANIZATION, *ServiceGroup]
        return [
            Trouble(row.scope, row.since, row.until)
            for row in rows
            if row.scope in told and row.fingerprint == self._fingerprint()
        ]

    def spent_since(self, operation: Operation) -> datetime | None:
        """Since when the allowance of an operation has been answered with 429."""
        with self._store.read() as connection:
            row = latches.find(connection, _allowance(operation))
        return row.since if row else None

    def wrong_organization(self, operation: Operation) -> OtherOrganization:
        """Stop everything: this key answers for another organization than the store's."""
        with self._store.write() as connection:
            now = self._clock()
            latches.close(connection, ORGANIZATION, now, now + _FOREVER, self._fingerprint())
        return OtherOrganization(operation)

    def _holds(self, row: Row[tuple[object, ...]], now: datetime, take_turn: bool) -> bool:
        if row.fingerprint != self._fingerprint():
            return False
        if now < row.until:
            return True
        if not take_turn:
            return False
        # The time is up: one caller may try, and the others wait to see what becomes of it.
        with self._store.write() as connection:
            return not latches.take_try(connection, row.scope, now, now + _SECRET_WAITS[0])

    @staticmethod
    def _kept(note: Callable[[], None]) -> None:
        """Our own bookkeeping must not turn a known answer into an unknown one."""
        try:
            note()
        except SQLAlchemyError:
            log.exception("what the service answered could not be remembered")

    def _remember(self, error: ServiceError, asked_at: datetime) -> None:
        if not isinstance(error, (SecretRejected, ServiceNotEnabled, AllowanceSpent)):
            return
        now = self._clock()
        with self._store.write() as connection:
            if isinstance(error, SecretRejected):
                row = latches.find(connection, SECRET)
                same = row is not None and row.fingerprint == self._fingerprint()
                if row is not None and same and asked_at <= row.since:
                    return  # It was in flight when the first refusal came; one refusal is not counted eight times.
                tries = row.tries if row is not None and same else 0
                wait = _SECRET_WAITS[min(tries, len(_SECRET_WAITS) - 1)]
                latches.close(connection, SECRET, now, now + wait, self._fingerprint())
            elif isinstance(error, ServiceNotEnabled):
                group = error.operation.group
                latches.close(connection, group, now, now + _NOT_ENABLED_WAIT, self._fingerprint())
            elif isinstance(error, AllowanceSpent) and error.operation is not Operation.GET_PAYMENT_LINK:
                wait = timedelta(seconds=error.retry_after) if error.retry_after else _ALLOWANCE_WAIT
                latches.close(connection, _allowance(error.operation), now, now + min(wait, timedelta(hours=1)))

    def _forget(self, operation: Operation) -> None:
        scopes = (SECRET, operation.group, _allowance(operation))
        with self._store.read() as connection:
            closed = [row.scope for row in latches.everything(connection) if row.scope in scopes]
        if closed:
            with self._store.write() as connection:
                for scope in closed:
                    latches.reopen(connection, scope)


def _allowance(operation: Operation) -> str:
    return "allowance:create" if operation is Operation.CREATE_PAYMENT_LINK else f"allowance:{operation.group}"
