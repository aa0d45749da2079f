"""Create and pay links in tests, and move the time on both sides."""

from __future__ import annotations

from datetime import timedelta

from dashboard.domain.settlements import SettlementState
from dashboard.store.links import links
from dashboard.store.reconciliation import discrepancies, settlements
from tests.support.ledger_fixtures import RC

WAITING, SETTLED, OPEN = SettlementState


class Payments:
    """Create and pay links, and move the clocks of both sides."""

    def __init__(self, clerk, levers, clock):
        self.clerk, self.levers, self.clock = clerk, levers, clock
        self.services = clerk.services
        levers.switch(paid_lag_seconds=10**6)

    def made(self, count=1, rc=RC):
        self.clerk.search(rc)
        return self.clerk.create(rc, self.clerk.payable(rc)[:count]).link_id

    def paid(self, count=1, rc=RC):
        """Make a link that is PAID, while the source knows nothing of the payment yet."""
        link_id = self.made(count, rc)
        self.levers.pay(link_id)
        self.services.link_poller.refresh(link_id)
        assert self.clerk.link(link_id).status == "PAID"
        return link_id

    def later(self, **span):
        self.clock.advance(**span)
        self.levers.advance(timedelta(**span).total_seconds())

    def source_learns(self, link_id, status="PAID"):
        for item in self.levers.link(link_id)["challans"]:
            self.levers.set_challan(item["id"], status=status)

    def row(self, link_id):
        with self.services.store.read() as connection:
            return settlements.of_links(connection, [link_id]).get(link_id)

    def discrepancy(self, link_id, kind="unsettled"):
        with self.services.store.read() as connection:
            return discrepancies.of_link(connection, link_id).get(kind)

    def waiting(self):
        """Count the paid links that wait for their first check, and those whose last check was unclear."""
        with self.services.store.read() as connection:
            return settlements.count_unchecked(connection), settlements.count_unclear(connection)

    def history(self, link_id, kind):
        with self.services.store.read() as connection:
            return [event.new for event in links.events_of(connection, link_id) if event.kind == kind]

    def searches(self, act):
        """Count the searches that an act makes."""
        before = self.levers.count("search")
        act()
        return self.levers.count("search") - before

    def round(self, services=None):
        """Check due vehicles as the watcher does; return how many were searched."""
        services = services or self.services
        claims = services.settlement_tracker.claim_due(5)
        for link_id in claims:
            services.settlement_tracker.check(link_id)
        return len(claims)

    def next_check(self, link_id):
        """Move the clocks on to when the link's vehicle is due, and check it."""
        due_at = self.row(link_id).due_at
        self.later(seconds=max(0.0, (due_at - self.clock()).total_seconds()))
        assert self.round() == 1
