"""Set up second factors (TOTP, RFC 6238, with recovery codes), ask for their codes, and require them of roles.

The secret of an app has to be read again to check a code, so it cannot be hashed: it is encrypted under a key that is
derived from DASHBOARD_SECRET_KEY. Whoever holds a copy of the database alone can make no code.
"""

from __future__ import annotations

import base64
import hmac
import logging
import secrets
import string
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property

import pyotp
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from sqlalchemy import Connection

from dashboard.domain.roles import Role
from dashboard.services.accounts import audit
from dashboard.services.accounts.audit import Origin
from dashboard.services.accounts.people import People, PersonRefused, TooManyTries
from dashboard.services.accounts.sign_in_limits import Device
from dashboard.store.accounts import people, second_factors, sessions, sign_in_throttle
from dashboard.store.accounts.people import Person
from dashboard.store.accounts.second_factors import SecondFactor
from dashboard.store.accounts.sign_in_throttle import Limit
from dashboard.store.engine import Store

log = logging.getLogger(__name__)

#: What the app shows beside the account.
ISSUER = "Challan Dashboard"
_PERIOD_SECONDS = 30
#: Clocks of phones differ a little: the code before and the one after are right as well.
_PERIODS = (-1, 0, 1)
CODES = 10
#: 80 bits, without letters that look alike.
_CODE_LETTERS, _CODE_LENGTH, _CODE_PARTS = "abcdefghijkmnpqrstuvwxyz23456789", 16, 4


class WrongCode(Exception):
    """Report a code that is wrong, was used before, or is too old."""


class StepEnded(Exception):
    """Report that the password was entered too long ago, or something about the person has changed since."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Hold what an authenticator app needs: the secret to type, and the address that a QR code holds."""

    secret: str = field(repr=False)
    address: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class FactorState:
    """Say since when a person has a second factor, how many recovery codes are left, and whether they need one."""

    enabled_at: datetime | None
    codes_left: int
    is_required: bool


