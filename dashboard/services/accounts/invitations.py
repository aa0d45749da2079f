"""Invite people by a one-time link with which they set their password, and accept it."""

from __future__ import annotations

from dataclasses import dataclass, field

from dashboard.domain.roles import Role
from dashboard.services.accounts import audit
from dashboard.services.accounts.audit import Origin
from dashboard.services.accounts.passwords import check_new
from dashboard.services.accounts.people import People, PersonRefused, checked_person, enter
from dashboard.store.accounts import invitations, people, sessions
from dashboard.store.accounts.people import Person


class InvitationEnded(Exception):
    """Report that an invitation is unknown, used, expired or replaced, without revealing which."""


@dataclass(frozen=True, slots=True)
class Invited:
    """Hold a person and the token of their invitation, which is stored nowhere and can be read here alone."""

    person: Person
    token: str = field(repr=False)


@dataclass(frozen=True)
class Invitations:
    people: People

    def invite(self, *, email: str, name: str, role: Role, by: int, origin: Origin) -> Invited:
        """Add a person without a password, and invite them to set one. Raises PersonRefused."""
        email, name = checked_person(email, name)
        with self.people.store.write() as connection:
            at = self.people.clock()
            person = enter(connection, at, email=email, name=name, role=role, password_hash="")
            token = invitations.start(connection, person.id, at)
            audit.record(connection, "person invited", at, origin, person_id=by, subject=email, role=role)
        return Invited(person, token)

    def renew(self, person: Person, *, by: int, origin: Origin) -> Invited:
        """Invite a person anew, who has lost their password: the old one works no longer, and their sessions end.

        Raises PersonRefused for the last administrator and for a disabled person.
        """
        if person.disabled_at is not None:
            raise PersonRefused("%(name)s is disabled. Enable them first.", name=person.name)
        with self.people.store.read() as connection:
            is_known = person.has_password or person.id in sessions.last_used(connection)
        # Whoever reads the log tells somebody who is new from somebody whose password stopped working.
        action = "password link created" if is_known else "invitation sent"
        with self.people.changing(person, action, by, origin, password_hash="") as connection:
            token = invitations.start(connection, person.id, self.people.clock())
        return Invited(person, token)

    def find(self, token: str) -> Person:
        """Return whom an invitation is for. Raises InvitationEnded."""
        with self.people.store.read() as connection:
            found = invitations.find(connection, token, self.people.clock())
            person = people.find(connection, found.person_id) if found else None
        if person is None or person.disabled_at is not None:
            raise InvitationEnded
        return person

    def accept(self, token: str, password: str, origin: Origin) -> Person:
        """Set the password of whoever was invited, once. Raises InvitationEnded, PasswordRefused or Busy."""
        person = self.find(token)  # Before anything is hashed, which takes long.
        check_new(password, email=person.email, name=person.name)
        hashed = self.people.passwords.hash(password)
        with self.people.store.write() as connection:
            at = self.people.clock()
            found = invitations.find(connection, token, at)
            if found is None or not invitations.use(connection, found.id, at):
                raise InvitationEnded
            current = people.find(connection, person.id)
            if current is None or current.disabled_at is not None:
                raise InvitationEnded
            people.change(connection, person.id, password_hash=hashed)
            audit.record(connection, "invitation accepted", at, origin, person_id=person.id, subject=person.email)
        return person
