"""Test that guessing is slow, and that nobody is kept out by others: at the same moment, elsewhere, or by a clock."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from dashboard.domain.roles import Role
from dashboard.services.accounts.audit import COMMAND_LINE, Origin
from dashboard.services.accounts.people import People, TooManyTries, WrongPassword
from dashboard.services.accounts.sign_in_limits import Device, network
from dashboard.store.engine import Store
from tests.support.clock import MovableClock
from tests.support.people import PASSWORD, cheap_passwords

HOUR = timedelta(hours=1)
ASHA, OFFICE, HOME, STRANGER = "asha@example.com", "192.0.2.7", "198.51.100.20", "203.0.113.9"


@pytest.fixture
def people(ledger: Store, clock: MovableClock) -> People:
    people = People(ledger, clock, cheap_passwords(), idle=HOUR, longest=HOUR)
    for name in (ASHA, *(f"person{n}@example.com" for n in range(16))):
        people.add(email=name, name="Somebody", role=Role.STAFF, password=PASSWORD, origin=COMMAND_LINE)
    return people


def attempt(
    people: People, password: str, address: str, *, email: str = ASHA, device: Device | None = None
) -> str | int:
    """Try to sign in; returns "in", "wrong", or how many seconds to wait."""
    try:
        people.sign_in(email, password, Origin(address=address), device)
    except WrongPassword:
        return "wrong"
    except TooManyTries as refused:
        return int(refused.wait.total_seconds() + 0.999)
    return "in"


def guess(people: People, address: str, *, email: str = ASHA) -> str | int:
    return attempt(people, "not the password", address, email=email)


def enter(people: People, address: str, *, email: str = ASHA, device: Device | None = None) -> str | int:
    return attempt(people, PASSWORD, address, email=email, device=device)


# At the same moment


@pytest.mark.databases
@pytest.mark.parametrize("address", ["192.0.2.{}", "192.0.2.1"])
def test_five_guesses_of_a_burst_are_verified(people: People, address: str) -> None:
    with ThreadPoolExecutor(16) as pool:
        heard = list(pool.map(lambda number: guess(people, address.format(number)), range(40)))
    # Where the address turns from a new one into one that keeps failing, one guess may overlap.
    assert heard.count("wrong") in (5, 6)


@pytest.mark.databases
def test_right_passwords_at_the_same_moment_are_all_right(people: People) -> None:
    together = threading.Barrier(16)

    def come(number: int) -> str | int:
        together.wait()
        return enter(people, OFFICE, email=f"person{number}@example.com")

    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(come, range(16))) == {"in"}


@pytest.mark.databases
def test_one_person_may_enter_many_times_at_the_same_moment(people: People) -> None:
    with ThreadPoolExecutor(12) as pool:
        assert set(pool.map(lambda _: enter(people, OFFICE), range(36))) == {"in"}


# While somebody else attacks


def attack(people: People, clock: MovableClock, addresses: list[str], seconds: int) -> None:
    """Guess from these addresses, each as soon as it is heard again."""
    for _ in range(seconds):
        for address in addresses:
            while guess(people, address) == "wrong":
                pass
        clock.advance(seconds=1)


@pytest.mark.parametrize("count", [1, 3])
def test_a_stranger_who_keeps_failing_does_not_keep_the_owner_out(
    people: People, clock: MovableClock, count: int
) -> None:
    addresses = [f"203.0.113.{n}" for n in range(count)]
    attack(people, clock, addresses, 60)
    assert enter(people, HOME) == "in", "from where nobody ever signed in"
    attack(people, clock, addresses, 60)
    assert enter(people, HOME) == "in"


def test_an_address_that_has_signed_in_before_passes_while_many_attack(people: People, clock: MovableClock) -> None:
    assert enter(people, HOME) == "in"
    attack(people, clock, [f"203.0.113.{n}" for n in range(30)], 5)
    assert isinstance(enter(people, OFFICE), int), "a new address waits with the others"
    assert enter(people, HOME) == "in"


def test_a_machine_that_fails_in_an_office_locks_out_nobody_who_was_there_before(
    people: People, clock: MovableClock
) -> None:
    assert enter(people, OFFICE) == "in"
    for number in range(60):
        guess(people, OFFICE, email=f"nobody{number}@example.com")
        clock.advance(seconds=1)
    assert isinstance(enter(people, OFFICE, email="person1@example.com"), int), "the address is at its limit"
    assert enter(people, OFFICE) == "in"


def test_a_browser_that_has_signed_in_passes_beside_an_attacker_at_the_same_address(
    people: People, clock: MovableClock
) -> None:
    asha = people.find(ASHA)
    assert asha is not None
    assert enter(people, OFFICE) == "in"
    attack(people, clock, [OFFICE], 60)
    assert isinstance(enter(people, OFFICE), int)
    assert enter(people, OFFICE, device=Device("d1", frozenset({asha.id}))) == "in"
    assert isinstance(enter(people, OFFICE, device=Device("d2", frozenset({asha.id + 1}))), int)


def test_guesses_of_a_browser_that_has_signed_in_are_limited_too(people: People) -> None:
    asha = people.find(ASHA)
    assert asha is not None
    device = Device("d1", frozenset({asha.id}))
    heard = [attempt(people, "no", f"192.0.2.{n}", device=device) for n in range(8)]
    assert heard == ["wrong"] * 5 + [1] * 3


def test_guesses_from_many_addresses_stay_slow(people: People, clock: MovableClock) -> None:
    heard = 0
    for _ in range(200):
        heard += sum(guess(people, f"203.0.113.{n}") == "wrong" for n in range(3))
        heard += guess(people, f"198.51.100.{clock().microsecond % 250}") == "wrong"
        clock.advance(seconds=1.001)
    assert heard < 70, f"{heard} guesses were heard in 200 seconds"


def test_an_office_of_ipv6_is_one_address(people: People) -> None:
    heard = [guess(people, f"2001:db8:1:2::{n:x}", email=f"nobody{n}@example.com") for n in range(1, 30)]
    assert heard.count("wrong") == 20
    assert network("2001:db8:1:2:aaaa::1") == network("2001:db8:1:2::9") != network("2001:db8:1:3::9")
    assert network("::ffff:192.0.2.1") == network("192.0.2.1")
    assert network("not an address") == "not an address"


# Clocks


@pytest.mark.parametrize("step", [timedelta(hours=-1), timedelta(days=-730), timedelta(hours=1), timedelta(days=730)])
def test_a_clock_that_steps_locks_nobody_out(people: People, clock: MovableClock, step: timedelta) -> None:
    for _ in range(4):
        assert guess(people, HOME) == "wrong"
    clock.set(clock() + step)
    assert enter(people, HOME) == "in", "nobody waits whose wait was zero"
    for _ in range(7):
        guess(people, OFFICE)
    clock.set(clock() - step)
    waits = enter(people, OFFICE)
    assert waits == "in" or (isinstance(waits, int) and waits <= 30)
    clock.advance(seconds=30)
    assert enter(people, OFFICE) == "in"


@pytest.mark.databases
def test_a_host_whose_clock_is_ahead_delays_nobody_on_another(
    people: People, clock: MovableClock, ledger: Store
) -> None:
    ahead = MovableClock(clock() + timedelta(minutes=20))
    other = People(ledger, ahead, cheap_passwords(), idle=HOUR, longest=HOUR)
    for _ in range(7):
        guess(other, HOME)
    enter(people, HOME)
    clock.advance(seconds=4)
    assert enter(people, HOME) == "in"
