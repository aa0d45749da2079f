"""Provide a link that has ended."""

from __future__ import annotations

import pytest

from tests.support.ledger_fixtures import RC


@pytest.fixture
def ended(clerk, levers):
    """Create a link on the five challans and let it expire, as recorded in the ledger."""
    clerk.search(RC)
    row = clerk.create(RC, clerk.payable(RC), hours=72)
    levers.expire(row.link_id)
    clerk.services.link_poller.refresh(row.link_id)
    levers.forget_calls()
    return clerk.link(row.link_id)
