"""Test that long values of the service are stored on either database: PostgreSQL refuses them in an index."""

from __future__ import annotations

import random

import pytest

from tests.support.ledger_fixtures import RC

#: Devanagari letters that do not compress, 2,700 bytes of them.
LONG = "".join(random.Random(1).choices([chr(code) for code in range(0x905, 0x93A)], k=900))


@pytest.mark.databases
def test_a_long_challan_number_loses_neither_the_search_nor_the_link(clerk, levers):
    listed = clerk.search(RC)
    key = listed[0].challan.id
    levers.set_challan(key, raw={"challanNo": LONG, "challanType": LONG})
    found = next(item.challan for item in clerk.search(RC) if item.challan.id == key)
    assert found.challan_no == LONG[:200]
    link_id = clerk.create(RC, clerk.payable(RC)[:1]).link_id
    levers.set_link(link_id, raw={"status": LONG})
    clerk.services.link_poller.refresh(link_id)
    assert clerk.link(link_id).status == LONG[:200]
