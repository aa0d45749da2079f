"""Test which new passwords are accepted, and how passwords are hashed and verified."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from dashboard.services.accounts import passwords
from dashboard.services.accounts.passwords import DEMO_PASSWORD, PasswordRefused, Passwords, check_new
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
        ("corvette", "guess"),
        ("Corvette99", "guess"),
        ("qwer1234", "guess"),
        ("samantha", "guess"),
        ("SAMANTHA!", "guess"),
        (DEMO_PASSWORD, "guess"),
    ],
)
def test_a_guessable_password_is_refused(password: str, why: str | None) -> None:
    if why is None:
        check(password)
        return
    with pytest.raises(PasswordRefused, match=why):
        check(password)


def test_the_list_of_known_passwords_is_shipped_whole() -> None:
    folder = Path(passwords.__file__).parent
    known = (folder / "common_passwords.txt").read_text(encoding="ascii").splitlines()
    assert len(known) > 15_000
    assert all(len(each) >= 8 and each == each.lower() for each in known)
    for each in known[::40]:
        with pytest.raises(PasswordRefused):
            check(each)
    assert "BSD" in (folder / "common_passwords-LICENSE.txt").read_text(encoding="utf-8")


def test_a_password_is_verified_however_its_letters_were_composed() -> None:
    cheap = cheap_passwords()
    hashed = cheap.hash("crème brûlée")
    assert cheap.verify(hashed, "cre\u0300me bru\u0302le\u0301e")
    assert not cheap.verify(hashed, "creme brulee")


def test_an_endless_password_is_wrong_and_costs_no_more() -> None:
    cheap = cheap_passwords()
    hashed = cheap.hash("x" * 256)
    assert cheap.verify(hashed, "x" * 256)
    assert not cheap.verify(hashed, "x" * 257)
    assert not cheap.verify(hashed, "x" * 1_000_000)


def test_a_broken_hash_lets_nobody_in() -> None:
    assert not cheap_passwords().verify("-", "anything")


def test_a_cheaper_hash_of_before_is_outdated() -> None:
    cheap = cheap_passwords().hash("correct horse")
    assert Passwords(PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)).is_outdated(cheap)


def test_verifying_takes_as_long_without_a_hash() -> None:
    cheap = Passwords(PasswordHasher(time_cost=2, memory_cost=1024, parallelism=1))
    hashed = cheap.hash(PASSWORD)
    cheap.verify(None, "first")

    def quickest(password_hash: str | None) -> float:
        taken = []
        for _ in range(7):
            start = time.thread_time()
            assert not cheap.verify(password_hash, "not the password")
            taken.append(time.thread_time() - start)
        return min(taken)

    assert 0.4 < quickest(None) / quickest(hashed) < 2.5


def test_passwords_are_hashed_with_argon2id_at_its_full_cost() -> None:
    assert Passwords().hash(PASSWORD).startswith("$argon2id$v=19$m=19456,t=2,p=1$")
