"""Test second factors on both databases: of two codes that are sent at once, one is used."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pyotp
import pytest

from dashboard.domain.roles import Role
from dashboard.services.accounts.audit import COMMAND_LINE, Origin
from dashboard.services.accounts.people import CodeNeeded, People, TooManyTries
from dashboard.services.accounts.second_factors import SecondFactors, StepEnded, WrongCode
from dashboard.store.accounts.people import Person
from dashboard.store.engine import Store
from tests.support.clock import MovableClock
from tests.support.people import PASSWORD, cheap_passwords

pytestmark = pytest.mark.databases
DESK = Origin(address="192.0.2.7", request_id="r-1")


@pytest.fixture
def people(ledger: Store, clock: MovableClock) -> People:
    return People(ledger, clock, cheap_passwords(), idle=timedelta(minutes=30), longest=timedelta(hours=12))


@pytest.fixture
def factors(people: People) -> SecondFactors:
    return SecondFactors(people, "k" * 32)


@pytest.fixture
def asha(people: People) -> Person:
    return people.add(email="a@example.com", name="Asha", role=Role.STAFF, password=PASSWORD, origin=COMMAND_LINE)


def set_up(factors: SecondFactors, person: Person, clock: MovableClock) -> tuple[str, tuple[str, ...]]:
    factors.begin(person)
    setup = factors.pending(person)
    assert setup is not None
    codes = factors.confirm(person, code(setup.secret, clock), session_id=0, origin=DESK)
    clock.advance(seconds=30)
    return setup.secret, codes


def code(secret: str, clock: MovableClock) -> str:
    return pyotp.TOTP(secret).at(int(clock().timestamp()))


def step(people: People) -> str:
    with pytest.raises(CodeNeeded) as needed:
        people.sign_in("a@example.com", PASSWORD, DESK)
    return needed.value.token


@pytest.mark.parametrize("kind", ["app", "recovery"])
def test_of_two_sign_ins_with_one_code_at_once_one_succeeds(
    people: People, factors: SecondFactors, asha: Person, clock: MovableClock, kind: str
) -> None:
    secret, codes = set_up(factors, asha, clock)
    typed = code(secret, clock) if kind == "app" else codes[0]
    tokens, together = (step(people), step(people)), threading.Barrier(2)

    def finish(token: str) -> bool:
        together.wait(20)
        try:
            factors.finish(token, typed, DESK, None)
        except WrongCode:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(finish, tokens)) == [False, True]


def test_guesses_that_are_sent_at_once_are_counted_one_after_another(
    people: People, factors: SecondFactors, asha: Person, clock: MovableClock
) -> None:
    set_up(factors, asha, clock)
    token, together = step(people), threading.Barrier(12)

    def guess(number: int) -> type[Exception]:
        together.wait(20)
        try:
            factors.finish(token, f"guess {number}", DESK, None)
        except (WrongCode, TooManyTries) as refused:
            return type(refused)
        raise AssertionError

    with ThreadPoolExecutor(12) as pool:
        heard = list(pool.map(guess, range(12)))
    assert heard.count(WrongCode) == 5


def test_a_step_leads_to_one_session(people: People, factors: SecondFactors, asha: Person, clock: MovableClock) -> None:
    _, codes = set_up(factors, asha, clock)
    token = step(people)
    factors.finish(token, codes[0], DESK, None)
    with pytest.raises(StepEnded):
        factors.finish(token, codes[1], DESK, None)


def test_a_required_one_that_was_begun_is_replaced_after_the_secret_key_changed(
    people: People, factors: SecondFactors, asha: Person
) -> None:
    factors.begin_for_step(asha)
    first = factors.pending(asha)
    factors.begin_for_step(asha)
    assert factors.pending(asha) == first
    other = SecondFactors(people, "j" * 32)
    assert other.pending(asha) is None
    other.begin_for_step(asha)
    assert other.pending(asha) is not None
