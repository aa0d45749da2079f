"""Everything staff can do, put together once by the application and shared by its threads."""

from __future__ import annotations

from dashboard.services.creation.create import Creation
from dashboard.services.creation.outcomes import Recording
from dashboard.services.creation.release import SettingAside
from dashboard.services.creation.replacement import Reissuing
from dashboard.services.creation.resolve import Reconciling
from dashboard.services.creation.unrecorded_links import Spool
from dashboard.services.links.duplicates import Doubling
from dashboard.services.links.polling import Following
from dashboard.services.operations.allowances import Allowances
from dashboard.services.operations.call_policy import Gate
from dashboard.services.reconciliation.discrepancies import Findings
from dashboard.services.reconciliation.settlement_tracker import Settling
from dashboard.services.reconciliation.statement import Statements
from dashboard.services.schedule import Clock, Pace
from dashboard.services.sharing.copies import Copying
from dashboard.services.sharing.paid_notifications import PaidNews
from dashboard.services.sharing.share import Sharing
from dashboard.services.vehicles.reference_data import Lookups
from dashboard.services.vehicles.search import Searching
from dashboard.services.vehicles.selections import Drafts
from dashboard.store.engine import Store
from dashboard.upstream import ServiceClient


class Desk:
    def __init__(
        self,
        store: Store,
        client: ServiceClient,
        clock: Clock,
        pace: Pace,
        spool: Spool,
        payment_page_base: str | None = None,
    ) -> None:
        self.store = store
        self.clock = clock
        self.pace = pace
        self.payment_page_base = payment_page_base
        self.drafts = Drafts(store, clock)
        allowances = Allowances(store, clock, pace.person_searches)
        self.gate = Gate(store, clock, lambda: client.config.secret.fingerprint, allowances)
        self.lookups = Lookups(store, client, self.gate, clock, pace)
        self.searching = Searching(store, client, self.gate, clock, pace)
        self.following = Following(store, client, self.gate, clock, pace)
        self.sharing = Sharing(store, self.following, clock, payment_page_base)
        self.reissuing = Reissuing(store, self.searching, self.following)
        self.doubling = Doubling(store, clock)
        self.findings = Findings(store, self.doubling, clock)
        self.statements = Statements(store, clock)
        self.settling = Settling(store, self.searching, self.gate, clock, pace)
        self.copying = Copying(store, clock)
        self.paid_news = PaidNews(store, clock)
        self.reconciling = Reconciling(store, client, self.gate, clock, pace)
        self.setting_aside = SettingAside(store, self.reconciling, clock, pace)
        self.recording = Recording(store, self.gate, self.reconciling, spool, clock, pace)
        self.creation = Creation(
            store, client, self.gate, self.searching, self.following, self.reconciling, self.recording, clock, pace
        )
