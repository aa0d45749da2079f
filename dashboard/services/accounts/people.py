"""Add and change people, sign them in and out, and end their sessions."""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Connection

from dashboard.domain.people import MAX_EMAIL, MAX_NAME
from dashboard.domain.roles import Role
from dashboard.services.accounts import audit
from dashboard.services.accounts.audit import Origin
from dashboard.services.accounts.passwords import Passwords, check_new
from dashboard.services.schedule import Clock
from dashboard.store.accounts import people, sessions, sign_in_throttle
from dashboard.store.accounts.people import Person
from dashboard.store.accounts.sessions import StoredSession
from dashboard.store.engine import Store

_EMAIL = re.compile(r"[^@\s<>\"']{1,64}@[^@\s<>\"']{1,189}")
#: The use of a session is recorded at most this often: one write a minute, and not one for each click.
_RECORDED_EVERY = timedelta(minutes=1)


class PersonRefused(ValueError):
    """Report that a person cannot be added with these details; `str()` is a sentence."""


class WrongPassword(Exception):
    """Report a wrong address or password or a disabled person, without revealing which."""


class TooManyTries(Exception):
    """Report that this account or address failed too often; the next attempt is accepted after `wait`."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(wait)
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Session:
    """Hold the person of a session that has neither ended nor expired."""

    id: int
    person: Person
    token: str = field(repr=False)


@dataclass(frozen=True)
class People:
    """`idle` is how long a session lives without use, `longest` how long at most."""

    store: Store
    clock: Clock
    passwords: Passwords
    _: KW_ONLY
    idle: timedelta
    longest: timedelta

    def add(self, *, email: str, name: str, role: Role, password: str, origin: Origin) -> Person:
        """Add a person. Raises PersonRefused or PasswordRefused."""
        email, name = email.strip(), " ".join(name.split())
        if not _EMAIL.fullmatch(email):
            raise PersonRefused(f"{email!r} is not an email address.")
        if not name or len(name) > MAX_NAME:
            raise PersonRefused(f"A name has 1 to {MAX_NAME} characters.")
        check_new(password, email=email, name=name)
        hashed = self.passwords.hash(password)
        with self.store.write() as connection:
            person = people.add(
                connection, email=email, name=name, role=role, password_hash=hashed, created_at=self.clock()
            )
            if person is None:
                raise PersonRefused(f"There is already a person with the email {email}.")
            audit.record(connection, "person added", person.created_at, origin, subject=person.email, role=role)
        return person

    def find(self, email: str) -> Person | None:
        """Return the person with an email address."""
        with self.store.read() as connection:
            return people.find_by_email(connection, email)

    def sign_in(self, email: str, password: str, origin: Origin) -> str:
        """Start a session and return its token. Raises WrongPassword or TooManyTries."""
        now = self.clock()
        account = sign_in_throttle.of_account(people.key_of(email))
        address = sign_in_throttle.of_address(origin.address)
        with self.store.write() as connection:
            sign_in_throttle.delete_expired(connection, now)
            wait = sign_in_throttle.begin(connection, (account, address), now)
            person = people.find_by_email(connection, email)
        if wait > timedelta(0):
            raise TooManyTries(wait)
        # Outside of the transaction: this is slow on purpose, for unknown people as well.
        right = self.passwords.verify(person.password_hash if person else None, password)
        with self.store.write() as connection:
            person = people.find(connection, person.id) if person else None
            if not right or person is None or person.disabled_at is not None:
                who = person.id if person else None
                audit.record(
                    connection, "sign-in failed", now, origin, person_id=who, subject=email.strip()[:MAX_EMAIL]
                )
                token = None
            else:
                sign_in_throttle.forgive(connection, account, address)
                if self.passwords.is_outdated(person.password_hash):
                    people.change(connection, person.id, password_hash=self.passwords.hash(password))
                token = sessions.start(connection, person.id, now, address=origin.address, user_agent=origin.user_agent)
                audit.record(connection, "signed in", now, origin, person_id=person.id, subject=person.email)
        if token is None:
            raise WrongPassword
        return token

    def find_session(self, token: str, *, is_use: bool) -> Session | None:
        """Return the session of a token if it has neither ended nor expired. A poll does not extend it."""
        now = self.clock()

        def find(connection: Connection) -> tuple[StoredSession | None, Person | None]:
            session = sessions.find(connection, token)
            return session, people.find(connection, session.person_id) if session else None

        session, person = self.store.cached_read(("sign-in", token), find)
        if session is None or session.ended_at is not None or self._has_expired(session, now):
            return None
        if person is None or person.disabled_at is not None:
            return None
        if is_use and now - session.last_used_at >= _RECORDED_EVERY:
            with self.store.write() as connection:
                sessions.touch(connection, session.id, now)
        return Session(session.id, person, token)

    def _has_expired(self, session: StoredSession, now: datetime) -> bool:
        return now - session.last_used_at >= self.idle or now - session.created_at >= self.longest

    def owner_of(self, token: str) -> int | None:
        """Return the id of the person whose session has this token, even if it has ended."""
        with self.store.read() as connection:
            session = sessions.find(connection, token)
        return session.person_id if session else None

    def sign_out(self, session: Session, origin: Origin) -> None:
        """End a session at its person's request."""
        now, person = self.clock(), session.person
        with self.store.write() as connection:
            sessions.end(connection, session.id, now, "signed out")
            audit.record(connection, "signed out", now, origin, person_id=person.id, subject=person.email)

    def set_password(self, person: Person, password: str, *, by: int | None, origin: Origin) -> None:
        """Set a password and end the person's sessions, which the old one may have opened. Raises PasswordRefused."""
        check_new(password, email=person.email, name=person.name)
        self._change(person, "password changed", by, origin, password_hash=self.passwords.hash(password))

    def set_role(self, person: Person, role: Role, *, by: int | None, origin: Origin) -> None:
        """Set a role and end the person's sessions, so that no page with the old rights stays in use."""
        self._change(person, "role changed", by, origin, role=role)

    def disable(self, person: Person, *, by: int | None, origin: Origin) -> None:
        """Disable a person, who then cannot sign in, and end their sessions."""
        self._change(person, "person disabled", by, origin, disabled_at=self.clock())

    def end_sessions(self, person: Person, *, by: int | None, origin: Origin) -> None:
        """End every session of a person."""
        self._change(person, "sessions ended", by, origin)

    def _change(self, person: Person, action: str, by: int | None, origin: Origin, **values: str | datetime) -> None:
        now = self.clock()
        with self.store.write() as connection:
            if values:
                people.change(connection, person.id, **values)
            sessions.end_all(connection, person.id, now, action)
            detail = {"role": values["role"]} if "role" in values else {}
            audit.record(connection, action, now, origin, person_id=by, subject=person.email, **detail)
