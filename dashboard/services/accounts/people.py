"""Add and change people, sign them in and out, and end their sessions."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from dashboard.domain.people import MAX_EMAIL, MAX_NAME
from dashboard.domain.roles import Role
from dashboard.services.accounts import audit
from dashboard.services.accounts.audit import Origin
from dashboard.services.accounts.passwords import Passwords, check_new
from dashboard.services.accounts.refusals import Refused
from dashboard.services.accounts.sign_in_limits import Attempt, Device, Turns, attempt
from dashboard.services.schedule import Clock
from dashboard.store.accounts import invitations, people, second_factors, sessions, sign_in_throttle
from dashboard.store.accounts.people import Person
from dashboard.store.accounts.sessions import MAX_WHY, PlaceOfSession, StoredSession
from dashboard.store.engine import Store
from dashboard.store.refusals import refusal_of

log = logging.getLogger(__name__)

_EMAIL = re.compile(r"[^@\s<>\"']{1,64}@[^@\s<>\"']{1,189}")
#: The use of a session is recorded at most this often: one write a minute, and not one for each click.
_RECORDED_EVERY = timedelta(minutes=1)
#: Whoever gets one of these has no more use for an invitation that was sent before.
_ENDING_INVITATIONS = frozenset({"password_hash", "disabled_at"})


class PersonRefused(Refused):
    """Report that a person cannot be added or changed like this."""


class WrongPassword(Exception):
    """Report a wrong address or password or a disabled person, without revealing which."""


class TooManyTries(Exception):
    """Report that too many attempts failed; the next one is heard after `wait`."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(wait)
        self.wait = wait


def checked_person(email: str, name: str) -> tuple[str, str]:
    """Return an email address and a name as they are stored. Raises PersonRefused."""
    email, name = email.strip(), " ".join(name.split())
    if not _EMAIL.fullmatch(email):
        raise PersonRefused("“%(email)s” is not an email address.", email=email)
    if not name or len(name) > MAX_NAME:
        raise PersonRefused("A name has 1 to %(longest)s characters.", longest=MAX_NAME)
    return email, name


def enter(connection: Connection, at: datetime, *, email: str, name: str, role: Role, password_hash: str) -> Person:
    """Store a person. Raises PersonRefused when the email address is taken."""
    person = people.add(connection, email=email, name=name, role=role, password_hash=password_hash, created_at=at)
    if person is None:
        raise PersonRefused("There is already a person with the email %(email)s.", email=email)
    return person


