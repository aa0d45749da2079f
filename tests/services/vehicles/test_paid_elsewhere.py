"""Test that a PAID link holds its challans, whoever made it."""

from __future__ import annotations

import pytest

from dashboard.services.creation.commands import CreationProblem, CreationRefused
from dashboard.store.vehicles import vehicles
from tests.support.ledger_fixtures import RC


@pytest.fixture
def paid(clerk, services, levers, elsewhere):
    """Return challans of a link made elsewhere and paid, which the source still lists as payable and without it."""
    levers.switch(paid_lag_seconds=7 * 86400, ended_links_visible=False, allow_second_link=True)
    clerk.search(RC)
    chosen = clerk.payable(RC)[:2]
    theirs = elsewhere.create_payment_link(RC, chosen, expiry_hours=48, before_send=lambda: None)
    clerk.search(RC)
    services.link_poller.refresh(theirs.id)
    levers.pay(theirs.id)
    services.link_poller.refresh(theirs.id)
    for challan_id in chosen:
        levers.set_challan(challan_id, raw={"paymentLink": None, "paymentLinkId": None, "prepaid": False})
    clerk.search(RC)
    with services.store.read() as connection:
        listed = {item.challan.id: item.challan for item in vehicles.challans_of(connection, RC)}
    assert {listed[each].status for each in chosen} == {"PENDING"}
    assert {listed[each].link_id for each in chosen} == {None}
    return chosen


def test_its_challans_cannot_be_selected(clerk, paid):
    assert not set(paid) & set(clerk.payable(RC))
    assert len(clerk.payable(RC)) == 3


def test_nothing_is_sent_for_them(clerk, levers, paid):
    levers.forget_calls()
    with pytest.raises(CreationRefused) as refused:
        clerk.create(RC, paid)
    assert refused.value.problem is CreationProblem.NOT_PAYABLE
    assert levers.count("create_link") == 0
