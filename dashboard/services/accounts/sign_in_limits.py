"""Decide which limits an attempt to sign in is under, so that guessing is slow and nobody can lock others out.

Failures are counted by account and address together, so that whoever keeps failing on an account delays nobody
elsewhere. A browser that has signed in to the account before is counted by itself. Two more limits, of the account and
of the address as a whole, slow down guesses from many addresses and at many accounts; they hold only for browsers and
addresses that have never signed in to the account. There an address with fewer than two failures on the account waits
for others of its kind alone, so that somebody who fails again and again does not use up the moments of everybody else.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from ipaddress import IPv6Address, IPv6Network, ip_address

from sqlalchemy import Connection

from dashboard.services.accounts.hashing_places import Busy
from dashboard.store.accounts import people, sessions, sign_in_throttle
from dashboard.store.accounts.people import Person
from dashboard.store.accounts.sign_in_throttle import Limit

#: Failures of an address on an account until it counts as one that keeps failing.
_NEW_UNTIL = 2
#: How many attempts to sign in may wait for their turn under one limit, and for how many seconds. Any further attempt
#: is refused at once.
_MOST_WAITING, _LONGEST_TURN = 16, 10.0


@dataclass(frozen=True, slots=True)
class Device:
    """Identify a browser by its signed cookie; `people` are the ids of those who have signed in with it."""

    id: str
    people: frozenset[int]


@dataclass(frozen=True, slots=True)
class Attempt:
    """Hold the limits of one attempt. `own` is the one of the account from there, which a right password clears."""

    own: Limit
    others: tuple[Limit, ...]

    @property
    def is_known(self) -> bool:
        """Return whether the account has been signed in to from this browser or address before."""
        return not self.others

    @property
    def limits(self) -> tuple[Limit, ...]:
        return (self.own, *self.others)

    @property
    def turn(self) -> str:
        """Return the key under which attempts are verified one after another."""
        return (self.own if self.is_known else self.others[0]).key


def attempt(
    connection: Connection, email: str, person: Person | None, address: str, device: Device | None, now: datetime
) -> Attempt:
    """Return the limits of an attempt on an account, which may not exist, from an address or a browser."""
    account, place = people.key_of(email), network(address)
    if device is not None and person is not None and person.id in device.people:
        return Attempt(Limit.of("device", account, device.id, free=5, longest=30), ())
    own = Limit.of("account at address", account, place, free=5, longest=30)
    if person is not None and place in {network(each) for each in sessions.addresses_of(connection, person.id)}:
        return Attempt(own, ())
    is_new = sign_in_throttle.failures_of(connection, own, now) < _NEW_UNTIL
    of_account = (
        Limit.of("account, new addresses", account, free=5, longest=30)
        if is_new
        else Limit.of("account, failing addresses", account, free=10, longest=30)
    )
    return Attempt(own, (of_account, Limit.of("address", place, free=20, longest=60)))


def network(address: str) -> str:
    """Return what counts as one address: an IPv4 address, or the /64 of an IPv6 one, whose hosts choose their own."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(IPv6Network((int(parsed), 64), strict=False))


@dataclass
class _Turn:
    lock: threading.Lock = field(default_factory=threading.Lock)
    users: int = 0


class Turns:
    """Let the attempts at one account be verified one after another, in this process.

    Guesses that are sent all at once are so counted like guesses that are sent one after another, and none of them has
    to be refused because of others whose outcome is not known yet.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._turns: dict[str, _Turn] = {}

    @contextmanager
    def turn(self, key: str) -> Iterator[None]:
        """Wait until no other attempt has this key. Raises Busy when too many wait, or for too long."""
        with self._lock:
            turn = self._turns.setdefault(key, _Turn())
            if turn.users > _MOST_WAITING:
                raise Busy
            turn.users += 1
        try:
            if not turn.lock.acquire(timeout=_LONGEST_TURN):
                raise Busy
            try:
                yield
            finally:
                turn.lock.release()
        finally:
            with self._lock:
                turn.users -= 1
                if not turn.users:
                    del self._turns[key]
