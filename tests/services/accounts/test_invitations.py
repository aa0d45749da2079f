"""Test invitations on both databases: each is used once, and no administrator locks all others out."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from dashboard.domain.roles import Role
from dashboard.services.accounts.audit import COMMAND_LINE, Origin
from dashboard.services.accounts.invitations import InvitationEnded, Invitations
from dashboard.services.accounts.people import People, PersonRefused, WrongPassword
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
def invitations(people: People) -> Invitations:
    return Invitations(people)


def administrator(people: People, email: str) -> Person:
    return people.add(email=email, name="Arun Das", role=Role.ADMIN, password=PASSWORD, origin=COMMAND_LINE)


def at_once(*acts: Callable[[], object]) -> list[bool]:
    """Do all at the same time; return which of them were not refused, in any order."""
    together = threading.Barrier(len(acts))

    def run(act: Callable[[], object]) -> bool:
        together.wait(20)
        try:
            act()
        except (InvitationEnded, PersonRefused):
            return False
        return True

    with ThreadPoolExecutor(len(acts)) as pool:
        return sorted(pool.map(run, acts))


def test_of_two_clicks_on_an_invitation_one_sets_the_password(people: People, invitations: Invitations) -> None:
    arun = administrator(people, "arun@example.com")
    invited = invitations.invite(email="r@example.com", name="Ravi", role=Role.STAFF, by=arun.id, origin=DESK)
    words = ("first long phrase", "second long phrase")
    done = at_once(*(lambda each=each: invitations.accept(invited.token, each, DESK) for each in words))
    assert done == [False, True]
    heard = 0
    for each in words:
        try:
            people.sign_in("r@example.com", each, DESK)
            heard += 1
        except WrongPassword:
            pass
    assert heard == 1


def test_of_two_administrators_who_void_each_others_password_one_can_sign_in(
    people: People, invitations: Invitations
) -> None:
    arun, meera = administrator(people, "arun@example.com"), administrator(people, "meera@example.com")
    done = at_once(
        lambda: invitations.renew(arun, by=meera.id, origin=DESK),
        lambda: invitations.renew(meera, by=arun.id, origin=DESK),
    )
    assert done == [False, True]


@pytest.mark.parametrize("how", ["set_password", "disable"])
def test_what_takes_the_place_of_an_invitation_ends_it(people: People, invitations: Invitations, how: str) -> None:
    arun = administrator(people, "arun@example.com")
    invited = invitations.invite(email="r@example.com", name="Ravi", role=Role.STAFF, by=arun.id, origin=DESK)
    more = (PASSWORD,) if how == "set_password" else ()
    getattr(people, how)(invited.person, *more, by=None, origin=COMMAND_LINE)
    people.enable(invited.person, by=None, origin=COMMAND_LINE)
    with pytest.raises(InvitationEnded):
        invitations.find(invited.token)
