"""Test on both databases who enters by what a provider says of them, and that an administrator remains."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from dashboard.domain.roles import Role
from dashboard.services.accounts.audit import COMMAND_LINE
from dashboard.services.accounts.invitations import InvitationEnded, Invitations
from dashboard.services.accounts.people import People
from dashboard.services.accounts.single_sign_on import SingleSignOn, SingleSignOnProblem, SingleSignOnRefused
from dashboard.store.engine import Store
from dashboard.upstream.identity_provider import Client, IdentityProvider
from tests.support.clock import MovableClock
from tests.support.people import cheap_passwords

pytestmark = pytest.mark.databases


@pytest.fixture
def people(ledger: Store, clock: MovableClock) -> People:
    return People(ledger, clock, cheap_passwords(), idle=timedelta(minutes=30), longest=timedelta(hours=12))


@pytest.fixture
def single_sign_on(people: People) -> SingleSignOn:
    provider = IdentityProvider(Client("https://id.example", "us", "secret"))
    return SingleSignOn(people, provider, role_claim="roles", roles={}, makes_people=True)


def claims(name: str, **changes: Any) -> Mapping[str, Any]:
    whole = {"sub": name, "email": f"{name}@example.com", "email_verified": True, "name": name, "roles": "admin"}
    return whole | changes


def outcome(act: Callable[[], object]) -> SingleSignOnProblem | None:
    try:
        act()
    except SingleSignOnRefused as refused:
        return refused.problem
    return None


def test_of_two_administrators_who_lose_the_role_at_once_one_keeps_it(single_sign_on: SingleSignOn) -> None:
    for name in ("arun", "meera"):
        single_sign_on._enter(claims(name), COMMAND_LINE)
    with ThreadPoolExecutor(2) as pool:
        acts = [
            lambda name=name: single_sign_on._enter(claims(name, roles="staff"), COMMAND_LINE)
            for name in ("arun", "meera")
        ]
        outcomes = list(pool.map(outcome, acts))
    assert sorted(outcomes, key=str) == [None, SingleSignOnProblem.LAST_ADMINISTRATOR]
    assert sorted(person.role for person in single_sign_on.people.everybody()) == [Role.ADMIN, Role.STAFF]


def test_who_comes_twice_at_once_is_one_person(single_sign_on: SingleSignOn) -> None:
    single_sign_on._enter(claims("arun"), COMMAND_LINE)
    with ThreadPoolExecutor(4) as pool:
        tokens = list(pool.map(lambda _: single_sign_on._enter(claims("ravi"), COMMAND_LINE), range(4)))
    assert len(set(tokens)) == 4
    assert len(single_sign_on.people.everybody()) == 2


@pytest.mark.parametrize("names", [("ravi",) * 6, ("arun", "meera", "ravi")])
def test_the_first_people_of_an_installation_all_enter_at_once(
    single_sign_on: SingleSignOn, names: tuple[str, ...]
) -> None:
    at_once = threading.Barrier(len(names))

    def enter(name: str) -> str:
        at_once.wait()
        return single_sign_on._enter(claims(name), COMMAND_LINE)

    with ThreadPoolExecutor(len(names)) as pool:
        tokens = list(pool.map(enter, names))
    assert len(set(tokens)) == len(names)
    assert {person.name for person in single_sign_on.people.everybody()} == set(names)


def test_an_account_belongs_to_one_subject_and_its_invitation_ends(single_sign_on: SingleSignOn) -> None:
    invitations = Invitations(single_sign_on.people)
    single_sign_on._enter(claims("arun"), COMMAND_LINE)
    arun = single_sign_on.people.require("arun@example.com")
    invited = invitations.invite(
        email="ravi@example.com", name="Ravi", role=Role.STAFF, by=arun.id, origin=COMMAND_LINE
    )
    single_sign_on._enter(claims("ravi"), COMMAND_LINE)
    with pytest.raises(InvitationEnded):
        invitations.find(invited.token)
    taken = claims("other", email="ravi@example.com")
    assert outcome(lambda: single_sign_on._enter(taken, COMMAND_LINE)) is SingleSignOnProblem.NOBODY


@pytest.mark.parametrize("email", ["a\x00@example.com", "\ud800@example.com", f"{'a' * 300}@example.com", 5, "nobody"])
def test_an_email_that_is_none_makes_nobody(single_sign_on: SingleSignOn, email: object) -> None:
    odd = claims("ravi", email=email)
    assert outcome(lambda: single_sign_on._enter(odd, COMMAND_LINE)) is SingleSignOnProblem.NOBODY


def test_subjects_that_differ_at_their_end_are_two_people(single_sign_on: SingleSignOn) -> None:
    for number in range(2):
        single_sign_on._enter(claims(f"p{number}", sub="s" * 254 + str(number)), COMMAND_LINE)
    assert len(single_sign_on.people.everybody()) == 2
