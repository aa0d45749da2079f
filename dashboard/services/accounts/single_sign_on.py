"""Sign people in whom an OpenID Connect provider vouches for, with the role that it states."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeGuard

from sqlalchemy import Connection

from dashboard.domain.people import MAX_EMAIL, MAX_NAME, MAX_SUBJECT
from dashboard.domain.roles import Role
from dashboard.services.accounts import audit
from dashboard.services.accounts.audit import Origin
from dashboard.services.accounts.people import People, PersonRefused, checked_person, enter
from dashboard.store.accounts import invitations, people, sessions
from dashboard.store.accounts.people import Person
from dashboard.upstream.identity_provider import IdentityProvider, ProviderAway, TokenRefused

log = logging.getLogger(__name__)


class SingleSignOnProblem(StrEnum):
    AWAY = "away"
    NOT_TRUSTED = "not trusted"
    NO_ROLE = "no role"
    NOBODY = "nobody"
    DISABLED = "disabled"
    LAST_ADMINISTRATOR = "last administrator"


class SingleSignOnRefused(Exception):
    def __init__(self, problem: SingleSignOnProblem) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True)
class SingleSignOn:
    """`roles` translates values of the claim `role_claim`; a value that it does not name may be a role itself."""

    people: People
    provider: IdentityProvider
    role_claim: str
    roles: Mapping[str, Role]
    makes_people: bool

    def add(self, *, email: str, name: str, role: Role, by: int, origin: Origin) -> Person:
        """Add a person who has no password and signs in by the provider alone. Raises PersonRefused."""
        email, name = checked_person(email, name)
        with self.people.store.write() as connection:
            now = self.people.clock()
            person = enter(connection, now, email=email, name=name, role=role, password_hash="")
            audit.record(connection, "person added", now, origin, person_id=by, subject=email, role=role)
        return person

    def address(self, callback: str, *, state: str, nonce: str, verifier: str) -> str:
        """Return where a browser signs in. Raises SingleSignOnRefused."""
        try:
            return self.provider.authorization_address(callback, state=state, nonce=nonce, verifier=verifier)
        except ProviderAway as away:
            log.warning("the identity provider cannot be used: %s", away)
            raise SingleSignOnRefused(SingleSignOnProblem.AWAY) from None

    def sign_in(self, code: str, callback: str, *, nonce: str, verifier: str, origin: Origin) -> str:
        """Exchange a code for a session, and return its token. Raises SingleSignOnRefused."""
        try:
            now = self.people.clock()
            claims = self.provider.claims_for(code, callback, nonce=nonce, verifier=verifier, now=now)
        except ProviderAway as away:
            log.warning("the identity provider cannot be used: %s", away)
            raise SingleSignOnRefused(SingleSignOnProblem.AWAY) from None
        except TokenRefused as refused:
            log.warning("single sign-on refused: %s", refused)
            with self.people.store.write() as connection:
                audit.record(connection, "sign-in failed", now, origin, why=str(SingleSignOnProblem.NOT_TRUSTED))
            raise SingleSignOnRefused(SingleSignOnProblem.NOT_TRUSTED) from None
        return self._enter(claims, origin)

    def role_of(self, claims: Mapping[str, Any]) -> Role | None:
        """Return the most powerful role that the claim states; None when it states none that is known."""
        stated: Any = claims
        for part in self.role_claim.split("."):
            stated = stated.get(part) if isinstance(stated, Mapping) else None
        values = stated if isinstance(stated, list) else [stated]
        own = {str(role): role for role in Role} if not self.roles else self.roles
        found = {own[value] for value in values if isinstance(value, str) and value in own}
        return max(found, key=list(Role).index, default=None)

    def _enter(self, claims: Mapping[str, Any], origin: Origin) -> str:
        email = _email(claims)
        role, token = self.role_of(claims), ""
        with self.people.store.write() as connection:
            now = self.people.clock()
            # From here on nobody else enters or changes a role: two who come first at once would each make the same
            # person, and two administrators who lose the role at once would leave none.
            people.lock(connection)
            administrators = people.administrators(connection)
            found = self._find(connection, claims, email, role, origin) if role else SingleSignOnProblem.NO_ROLE
            if isinstance(found, Person) and role is not None and found.role is not role:
                people.change(connection, found.id, role=role)
                if administrators and not people.administrators(connection):
                    people.change(connection, found.id, role=found.role)
                    found = SingleSignOnProblem.LAST_ADMINISTRATOR
                else:
                    sessions.end_all(connection, found.id, now, "role changed")
                    audit.record(connection, "role changed", now, origin, subject=found.email, role=role, by="provider")
            if isinstance(found, Person):
                token = self.people.start_session(connection, found, origin, by="single sign-on")
            else:
                audit.record(connection, "sign-in failed", now, origin, subject=email or None, why=str(found))
        if isinstance(found, SingleSignOnProblem):
            raise SingleSignOnRefused(found)
        return token

    def _find(
        self, connection: Connection, claims: Mapping[str, Any], email: str, role: Role, origin: Origin
    ) -> Person | SingleSignOnProblem:
        """Return whom the claims mean: by subject, else by an email that the provider verified, else a new person."""
        subject = f"{self.provider.client.issuer} {claims['sub']}"
        if len(subject) > MAX_SUBJECT:
            return SingleSignOnProblem.NOBODY
        person = people.find_by_subject(connection, subject)
        if person is None and email and (person := people.find_by_email(connection, email)):
            if person.oidc_subject is not None:  # An account belongs to one subject alone.
                return SingleSignOnProblem.NOBODY
            if person.disabled_at is None:
                now = self.people.clock()
                people.change(connection, person.id, oidc_subject=subject)
                invitations.end_all(connection, person.id, now)
                audit.record(connection, "account linked", now, origin, person_id=person.id, subject=person.email)
        elif person is None and email and self.makes_people:
            person = self._make(connection, claims, email, role, subject, origin)
        if person is None:
            return SingleSignOnProblem.NOBODY
        return person if person.disabled_at is None else SingleSignOnProblem.DISABLED

    def _make(
        self, connection: Connection, claims: Mapping[str, Any], email: str, role: Role, subject: str, origin: Origin
    ) -> Person | None:
        """Add a person on their first sign-in; None when the provider's own words about them cannot be stored."""
        name = claims.get("name")
        try:
            email, name = checked_person(email, (name if _is_words(name) else email)[:MAX_NAME])
        except PersonRefused:
            return None
        now = self.people.clock()
        person = enter(connection, now, email=email, name=name, role=role, password_hash="")
        people.change(connection, person.id, oidc_subject=subject)
        audit.record(connection, "person added", now, origin, subject=email, role=role, by="provider")
        return person


def _email(claims: Mapping[str, Any]) -> str:
    """Return the email that the provider has verified; "" for any other, which says nothing about a person."""
    email = claims.get("email")
    if claims.get("email_verified") is not True or not _is_words(email) or len(email) > MAX_EMAIL:
        return ""
    return email


def _is_words(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and value.isprintable() and bool(value.strip())
