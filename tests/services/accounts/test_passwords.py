"""Test which new passwords are accepted, and how passwords are hashed and verified."""

from __future__ import annotations

import time

import pytest
from argon2 import PasswordHasher

from dashboard.services.accounts.passwords import PasswordRefused, Passwords, check_new
from tests.support.people import PASSWORD, cheap_passwords


def check(password: str) -> None:
    check_new(password, email="asha.rao@example.com", name="Asha Rao")


@pytest.mark.parametrize(
    "password", ["correct horse", "x7!kq2#z", "ನನ್ನ ಗುಪ್ತಪದ", "a" * 100 + "bc" * 70, "tiger shoes 9"]
)
def test_an_unusual_password_is_accepted(password: str) -> None:
    check(password)


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("short", "at least 8"),
        ("", "at least 8"),
        ("x1y2" * 65, "at most 256"),
        ("password", "guess"),
        ("Password123!", "guess"),
        ("12345678", "guess"),
        ("aaaaaaaaaa", "guess"),
        ("abababababab", "guess"),
        ("asha.rao@example.com", "guess"),
        ("Asha.Rao", "guess"),
        ("asharao2", None),
        ("AshaRao1", None),
        ("Asha Rao", "guess"),
    ],
)
def test_a_guessable_password_is_refused(password: str, why: str | None) -> None:
    if why is None:
        check(password)
        return
    with pytest.raises(PasswordRefused, match=why):
        check(password)


def test_a_password_is_verified_however_its_letters_were_composed() -> None:
    passwords = cheap_passwords()
    hashed = passwords.hash("crème brûlée")
    assert passwords.verify(hashed, "cre\u0300me bru\u0302le\u0301e")
    assert not passwords.verify(hashed, "creme brulee")


def test_an_endless_password_is_wrong_and_costs_no_more() -> None:
    passwords = cheap_passwords()
    hashed = passwords.hash("x" * 256)
    assert passwords.verify(hashed, "x" * 256)
    assert not passwords.verify(hashed, "x" * 257)
    assert not passwords.verify(hashed, "x" * 1_000_000)


def test_a_broken_hash_lets_nobody_in() -> None:
    assert not cheap_passwords().verify("-", "anything")


def test_a_cheaper_hash_of_before_is_outdated() -> None:
    cheap = cheap_passwords().hash("correct horse")
    assert Passwords(PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)).is_outdated(cheap)


def test_verifying_takes_as_long_without_a_hash() -> None:
    passwords = Passwords(PasswordHasher(time_cost=2, memory_cost=1024, parallelism=1))
    hashed = passwords.hash(PASSWORD)
    passwords.verify(None, "first")

    def quickest(password_hash: str | None) -> float:
        taken = []
        for _ in range(7):
            start = time.perf_counter()
            assert not passwords.verify(password_hash, "not the password")
            taken.append(time.perf_counter() - start)
        return min(taken)

    assert 0.4 < quickest(None) / quickest(hashed) < 2.5


def test_passwords_are_hashed_with_argon2id_at_its_full_cost() -> None:
    assert Passwords().hash(PASSWORD).startswith("$argon2id$v=19$m=19456,t=2,p=1$")
