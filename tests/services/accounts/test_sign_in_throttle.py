"""Test that concurrent guesses are counted like consecutive ones."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from dashboard.services.accounts.audit import Origin
from dashboard.services.accounts.people import People, TooManyTries, WrongPassword
from dashboard.store.engine import Store
from dashboard.store.migrate import migrate
from tests.support.clock import MovableClock
from tests.support.people import cheap_passwords

HOUR = timedelta(hours=1)


def guess_at_once(store: Store, clock: MovableClock) -> list[str]:
    people = People(store, clock, cheap_passwords(), idle=HOUR, longest=HOUR)

    def guess(number: int) -> str:
        try:
            people.sign_in("asha@example.com", f"guess {number}", Origin(address=f"192.0.2.{number}"))
        except TooManyTries:
            return "refused"
        except WrongPassword:
            return "verified"
        return "in"

    with ThreadPoolExecutor(16) as pool:
        return sorted(pool.map(guess, range(40)))


def test_five_guesses_of_a_burst_are_verified(store: Store, clock: MovableClock) -> None:
    assert guess_at_once(store, clock) == ["refused"] * 35 + ["verified"] * 5


def test_five_guesses_of_a_burst_are_verified_on_postgresql(postgres_url: str, clock: MovableClock) -> None:
    store = Store(postgres_url)
    migrate(store)
    assert guess_at_once(store, clock) == ["refused"] * 35 + ["verified"] * 5
    store.close()
