"""People and their sessions: signing in and out, and what ends a session early."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from dashboard.domain.roles import Role
from dashboard.services.accounts.audit import Origin
from dashboard.services.accounts.passwords import Passwords, check_new
from dashboard.services.schedule import Clock
from dashboard.store.accounts import audit, people, sessions, sign_in_throttle
from dashboard.store.accounts.people import Person
from dashboard.store.engine import Store

_EMAIL = re.compile(r"[^@\s<>\"']{1,64}@[^@\s<>\"']{1,189}")
#: Use of a session is written down at most so often: one write a minute, not one a click.
_NOTED_EVERY = timedelta(minutes=1)


class PersonRefused(ValueError):
    """The person cannot be added or changed so; `str()` is a sentence."""


class WrongPassword(Exception):
    """The address or the password is wrong, or the person is disabled; nobody is told which."""


class TooManyTries(Exception):
    """Too many failures for this account or from this address; the next try is heard after `wait`."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(wait)
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Session:
    """A person in a session that has neither ended nor run out."""

    person: Person
    sign_in_id: int
    token: str = field(repr=False)


class People:
    def __init__(
        self, store: Store, clock: Clock, passwords: Passwords, *, idle: timedelta, longest: timedelta
    ) -> None:
        self._store = store
        self._clock = clock
        self._passwords = passwords
        self._idle = idle
        self._longest = longest

    def add(self, *, email: str, name: str, role: Role, password: str, origin: Origin) -> Person:
        """Raises PersonRefused or PasswordRefused."""
        email, name = email.strip(), " ".join(name.split())
        if not _EMAIL.fullmatch(email):
            raise PersonRefused(f"{email!r} is not an email address.")
        if not name or len(name) > 100:
            raise PersonRefused("A name has 1 to 100 characters.")
        check_new(password, email=email, name=name)
        hashed = self._passwords.hash(password)
        now = self._clock()
        with self._store.write() as connection:
            person = people.add(connection, email=email, name=name, role=role, password_hash=hashed, created_at=now)
            if person is None:
                raise PersonRefused(f"There is already a person with the email {email}.")
            _record(connection, "person added", now, origin, subject=person.email, role=role)
        return person

    def find(self, email: str) -> Person | None:
        with self._store.read() as connection:
            return people.find_by_email(connection, email)

    def sign_in(self, email: str, password: str, origin: Origin) -> str:
        """The token of a new session. Raises WrongPassword or TooManyTries."""
        now = self._clock()
        account, address = (
            sign_in_throttle.of_account(people.key_of(email)),
            sign_in_throttle.of_address(origin.address),
        )
        with self._store.write() as connection:
            sign_in_throttle.forget_old(connection, now)
            wait = sign_in_throttle.begin(connection, (account, address), now)
            person = people.find_by_email(connection, email)
        if wait > timedelta(0):
            raise TooManyTries(wait)
        # Outside of the transaction: this takes a while on purpose, for unknown people as well.
        right = self._passwords.verify(person.password_hash if person else None, password)
        with self._store.write() as connection:
            person = people.find(connection, person.id) if person else None
            if not right or person is None or person.disabled_at is not None:
                who = person.id if person else None
                _record(connection, "sign-in failed", now, origin, person_id=who, subject=email.strip()[:254])
                token = None
            else:
                sign_in_throttle.forgive(connection, account, address)
                if self._passwords.is_outdated(person.password_hash):
                    people.change(connection, person.id, password_hash=self._passwords.hash(password))
                token = sessions.start(connection, person.id, now, address=origin.address, user_agent=origin.user_agent)
                _record(connection, "signed in", now, origin, person_id=person.id, subject=person.email)
        if token is None:
            raise WrongPassword
        return token

    def recognize(self, token: str, *, use: bool) -> Session | None:
        """Who holds this token, if the session still lives. `use` says whether this keeps it alive: a poll does not."""
        now = self._clock()

        def find(connection: Connection) -> tuple[Row[Any] | None, Person | None]:
            row = sessions.find(connection, token)
            return row, people.find(connection, row.person_id) if row else None

        row, person = self._store.cached_read(("sign-in", token), find)
        if row is None or row.ended_at is not None or self._ran_out(row.created_at, row.last_used_at, now):
            return None
        if person is None or person.disabled_at is not None:
            return None
        if use and now - row.last_used_at >= _NOTED_EVERY:
            with self._store.write() as connection:
                sessions.touch(connection, row.id, now)
        return Session(person, row.id, token)

    def _ran_out(self, created_at: datetime, last_used_at: datetime, now: datetime) -> bool:
        return now - last_used_at >= self._idle or now - created_at >= self._longest

    def whose(self, token: str) -> int | None:
        """The id of the person a session belonged to, even if it has ended."""
        with self._store.read() as connection:
            row = sessions.find(connection, token)
        return row.person_id if row else None

    def sign_out(self, visit: Session, origin: Origin) -> None:
        now = self._clock()
        with self._store.write() as connection:
            sessions.end(connection, visit.sign_in_id, now, "signed out")
            _record(connection, "signed out", now, origin, person_id=visit.person.id, subject=visit.person.email)

    def set_password(self, person: Person, password: str, *, by: int | None, origin: Origin) -> None:
        """Ends every session of the person: whoever knew the old password is out. Raises PasswordRefused."""
        check_new(password, email=person.email, name=person.name)
        self._change(person, "password changed", by, origin, password_hash=self._passwords.hash(password))

    def set_role(self, person: Person, role: Role, *, by: int | None, origin: Origin) -> None:
        """Ends every session of the person, so that no page with the old rights stays in use."""
        self._change(person, "role changed", by, origin, role=role)

    def disable(self, person: Person, *, by: int | None, origin: Origin) -> None:
        self._change(person, "person disabled", by, origin, disabled_at=self._clock())

    def end_sign_ins(self, person: Person, *, by: int | None, origin: Origin) -> None:
        self._change(person, "sessions ended", by, origin)

    def _change(self, person: Person, action: str, by: int | None, origin: Origin, **values: str | datetime) -> None:
        now = self._clock()
        with self._store.write() as connection:
            if values:
                people.change(connection, person.id, **values)
            sessions.end_all_of(connection, person.id, now, action)
            shown = {"role": values["role"]} if "role" in values else {}
            _record(connection, action, now, origin, person_id=by, subject=person.email, **shown)


def _record(
    connection: Connection,
    action: str,
    now: datetime,
    origin: Origin,
    *,
    person_id: int | None = None,
    subject: str | None = None,
    **detail: object,
) -> None:
    audit.record(
        connection,
        action,
        now,
        person_id=person_id,
        subject=subject,
        address=origin.address,
        request_id=origin.request_id,
        detail=detail,
    )
