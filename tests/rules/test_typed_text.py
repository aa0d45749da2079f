"""Test that forgetting a driver searches every column that may hold what somebody typed: a new column must be named."""

from __future__ import annotations

from sqlalchemy import JSON, String

from dashboard.store.migrate import all_tables
from dashboard.store.sharing.mentions import TYPED

#: Columns of text that nobody's typing reaches, and why. One that people can type into belongs into `TYPED`.
NOT_TYPED = {
    "an id, a key, a hash or a secret that we or the service made": """
        call_block.fingerprint audit.request_id creation_check.id creation_check.request_key custom_field.ref
        intent.id intent.request_key intent.challan_ids intent.link_id intent.replaces invitation.token_hash
        recovery_code.code_hash saved_form.key second_factor.secret second_factor.pending second_step.token_hash
        selection.challan_ids selection.link_id session.token_hash sign_in_failure.key claim.challan_id claim.intent_id
        claim.link_id intent_event.intent_id link.id link.intent_id discrepancy.link_id follow_up.link_id
        link_challan.link_id link_challan.challan_id link_event.link_id seen_paid_link.link_id settlement.link_id
        share.link_id challan.challan_id challan.payment_link_id organization.id fleet_job.id fleet_vehicle.run_id
        fleet_vehicle.lane fleet_plan.id fleet_plan.run_id fleet_link.plan_id fleet_link.lane fleet_link.challan_ids
        fleet_link.intent_id fleet_worker.executor_id
        fleet_draft.id fleet_schedule.last_run_id fleet_plan_driver.plan_id
        """,
    "one of a list of names, days or codes in the code": """
        call_block.scope call_block.cause call_block.recent call_budget.name call_count.day call_count.call_group
        allowance_reset.call_group asked_try.call_group asked_try.state
        people_call.call_group call_outcome.call_group call_outcome.outcome person.role
        person.language reference_list.name
        second_factor_role.role audit.action custom_field.kind driver.language intent.state intent.outcome
        intent.attempt_failure intent.attribution message_template.language saved_form.endpoint search_attempt.failure
        session.why vehicle.failure challan.mark challan.gaps challan.changes intent_event.old intent_event.new
        link.origin link.failure link.unstated discrepancy.kind link_event.kind settlement.state settlement.failure
        share.channel share.language fleet_job.kind fleet_job.state fleet_job.reason fleet_vehicle.outcome
        fleet_vehicle.failure fleet_link.outcome fleet_link.failure
        assumption_check.code assumption_check.outcome
        fleet_schedule.scope fleet_schedule.weekdays
        """,
    "sent by the service": """
        organization.name reference_list.rows challan.challan_no challan.status challan.state challan.challan_type
        challan.challan_place challan.offense_details challan.link_status challan.link_url link.status link.payment_url
        link.amount link.modes discrepancy.facts link_challan.challan_no link_challan.rc_number link_challan.status
        link_challan.challan_type link_challan.state settlement.challans fleet_vehicle.rc_type fleet_vehicle.city_id
        """,
    "a status of the service; of a discrepancy that was checked, its kind": "link_event.old",
    "a registration number, which was checked before": """
        intent.rc person_refresh.rc search_attempt.rc selection.rc vehicle.rc vehicle_refresh.rc challan.rc
        driver_vehicle.rc link.rc link.rc_rank settlement.rc fleet_vehicle.rc fleet_vehicle.found_rc fleet_link.rc
        fleet_list.vehicles fleet_plan_driver.rc
        """,
    "the arguments of an address of ours": "saved_form.view_args",
    "sent by a browser or a script of ours, or a name of a host": """
        audit.address session.address session.user_agent selection.step clock_check.host
        """,
    "about a colleague, who is no driver": """
        person.email person.email_key person.name person.password_hash person.oidc_subject
        """,
    "about the driver, whose row is overwritten": "driver.name driver.phone driver.email",
}


def test_every_column_of_text_is_searched_or_known_not_to_hold_what_people_type() -> None:
    columns = {
        f"{table.name}.{column.name}"
        for table in all_tables().sorted_tables
        for column in table.columns
        if isinstance(column.type, (String, JSON))
    }
    searched = [f"{column.table.name}.{column.name}" for each, _ in TYPED for column in each]
    known = [name for names in NOT_TYPED.values() for name in names.split()]
    assert columns - {*searched, *known} == set(), "name them in mentions.TYPED, or here with a reason"
    assert {*searched, *known} - columns == set(), "they are gone"
    assert len({*searched, *known}) == len(searched) + len(known), "named twice"