@dataclass(frozen=True, slots=True)
class Entered:
    """Hold the token of a new session, and the recovery codes of a second factor that was just set up."""

    token: str = field(repr=False)
    codes: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class SecondFactors:
    people: People
    secret_key: str = field(repr=False)

    @property
    def store(self) -> Store:
        return self.people.store

    @cached_property
    def _cipher(self) -> Fernet:
        key = HKDF(SHA256(), 32, salt=None, info=b"secrets of second factors").derive(self.secret_key.encode())
        return Fernet(base64.urlsafe_b64encode(key))

    # On a person's own page

    def state(self, person: Person) -> FactorState:
        with self.store.read() as connection:
            found = second_factors.find(connection, person.id)
            left = second_factors.codes_left(connection, person.id)
            required = person.role in second_factors.required_roles(connection)
        return FactorState(found.enabled_at if found and found.secret else None, left, required)

    def begin(self, person: Person) -> None:
        """Draw a secret for an app; it counts once a code of it was right."""
        with self.store.write() as connection:
            second_factors.begin(connection, person.id, self._encrypted(pyotp.random_base32()))

    def pending(self, person: Person) -> Setup | None:
        """Return what the app needs that is being set up, if one is."""
        with self.store.read() as connection:
            found = second_factors.find(connection, person.id)
        return self._setup(person, found)

    def confirm(self, person: Person, code: str, *, session_id: int, origin: Origin) -> tuple[str, ...]:
        """Let the app count that is being set up, end the person's other sessions, and return the recovery codes.

        Raises WrongCode.
        """
        now = self.people.clock()
        with self.store.write() as connection:
            codes = self._enable(connection, person, code, now, origin)
            if codes:
                sessions.end_all(connection, person.id, now, "second factor", but=session_id)
        if not codes:
            raise WrongCode
        return codes

    def renew_codes(self, person: Person, origin: Origin) -> tuple[str, ...]:
        """Return new recovery codes; the old ones work no longer."""
        codes = _new_codes()
        with self.store.write() as connection:
            second_factors.replace_codes(connection, person.id, codes)
            now = self.people.clock()
            audit.record(connection, "recovery codes made", now, origin, person_id=person.id, subject=person.email)
        return codes

    def turn_off(self, person: Person, origin: Origin) -> None:
        """Remove a person's own second factor. Raises PersonRefused where their role requires one."""
        with self.store.write() as connection:
            if person.role in second_factors.required_roles(connection):
                raise PersonRefused("Your role needs a second factor. Set up another app instead.")
            second_factors.remove(connection, person.id)
            now = self.people.clock()
            audit.record(connection, "second factor removed", now, origin, person_id=person.id, subject=person.email)

    # For roles

    def required_roles(self) -> frozenset[Role]:
        with self.store.read() as connection:
            return second_factors.required_roles(connection)

    def require(self, roles: Collection[Role], *, by: Person, origin: Origin) -> int:
        """Require a second factor of the people of these roles, end the sessions of those who have none, and return how
        many those are.

        Raises PersonRefused where `by` would have to set up their own first.
        """
        now = self.people.clock()
        with self.store.write() as connection:
            before, having = second_factors.required_roles(connection), second_factors.enabled(connection)
            if before == frozenset(roles):
                return 0
            if by.role in roles and by.id not in having:
                raise PersonRefused("Set up your own second factor first, in My account.")
            second_factors.require(connection, roles)
            without = [
                person
                for person in people.everybody(connection)
                if person.role in roles and person.role not in before and person.id not in having
            ]
            for person in without:
                sessions.end_all(connection, person.id, now, "second factor")
            words = ", ".join(role for role in Role if role in roles) or "nobody"
            audit.record(connection, "second factor required", now, origin, person_id=by.id, subject=words)
        return sum(person.disabled_at is None for person in without)

    # During a sign-in

    def step(self, token: str) -> tuple[Person, Setup | None]:
        """Return whose password was right, and what their app needs if it is still to be set up. Raises StepEnded."""
        with self.store.read() as connection:
            person, found = self._of_step(connection, token)
        if found is not None and found.secret is None and found.pending is not None:
            setup = self._setup(person, found)
            if setup is None:  # The secret key was changed meanwhile.
                raise StepEnded
            return person, setup
        return person, None

    def finish(self, token: str, code: str, origin: Origin, device: Device | None) -> Entered:
        """Start the session of whoever enters the right code. Raises WrongCode, TooManyTries or StepEnded."""
        now = self.people.clock()
        with self.store.write() as connection:
            # Locked, so that guesses that are sent at once are counted one after another.
            person, found = self._of_step(connection, token, lock=True)
            limit = _limit(person, device)
            wait, _ = sign_in_throttle.wait(connection, (limit,), now)
            if wait > timedelta(0):
                raise TooManyTries(wait)
            codes: tuple[str, ...] = ()
            if found is not None and found.secret is not None:
                how = self._how_right(connection, person, found, code, now)
            else:
                codes = self._enable(connection, person, code, now, origin)
                how = "app set up" if codes else ""
            session = ""
            if not how:
                sign_in_throttle.count(connection, (limit,), now)
                audit.record(connection, "code refused", now, origin, person_id=person.id, subject=person.email)
            else:
                sign_in_throttle.forgive(connection, limit)
                if not second_factors.end_step(connection, token):
                    raise StepEnded
                session = self.people.start_session(connection, person, origin, second_factor=how)
        if not session:
            raise WrongCode
        return Entered(session, codes)

    def _of_step(self, connection: Connection, token: str, *, lock: bool = False) -> tuple[Person, SecondFactor | None]:
        person_id = second_factors.find_step(connection, token, self.people.clock())
        found = second_factors.find(connection, person_id, lock=lock) if person_id is not None else None
        person = people.find(connection, person_id) if person_id is not None else None
        if person is None or person.disabled_at is not None:
            raise StepEnded
        return person, found

    def begin_for_step(self, person: Person) -> None:
        """Draw a secret for somebody who has to set up an app before their session starts, unless it was drawn."""
        with self.store.write() as connection:
            found = second_factors.find(connection, person.id, lock=True)
            if found is None or (found.secret is None and self._setup(person, found) is None):
                second_factors.begin(connection, person.id, self._encrypted(pyotp.random_base32()))

    # Codes

    def _how_right(self, connection: Connection, person: Person, found: SecondFactor, code: str, now: datetime) -> str:
        """Return how a code is right, and use it up; "" when it is wrong."""
        typed = _plain(code)
        secret = self._decrypted(found.secret)
        if secret and (period := _period_of(secret, typed, now, found.last_period)):
            second_factors.use_period(connection, person.id, period)
            return "app"
        if len(typed) == _CODE_LENGTH and second_factors.use_code(connection, person.id, typed, now):
            return "recovery code"
        return ""

    def _enable(
        self, connection: Connection, person: Person, code: str, now: datetime, origin: Origin
    ) -> tuple[str, ...]:
        """Let the app that is being set up count; return no codes when its code is wrong."""
        found = second_factors.find(connection, person.id, lock=True)
        secret = self._decrypted(found.pending) if found else None
        period = _period_of(secret, _plain(code), now, 0) if secret else None
        if found is None or found.pending is None or period is None:
            return ()
        codes = _new_codes()
        second_factors.enable(connection, person.id, found.pending, period, now)
        second_factors.replace_codes(connection, person.id, codes)
        audit.record(connection, "second factor set up", now, origin, person_id=person.id, subject=person.email)
        return codes

    def _setup(self, person: Person, found: SecondFactor | None) -> Setup | None:
        secret = self._decrypted(found.pending) if found else None
        if not secret:
            return None
        return Setup(secret, pyotp.TOTP(secret).provisioning_uri(name=person.email, issuer_name=ISSUER))

    def _encrypted(self, secret: str) -> str:
        return self._cipher.encrypt(secret.encode()).decode()

    def _decrypted(self, stored: str | None) -> str | None:
        try:
            return self._cipher.decrypt(stored).decode() if stored else None
        except InvalidToken:
            log.warning("the secret of a second factor was encrypted under another DASHBOARD_SECRET_KEY")
            return None


def shown(code: str) -> str:
    """Return a recovery code in groups, as people copy it."""
    size = _CODE_LENGTH // _CODE_PARTS
    return "-".join(code[at : at + size] for at in range(0, _CODE_LENGTH, size))


def _new_codes() -> tuple[str, ...]:
    return tuple("".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH)) for _ in range(CODES))


def _plain(code: str) -> str:
    """Return a code without the spaces and hyphens that apps and people put into it."""
    return "".join(letter for letter in code[:64].lower() if letter in string.ascii_lowercase + string.digits)


def _period_of(secret: str, code: str, now: datetime, used: int) -> int | None:
    """Return the period whose code this is, after the latest one used."""
    app, present = pyotp.TOTP(secret), int(now.timestamp()) // _PERIOD_SECONDS
    for period in (present + each for each in _PERIODS):
        if hmac.compare_digest(app.at(period * _PERIOD_SECONDS).encode(), code.encode()) and period > used:
            return period
    return None


def _limit(person: Person, device: Device | None) -> Limit:
    """Return the limit on wrong codes: a browser that has signed in before cannot be delayed by others."""
    if device is not None and person.id in device.people:
        return Limit.of("code, device", str(person.id), device.id, free=5, longest=60)
    return Limit.of("code", str(person.id), free=5, longest=900)