class CodeNeeded(Exception):
    """Report that the password was right, and a code of the second factor comes next; `token` is that of the step."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self.token = token


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
    turns: Turns = field(default_factory=Turns)

    def add(self, *, email: str, name: str, role: Role, password: str, origin: Origin, demo: bool = False) -> Person:
        """Add a person; one of the `demo` may have its password. Raises PersonRefused or PasswordRefused."""
        email, name = checked_person(email, name)
        if not demo:
            check_new(password, email=email, name=name)
        hashed = self.passwords.hash(password)
        with self.store.write() as connection:
            person = enter(connection, self.clock(), email=email, name=name, role=role, password_hash=hashed)
            audit.record(connection, "person added", person.created_at, origin, subject=person.email, role=role)
        return person

    def find(self, email: str) -> Person | None:
        """Return the person with an email address."""
        with self.store.read() as connection:
            return people.find_by_email(connection, email)

    def require(self, email: str) -> Person:
        """Return the person with an email address. Raises PersonRefused when there is none."""
        if (person := self.find(email)) is None:
            raise PersonRefused("There is nobody with the email %(email)s.", email=email)
        return person

    def by_id(self, person_id: int) -> Person | None:
        """Return a person by id."""
        with self.store.read() as connection:
            return people.find(connection, person_id)

    def living_sessions(self, person_id: int) -> Sequence[PlaceOfSession]:
        """Return the sessions of a person that have neither ended nor expired, latest use first."""
        now = self.clock()
        with self.store.read() as connection:
            return sessions.alive(connection, person_id, now - self.idle, now - self.longest)

    def everybody(self) -> Sequence[Person]:
        """Return all people by name, those who are disabled included."""
        with self.store.read() as connection:
            return people.everybody(connection)

    def sign_in(self, email: str, password: str, origin: Origin, device: Device | None = None) -> str:
        """Start a session and return its token. Raises WrongPassword, TooManyTries, Busy, or CodeNeeded."""
        with self._verified(email, password, origin, device) as (person, asked):
            renewed = None
            if person is not None and self.passwords.is_outdated(person.password_hash):
                renewed = self.passwords.hash(password)
            token, is_step = self._record(email, person.id if person else None, asked, origin, renewed)
        if token is None:
            raise WrongPassword
        if is_step:
            raise CodeNeeded(token)
        return token

    def confirm_password(self, person: Person, password: str, origin: Origin, device: Device | None) -> None:
        """Make sure that it is still the person who is signed in. Raises WrongPassword, TooManyTries or Busy."""
        with self._verified(person.email, password, origin, device) as (right, asked):
            if right is None:
                now = self.clock()
                with self.store.write() as connection:
                    sign_in_throttle.count(connection, asked.limits, now)
                    audit.record(connection, "password refused", now, origin, person_id=person.id, subject=person.email)
                raise WrongPassword

    @contextmanager
    def _verified(
        self, email: str, password: str, origin: Origin, device: Device | None
    ) -> Iterator[tuple[Person | None, Attempt]]:
        """Verify a password; yield the person if it is theirs, and the limits of the attempt, which the block counts.

        Attempts under the same limits wait for the end of the block. Raises TooManyTries or Busy.
        """

        def look_up(connection: Connection) -> tuple[Person | None, Attempt]:
            found = people.find_by_email(connection, email)
            return found, attempt(connection, email, found, origin.address, device, self.clock())

        with self.store.read() as connection:
            _, asked = look_up(connection)
        with self.turns.turn(asked.turn):
            # Anew, because others were verified meanwhile.
            with self.store.read() as connection:
                person, asked = look_up(connection)
                wait, is_ahead = sign_in_throttle.wait(connection, asked.limits, self.clock())
            if is_ahead:
                with self.store.write() as connection:
                    sign_in_throttle.date_back(connection, asked.limits, self.clock())
            if wait > timedelta(0):
                raise TooManyTries(wait)
            # Outside of any transaction: this is slow on purpose, for unknown people as well.
            right = self.passwords.verify(person.password_hash if person else None, password, known=asked.is_known)
            yield (person if right and person is not None and person.disabled_at is None else None), asked

    def _record(
        self, email: str, person_id: int | None, asked: Attempt, origin: Origin, renewed: str | None
    ) -> tuple[str | None, bool]:
        """Record an attempt, and start the session of a right one; `renewed` is the hash that replaces an old one.

        Returns its token, and whether it is that of a step before the session, which needs a code.
        """
        now = self.clock()
        with self.store.write() as connection:
            sign_in_throttle.delete_expired(connection, now)
            person = people.find(connection, person_id) if person_id is not None else None
            if person is None or person.disabled_at is not None:
                sign_in_throttle.count(connection, asked.limits, now)
                # Nobody knows who typed it, though the account has an owner.
                audit.record(connection, "sign-in failed", now, origin, subject=email.strip()[:MAX_EMAIL])
                return None, False
            sign_in_throttle.forgive(connection, asked.own)
            if renewed:
                people.change(connection, person.id, password_hash=renewed)
            factor = second_factors.find(connection, person.id)
            if (factor and factor.secret) or person.role in second_factors.required_roles(connection):
                return second_factors.start_step(connection, person.id, now), True
            return self.start_session(connection, person, origin), False

    def start_session(self, connection: Connection, person: Person, origin: Origin, **detail: str) -> str:
        """Start the session of a person whose every step was right, and return its token."""
        now = self.clock()
        token = sessions.start(connection, person.id, now, address=origin.address, user_agent=origin.user_agent)
        audit.record(connection, "signed in", now, origin, person_id=person.id, subject=person.email, **detail)
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
        if is_use and now - session.last_used_at >= min(_RECORDED_EVERY, self.idle / 4):
            self._touch(session.id, now)
        return Session(session.id, person, token)

    def _touch(self, session_id: int, now: datetime) -> None:
        """Record the use of a session; a database that refuses must not keep a page from being read."""
        try:
            with self.store.write(patience=1) as connection:
                sessions.touch(connection, session_id, now)
        except SQLAlchemyError as error:
            if refusal_of(error) is None:
                raise
            log.warning("the use of a session was not recorded: the database refuses writes")

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

    def change_own_password(
        self, session: Session, current: str, new: str, origin: Origin, device: Device | None
    ) -> str:
        """Set the password of a signed-in person, end all their sessions and return the token of a new one.

        Raises WrongPassword, TooManyTries, Busy or PasswordRefused.
        """
        person = session.person
        self.confirm_password(person, current, origin, device)
        check_new(new, email=person.email, name=person.name)
        hashed = self.passwords.hash(new)
        with self.changing(person, "password changed", person.id, origin, password_hash=hashed) as connection:
            return sessions.start(
                connection, person.id, self.clock(), address=origin.address, user_agent=origin.user_agent
            )

    def end_other_sessions(self, session: Session, origin: Origin) -> None:
        """End every session of a person but the one that asks for it."""
        now, person = self.clock(), session.person
        with self.store.write() as connection:
            sessions.end_all(connection, person.id, now, "signed out elsewhere", but=session.id)
            audit.record(connection, "sessions ended", now, origin, person_id=person.id, subject=person.email)

    def end_own_session(self, session: Session, session_id: int, origin: Origin) -> bool:
        """End another session of the person of a session; return False where there is none to end."""
        now, person = self.clock(), session.person
        with self.store.write() as connection:
            living = sessions.alive(connection, person.id, now - self.idle, now - self.longest)
            if session_id == session.id or session_id not in {each.id for each in living}:
                return False
            sessions.end(connection, session_id, now, "signed out elsewhere")
            audit.record(connection, "sessions ended", now, origin, person_id=person.id, subject=person.email)
        return True

    def remove_second_factor(self, person: Person, *, by: int | None, origin: Origin) -> None:
        """Remove the second factor of a person who has lost it, and end their sessions."""
        with self.changing(person, "second factor removed", by, origin) as connection:
            second_factors.remove(connection, person.id)

    def switch_keys(self, person: Person, *, on: bool) -> None:
        """Switch the keys of the pages on or off for a person, wherever they are signed in."""
        with self.store.write() as connection:
            people.change(connection, person.id, keys_off_at=None if on else self.clock())

    def choose_language(self, person: Person, language: str, origin: Origin) -> None:
        """Show every page in a language to a person, wherever they are signed in."""
        now = self.clock()
        with self.store.write() as connection:
            people.change(connection, person.id, language=language)
            audit.record(
                connection, "language chosen", now, origin, person_id=person.id, subject=person.email, language=language
            )

    def set_role(self, person: Person, role: Role, *, by: int | None, origin: Origin) -> None:
        """Set a role and end the person's sessions, so that no page with the old rights stays in use.

        Raises PersonRefused for the last administrator.
        """
        self._change(person, "role changed", by, origin, role=role)

    def disable(self, person: Person, *, by: int | None, origin: Origin) -> None:
        """Disable a person, who then cannot sign in, and end their sessions. Raises PersonRefused for the last
        administrator.
        """
        self._change(person, "person disabled", by, origin, disabled_at=self.clock())

    def enable(self, person: Person, *, by: int | None, origin: Origin) -> None:
        """Let a disabled person sign in again."""
        self._change(person, "person enabled", by, origin, disabled_at=None)

    def end_sessions(self, person: Person, *, by: int | None, origin: Origin) -> None:
        """End every session of a person."""
        self._change(person, "sessions ended", by, origin)

    def _change(
        self, person: Person, action: str, by: int | None, origin: Origin, **values: str | datetime | None
    ) -> None:
        with self.changing(person, action, by, origin, **values):
            pass

    @contextmanager
    def changing(
        self, person: Person, action: str, by: int | None, origin: Origin, **values: str | datetime | None
    ) -> Iterator[Connection]:
        """Change a person, end their sessions and record it, in the transaction that the block may add to.

        Raises PersonRefused where no administrator would be left who can sign in.
        """
        now = self.clock()
        with self.store.write() as connection:
            # Locked, so that of two administrators who disable each other at once one remains.
            people.lock(connection)
            administrators = people.administrators(connection)
            if values:
                people.change(connection, person.id, **values)
            if administrators and not people.administrators(connection):
                raise PersonRefused(
                    "%(name)s is the last administrator. Make somebody else one first.", name=person.name
                )
            if _ENDING_INVITATIONS & values.keys():
                invitations.end_all(connection, person.id, now)
            second_factors.end_steps(connection, person.id)
            sessions.end_all(connection, person.id, now, action[:MAX_WHY])
            detail = {"role": values["role"]} if "role" in values else {}
            audit.record(connection, action, now, origin, person_id=by, subject=person.email, **detail)
            yield connection
