"""Decide who may reach which endpoint. An endpoint that is not named here needs a signed-in person of any role."""

from __future__ import annotations

from dashboard.domain.roles import Role

#: Reachable without signing in.
OPEN = frozenset(
    {
        "static",
        "accounts.sign_in",
        "accounts.invitation",
        "accounts.accept_invitation",
        "accounts.second_step",
        "accounts.enter_code",
        "accounts.ask_provider",
        "accounts.provider_answered",
        "accounts.choose_language",
        "operations.healthz",
        "operations.readyz",
    }
)

#: Pages for somebody who is not signed in.
SIGNED_OUT_PAGES = frozenset({"accounts.sign_in", "accounts.second_step", "accounts.invitation"})

#: The address itself is a secret, so the browser must not tell it to anybody.
SECRET_ADDRESSES = frozenset({"accounts.invitation", "accounts.accept_invitation"})

#: For machines: reachable with the bearer token too, and never redirected to sign-in.
TOKEN = frozenset({"operations.metrics"})

#: The least role for an endpoint, or for a whole blueprint; everything else is for every role.
LEAST_ROLE: dict[str, Role] = {
    "accounts.audit": Role.ADMIN,
    "accounts.change_role": Role.ADMIN,
    "accounts.disable_person": Role.ADMIN,
    "accounts.enable_person": Role.ADMIN,
    "accounts.end_sessions": Role.ADMIN,
    "accounts.export_audit": Role.ADMIN,
    "accounts.invite": Role.ADMIN,
    "accounts.people": Role.ADMIN,
    "accounts.person": Role.ADMIN,
    "accounts.remove_second_factor": Role.ADMIN,
    "accounts.require_second_factor": Role.ADMIN,
    "accounts.send_invitation": Role.ADMIN,
    "creation.release": Role.MANAGER,
    "fleet": Role.MANAGER,
    # A plan is open to whoever made it, who may be of any role.
    "fleet.change_plan": Role.STAFF,
    "fleet.choose_drivers": Role.STAFF,
    "fleet.create_selected": Role.STAFF,
    "fleet.plan": Role.STAFF,
    "fleet.plan_actions": Role.STAFF,
    "fleet.plan_made": Role.STAFF,
    "fleet.plan_message": Role.STAFF,
    "fleet.plan_message_sent": Role.STAFF,
    "fleet.plan_panel": Role.STAFF,
    "fleet.plan_sheet": Role.STAFF,
    "fleet.retry_plan": Role.STAFF,
    "fleet.save_drivers": Role.STAFF,
    "fleet.send_plan_message": Role.STAFF,
    "fleet.sent_undo": Role.STAFF,
    "fleet.sent_selection": Role.STAFF,
    "fleet.sent_to_plan": Role.STAFF,
    "fleet.share_plan": Role.STAFF,
    "fleet.share_rows": Role.STAFF,
    "fleet.undo_plan_message": Role.STAFF,
    "links.acknowledge_duplicates": Role.MANAGER,
    "links.export": Role.MANAGER,
    "links.export_chosen": Role.MANAGER,
    "links.release": Role.MANAGER,
    "links.export_csv": Role.MANAGER,
    "links.export_xlsx": Role.MANAGER,
    "operations.assumptions": Role.ADMIN,
    "operations.check_late_links": Role.ADMIN,
    "operations.index": Role.ADMIN,
    "operations.metrics": Role.ADMIN,
    "operations.record_check": Role.ADMIN,
    "operations.try_again": Role.ADMIN,
    "overview": Role.MANAGER,
    "reconciliation": Role.MANAGER,
    "sharing.drivers_file": Role.MANAGER,
    "sharing.drivers_template": Role.MANAGER,
    "sharing.export_drivers": Role.MANAGER,
    "sharing.import_drivers": Role.MANAGER,
    "sharing.messages": Role.MANAGER,
    "sharing.preview_message": Role.MANAGER,
    "sharing.reset_message": Role.MANAGER,
    "sharing.save_message": Role.MANAGER,
}

#: Polled by pages and machines: such a request does not extend a session.
POLLS = TOKEN | {
    "home.banner",
    "home.panel",
    "home.recent_links",
    "home.paid_notifications",
    "links.panel",
    "links.rows",
    "links.payment",
    "links.timeline",
    "links.amounts",
    "creation.request_panel",
    "fleet.plan_panel",
    "fleet.run_panel",
    "reconciliation.unverified",
    "sharing.driver_links",
    "sharing.last_contact",
    "vehicles.search_progress",
    "vehicles.panel",
}

#: Not pages: nobody is redirected there after sign-in.
NOT_PAGES = POLLS | OPEN | {"accounts.sign_out", "links.choosable"}


def least_role(endpoint: str) -> Role:
    """Return the least role that reaches an endpoint."""
    return LEAST_ROLE.get(endpoint) or LEAST_ROLE.get(endpoint.partition(".")[0], Role.STAFF)
