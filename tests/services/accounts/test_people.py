"""Test that people are added, changed and disabled, each time with an entry in the audit log."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest

from dashboard.domain.roles import Role
from dashboard.services.accounts.audit import COMMAND_LINE, Origin
from dashboard.services.accounts.passwords import PasswordRefused
from dashboard.services.accounts.people import People, PersonRefused, TooManyTries, WrongPassword
from dashboard.store.accounts import audit
from dashboard.store.accounts.people import Person
from dashboard.store.engine import Store
from tests.support.clock import MovableClock
from tests.support.people import PASSWORD, cheap_passwords

DESK = Origin(address="192.0.2.7", request_id="r-1")


@pytest.fixture
def people(ledger: Store, clock: MovableClock) -> People:
    return People(ledger, clock, cheap_passwords(), idle=timedelta(minutes=30), longest=timedelta(hours=12))


def add(people: People, email: str = "asha@example.com", name: str = "Asha Rao") -> Person:
    return people.add(email=email, name=name, role=Role.STAFF, password=PASSWORD, origin=COMMAND_LINE)


def test_an_email_address_belongs_to_one_person(people: People) -> None:
    add(people)
    with pytest.raises(PersonRefused, match="already a person"):
        add(people, "ASHA@example.com")


@pytest.mark.databases
def test_of_those_who_add_the_same_address_at_once_one_succeeds_and_the_others_are_told(people: People) -> None:
    at_once = threading.Barrier(4)

    def attempt(number: int) -> str:
        at_once.wait()
        try:
            return add(people, name=f"Asha {number}").name
        except PersonRefused as refused:
            return str(refused)

    with ThreadPoolExecutor(4) as pool:
        said = list(pool.map(attempt, range(4)))
    [asha] = people.everybody()
    assert sorted(said) == sorted([asha.name, *["There is already a person with the email asha@example.com."] * 3])


@pytest.mark.parametrize(
    ("email", "name"), [("asha", "Asha"), ("a b@example.com", "Asha"), ("a@b.in", " "), ("a@b.in", "A" * 101)]
)
def test_a_person_needs_an_address_and_a_name(people: People, email: str, name: str) -> None:
    with pytest.raises(PersonRefused):
        add(people, email, name)


def test_a_new_role_counts_from_the_next_sign_in(people: People) -> None:
    asha = add(people)
    people.set_role(asha, Role.ADMIN, by=None, origin=COMMAND_LINE)
    session = people.find_session(people.sign_in(asha.email, PASSWORD, DESK), is_use=True)
    assert session is not None
    assert session.person.role is Role.ADMIN


def test_a_new_password_replaces_the_old_one(people: People) -> None:
    asha = add(people)
    with pytest.raises(PasswordRefused):
        people.set_password(asha, "short", by=None, origin=COMMAND_LINE)
    people.set_password(asha, "another long phrase", by=None, origin=COMMAND_LINE)
    assert people.sign_in(asha.email, "another long phrase", DESK)
    with pytest.raises(WrongPassword):
        people.sign_in(asha.email, PASSWORD, DESK)


def test_a_disabled_person_cannot_sign_in_and_stays_known(people: People) -> None:
    asha = add(people)
    people.disable(asha, by=None, origin=COMMAND_LINE)
    with pytest.raises(WrongPassword):
        people.sign_in(asha.email, PASSWORD, DESK)
    found = people.find(asha.email)
    assert found is not None
    assert found.disabled_at is not None


def test_an_enabled_person_signs_in_again_with_the_same_password(people: People) -> None:
    asha = add(people)
    people.disable(asha, by=None, origin=COMMAND_LINE)
    people.enable(asha, by=None, origin=COMMAND_LINE)
    assert people.sign_in(asha.email, PASSWORD, DESK)


def test_a_disabled_person_is_signed_out_where_they_are_signed_in(people: People) -> None:
    asha = add(people)
    token = people.sign_in(asha.email, PASSWORD, DESK)
    people.disable(asha, by=None, origin=COMMAND_LINE)
    people.enable(asha, by=None, origin=COMMAND_LINE)
    assert people.find_session(token, is_use=True) is None


def test_the_last_administrator_is_neither_disabled_nor_demoted(people: People) -> None:
    asha, arun = (add(people, email) for email in ("asha@example.com", "arun@example.com"))
    for each in (asha, arun):
        people.set_role(each, Role.ADMIN, by=None, origin=COMMAND_LINE)
    people.disable(arun, by=None, origin=COMMAND_LINE)
    for change in (
        partial(people.disable, asha, by=None, origin=COMMAND_LINE),
        partial(people.set_role, asha, Role.MANAGER, by=None, origin=COMMAND_LINE),
    ):
        with pytest.raises(PersonRefused, match="last administrator"):
            change()
    found = people.find(asha.email)
    assert found is not None
    assert (found.role, found.disabled_at) == (Role.ADMIN, None)


@pytest.mark.databases
def test_of_two_administrators_who_disable_each_other_at_once_one_remains(people: People) -> None:
    both = [add(people, email) for email in ("asha@example.com", "arun@example.com")]
    for each in both:
        people.set_role(each, Role.ADMIN, by=None, origin=COMMAND_LINE)
    together = threading.Barrier(2)

    def disable(person: Person) -> bool:
        together.wait(20)
        try:
            people.disable(person, by=None, origin=DESK)
        except PersonRefused:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(disable, both)) == [False, True]


def test_a_refused_attempt_says_how_long_to_wait(people: People) -> None:
    add(people)
    for _ in range(5):
        with pytest.raises(WrongPassword):
            people.sign_in("asha@example.com", "not the password", DESK)
    with pytest.raises(TooManyTries) as refused:
        people.sign_in("asha@example.com", PASSWORD, DESK)
    assert refused.value.wait == timedelta(seconds=1)


def test_every_change_is_audited_with_who_made_it(people: People, ledger: Store) -> None:
    asha, arun = add(people), add(people, "arun@example.com", "Arun Das")
    people.set_role(asha, Role.MANAGER, by=arun.id, origin=DESK)
    people.set_password(asha, "another long phrase", by=arun.id, origin=DESK)
    people.end_sessions(asha, by=arun.id, origin=DESK)
    people.disable(asha, by=arun.id, origin=DESK)
    with ledger.read() as connection:
        entries = audit.newest(connection, limit=4)
    assert [entry.action for entry in entries] == [
        "person disabled",
        "sessions ended",
        "password changed",
        "role changed",
    ]
    assert {(entry.name, entry.subject, entry.address, entry.request_id) for entry in entries} == {
        ("Arun Das", asha.email, "192.0.2.7", "r-1")
    }
    assert entries[-1].detail == {"role": "manager"}
