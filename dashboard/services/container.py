"""Hold the services, which the application builds once and its threads share."""

from __future__ import annotations

from dashboard.services.accounts.audit import Audit
from dashboard.services.accounts.saved_forms import SavedForms
from dashboard.services.creation.create import LinkCreator
from dashboard.services.creation.evidence import EvidenceGatherer
from dashboard.services.creation.outcomes import OutcomeRecorder
from dashboard.services.creation.release import ClaimReleaser
from dashboard.services.creation.replacement import ReplacementPlanner
from dashboard.services.creation.resolve import OutcomeResolver
from dashboard.services.creation.unknown_links import UnknownLinkReleaser
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.fleet.drafts import FleetDrafts
from dashboard.services.fleet.jobs import FleetJobs
from dashboard.services.fleet.lists import FleetLists
from dashboard.services.fleet.plan_drivers import PlanDrivers
from dashboard.services.fleet.plans import FleetPlans
from dashboard.services.fleet.schedules import FleetSchedules
from dashboard.services.fleet.searches import FleetSearches
from dashboard.services.home.paid_notifications import PaidNotifications
from dashboard.services.links.custom_fields import CustomFieldValues
from dashboard.services.links.duplicates import DuplicateAlarms
from dashboard.services.links.polling import LinkPoller
from dashboard.services.links.saved_views import SavedViews
from dashboard.services.operations.allowance_planner import AllowancePlanner
from dashboard.services.operations.allowances import Allowances
from dashboard.services.operations.asked_tries import AskedTries
from dashboard.services.operations.assumption_checks import AssumptionChecks
from dashboard.services.operations.call_outcomes import CallOutcomes
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.operations.clocks import Clocks
from dashboard.services.operations.key_probe import KeyProbe
from dashboard.services.operations.readiness import Readiness
from dashboard.services.operations.restoration import Restoration
from dashboard.services.operations.retention import Retention
from dashboard.services.reconciliation.discrepancies import Discrepancies
from dashboard.services.reconciliation.settlement_tracker import SettlementTracker
from dashboard.services.reconciliation.statement import Statements
from dashboard.services.schedule import Clock, Schedule
from dashboard.services.sharing.drivers import Drivers
from dashboard.services.sharing.follow_up import FollowUps
from dashboard.services.sharing.forgetting import Forgetting
from dashboard.services.sharing.messages import MessageTemplates
from dashboard.services.sharing.share import Sharing
from dashboard.services.vehicles.reference_data import ReferenceData
from dashboard.services.vehicles.search import VehicleSearch
from dashboard.services.vehicles.selections import Selections
from dashboard.store.engine import Store
from dashboard.upstream import ServiceClient


class Services:
    def __init__(
        self,
        store: Store,
        client: ServiceClient,
        clock: Clock,
        schedule: Schedule,
        unrecorded_links: UnrecordedLinks,
        payment_page_base: str | None = None,
    ) -> None:
        self.store = store
        self.clock = clock
        self.schedule = schedule
        self.payment_page_base = payment_page_base
        self.readiness = Readiness(store)
        self.audit = Audit(store, clock)
        self.saved_forms = SavedForms(store, clock)
        self.selections = Selections(store, clock)
        allowances = Allowances(store, clock, schedule.person_searches)
        self.restoration = Restoration(store, clock)
        self.assumption_checks = AssumptionChecks(store, clock)
        self.clocks = Clocks(store, clock, client.service_time)
        self.call_outcomes = CallOutcomes(store, clock)
        self.call_policy = CallPolicy(
            store,
            clock,
            lambda: client.config.secret.fingerprint,
            allowances,
            self.call_outcomes,
            KeyProbe(store, client),
            AskedTries(store, clock),
        )
        self.allowance_planner = AllowancePlanner(clock, self.call_policy)
        self.reference_data = ReferenceData(store, client, self.call_policy, clock, schedule)
        self.vehicle_search = VehicleSearch(store, client, self.call_policy, clock, schedule)
        self.link_poller = LinkPoller(store, client, self.call_policy, clock, schedule)
        self.sharing = Sharing(store, self.link_poller, clock, payment_page_base)
        self.drivers = Drivers(store, clock)
        self.forgetting = Forgetting(store, clock)
        self.retention = Retention(store, clock, schedule, self.clocks, self.forgetting)
        self.message_templates = MessageTemplates(store, clock)
        self.follow_ups = FollowUps(store, clock)
        self.replacement_planner = ReplacementPlanner(store, self.vehicle_search, self.link_poller)
        self.custom_fields = CustomFieldValues(store, clock)
        self.saved_views = SavedViews(store, clock)
        self.duplicate_alarms = DuplicateAlarms(store, clock)
        self.discrepancies = Discrepancies(store, self.duplicate_alarms, clock)
        self.statements = Statements(store, clock)
        self.settlement_tracker = SettlementTracker(store, self.vehicle_search, self.call_policy, clock, schedule)
        self.paid_notifications = PaidNotifications(store, clock)
        evidence_gatherer = EvidenceGatherer(store, client, self.call_policy, clock, schedule)
        self.outcome_resolver = OutcomeResolver(store, evidence_gatherer, self.call_policy, clock, schedule)
        self.claim_releaser = ClaimReleaser(store, self.outcome_resolver, clock, schedule)
        self.unknown_link_releaser = UnknownLinkReleaser(store, self.link_poller, self.vehicle_search, clock, schedule)
        self.outcome_recorder = OutcomeRecorder(
            store, self.call_policy, self.outcome_resolver, unrecorded_links, clock, schedule
        )
        self.link_creator = LinkCreator(
            store,
            client,
            self.call_policy,
            self.vehicle_search,
            self.link_poller,
            self.outcome_resolver,
            self.outcome_recorder,
            clock,
            schedule,
        )
        self.fleet_jobs = FleetJobs(store, clock, self.call_policy)
        self.fleet_searches = FleetSearches(store, self.vehicle_search, self.call_policy, clock, schedule)
        self.fleet_lists = FleetLists(store, clock)
        self.fleet_drafts = FleetDrafts(
            store, clock, self.reference_data, self.drivers, self.custom_fields, self.fleet_searches
        )
        self.fleet_schedules = FleetSchedules(store, clock, self.fleet_drafts, self.fleet_searches)
        self.fleet_plans = FleetPlans(
            store, self.link_creator, self.vehicle_search, self.call_policy, self.selections, clock, schedule
        )
        self.plan_drivers = PlanDrivers(store, clock)
