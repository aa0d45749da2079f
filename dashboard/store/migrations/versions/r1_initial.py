"""Create every table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment, Money

revision = "r1"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "call_block",
        sa.Column("scope", sa.String(length=40), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("since", Moment(), nullable=True),
        sa.Column("blocked_at", Moment(), nullable=True),
        sa.Column("until", Moment(), nullable=True),
        sa.Column("cause", sa.String(length=40), nullable=True),
        sa.Column("fingerprint", sa.String(length=64), nullable=True),
        sa.Column("recent", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("scope", name=op.f("pk_call_block")),
    )
    op.create_table(
        "call_budget",
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("used_until", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_call_budget")),
    )
    op.create_table(
        "call_count",
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("call_group", sa.String(length=10), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("refused_after", sa.Integer(), nullable=True),
        sa.Column("refused_at", Moment(), nullable=True),
        sa.Column("ask_again_at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("day", "call_group", name=op.f("pk_call_count")),
    )
    op.create_table(
        "organization",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("learned_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_organization")),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("email_key", sa.String(length=254), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("disabled_at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("email_key", name=op.f("uq_person_email_key")),
    )
    op.create_table(
        "reference_list",
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("fetched_at", Moment(), nullable=False),
        sa.Column("rows", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_reference_list")),
    )
    op.create_table(
        "sign_in_failure",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("last_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_sign_in_failure")),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("address", sa.String(length=45), nullable=True),
        sa.Column("request_id", sa.String(length=32), nullable=True),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.Text(), nullable=True),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_audit_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.create_index("ix_audit_at", ["at"], unique=False)
        batch_op.create_index("ix_audit_person_id", ["person_id"], unique=False)

    op.create_table(
        "custom_field",
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("ref", sa.String(length=36), nullable=False),
        sa.Column("cost_centre", sa.String(length=60), nullable=True),
        sa.Column("trip", sa.String(length=60), nullable=True),
        sa.Column("customer", sa.String(length=100), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("written_at", Moment(), nullable=False),
        sa.Column("written_by", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["written_by"], ["person.id"], name=op.f("fk_custom_field_written_by")),
        sa.PrimaryKeyConstraint("kind", "ref", name=op.f("pk_custom_field")),
    )
    op.create_table(
        "driver",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("phone", sa.String(length=20), nullable=True),
        sa.Column("email", sa.String(length=254), nullable=True),
        sa.Column("language", sa.String(length=5), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("added_at", Moment(), nullable=False),
        sa.Column("added_by", sa.Integer(), nullable=False),
        sa.Column("gone_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["added_by"], ["person.id"], name=op.f("fk_driver_added_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_driver")),
    )
    with op.batch_alter_table("driver", schema=None) as batch_op:
        batch_op.create_index("ix_driver_name", ["name"], unique=False)

    op.create_table(
        "intent",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("request_key", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("rc", sa.String(length=20), nullable=False),
        sa.Column("challan_ids", sa.JSON(), nullable=False),
        sa.Column("hours", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("state_since", Moment(), nullable=False),
        sa.Column("sends", sa.Integer(), nullable=False),
        sa.Column("prepared_at", Moment(), nullable=False),
        sa.Column("send_started", Moment(), nullable=True),
        sa.Column("send_ended", Moment(), nullable=True),
        sa.Column("lease_until", Moment(), nullable=True),
        sa.Column("http_status", sa.Integer(), nullable=True),
        sa.Column("outcome", sa.String(length=40), nullable=True),
        sa.Column("negatives", sa.Integer(), nullable=False),
        sa.Column("last_negative_at", Moment(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("last_attempt_at", Moment(), nullable=True),
        sa.Column("attempt_failed_at", Moment(), nullable=True),
        sa.Column("attempt_failure", sa.String(length=40), nullable=True),
        sa.Column("next_check_at", Moment(), nullable=True),
        sa.Column("resolving_until", Moment(), nullable=True),
        sa.Column("link_id", sa.String(length=36), nullable=True),
        sa.Column("attribution", sa.String(length=8), nullable=True),
        sa.Column("replaces", sa.String(length=36), nullable=True),
        sa.Column("released_at", Moment(), nullable=True),
        sa.Column("released_by", sa.Integer(), nullable=True),
        sa.Column("release_reason", sa.Text(), nullable=True),
        sa.CheckConstraint("sends <= 1", name=op.f("ck_intent_one_send")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_intent_person_id")),
        sa.ForeignKeyConstraint(["released_by"], ["person.id"], name=op.f("fk_intent_released_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_intent")),
        sa.UniqueConstraint("person_id", "request_key", name=op.f("uq_intent_person_id_request_key")),
    )
    with op.batch_alter_table("intent", schema=None) as batch_op:
        batch_op.create_index("ix_intent_next_check_at", ["next_check_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_intent_rc"), ["rc"], unique=False)
        batch_op.create_index(batch_op.f("ix_intent_replaces"), ["replaces"], unique=False)
        batch_op.create_index(batch_op.f("ix_intent_state"), ["state"], unique=False)

    op.create_table(
        "message_template",
        sa.Column("language", sa.String(length=5), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("written_at", Moment(), nullable=False),
        sa.Column("written_by", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["written_by"], ["person.id"], name=op.f("fk_message_template_written_by")),
        sa.PrimaryKeyConstraint("language", name=op.f("pk_message_template")),
    )
    op.create_table(
        "paid_notification",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("paid_until", Moment(), nullable=True),
        sa.Column("notify", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_paid_notification_person_id")),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_paid_notification")),
    )
    op.create_table(
        "saved_form",
        sa.Column("key", sa.String(length=43), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("endpoint", sa.String(length=100), nullable=False),
        sa.Column("view_args", sa.JSON(), nullable=False),
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_saved_form_person_id")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_saved_form")),
    )
    op.create_table(
        "saved_view",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("saved_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_saved_view_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_view")),
        sa.UniqueConstraint("person_id", "name", name=op.f("uq_saved_view_person_id_name")),
    )
    op.create_table(
        "search_attempt",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("rc", sa.String(length=20), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("failure", sa.String(length=40), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_search_attempt_person_id")),
        sa.PrimaryKeyConstraint("person_id", "rc", name=op.f("pk_search_attempt")),
    )
    op.create_table(
        "search_count",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("hour", Moment(), nullable=False),
        sa.Column("searches", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_search_count_person_id")),
        sa.PrimaryKeyConstraint("person_id", "hour", name=op.f("pk_search_count")),
    )
    op.create_table(
        "selection",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("rc", sa.String(length=20), nullable=False),
        sa.Column("challan_ids", sa.JSON(), nullable=False),
        sa.Column("hours", sa.String(length=12), nullable=False),
        sa.Column("saved_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_selection_person_id")),
        sa.PrimaryKeyConstraint("person_id", "rc", name=op.f("pk_selection")),
    )
    op.create_table(
        "session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("last_used_at", Moment(), nullable=False),
        sa.Column("ended_at", Moment(), nullable=True),
        sa.Column("why", sa.String(length=20), nullable=True),
        sa.Column("address", sa.String(length=45), nullable=False),
        sa.Column("user_agent", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_session_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_session")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_session_token_hash")),
    )
    with op.batch_alter_table("session", schema=None) as batch_op:
        batch_op.create_index("ix_session_person_id", ["person_id"], unique=False)

    op.create_table(
        "vehicle",
        sa.Column("rc", sa.String(length=20), nullable=False),
        sa.Column("first_searched_at", Moment(), nullable=False),
        sa.Column("searched_at", Moment(), nullable=False),
        sa.Column("searched_by", sa.Integer(), nullable=True),
        sa.Column("compared_with", Moment(), nullable=True),
        sa.Column("new_count", sa.Integer(), nullable=True),
        sa.Column("unreadable", sa.Integer(), nullable=False),
        sa.Column("failed_at", Moment(), nullable=True),
        sa.Column("failure", sa.String(length=40), nullable=True),
        sa.ForeignKeyConstraint(["searched_by"], ["person.id"], name=op.f("fk_vehicle_searched_by")),
        sa.PrimaryKeyConstraint("rc", name=op.f("pk_vehicle")),
    )
    with op.batch_alter_table("vehicle", schema=None) as batch_op:
        batch_op.create_index("ix_vehicle_searched_at", ["searched_at"], unique=False)

    op.create_table(
        "vehicle_refresh",
        sa.Column("rc", sa.String(length=20), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("lease_until", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_vehicle_refresh_person_id")),
        sa.PrimaryKeyConstraint("rc", name=op.f("pk_vehicle_refresh")),
    )
    op.create_table(
        "challan",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("rc", sa.String(length=20), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("mark", sa.String(length=8), nullable=True),
        sa.Column("changes", sa.JSON(), nullable=False),
        sa.Column("challan_id", sa.String(length=36), nullable=True),
        sa.Column("challan_no", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=True),
        sa.Column("challan_amount", Money(), nullable=True),
        sa.Column("total_amount", Money(), nullable=True),
        sa.Column("challan_date", Moment(), nullable=True),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("challan_type", sa.Text(), nullable=True),
        sa.Column("challan_place", sa.Text(), nullable=True),
        sa.Column("offense_details", sa.Text(), nullable=True),
        sa.Column("payment_link_id", sa.String(length=36), nullable=True),
        sa.Column("link_status", sa.Text(), nullable=True),
        sa.Column("link_url", sa.Text(), nullable=True),
        sa.Column("link_total", Money(), nullable=True),
        sa.Column("prepaid", sa.Boolean(), nullable=True),
        sa.Column("gaps", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["rc"], ["vehicle.rc"], name=op.f("fk_challan_rc")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challan")),
    )
    with op.batch_alter_table("challan", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_challan_challan_id"), ["challan_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_challan_challan_no"), ["challan_no"], unique=False)
        batch_op.create_index(batch_op.f("ix_challan_rc"), ["rc"], unique=False)

    op.create_table(
        "claim",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("challan_id", sa.String(length=36), nullable=False),
        sa.Column("intent_id", sa.String(length=36), nullable=False),
        sa.Column("link_id", sa.String(length=36), nullable=True),
        sa.Column("claimed_at", Moment(), nullable=False),
        sa.Column("released_at", Moment(), nullable=True),
        sa.Column("why", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["intent_id"], ["intent.id"], name=op.f("fk_claim_intent_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_claim")),
    )
    with op.batch_alter_table("claim", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_claim_challan_id"), ["challan_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_claim_intent_id"), ["intent_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_claim_link_id"), ["link_id"], unique=False)
        batch_op.create_index(
            "uq_claim_open_challan",
            ["challan_id"],
            unique=True,
            sqlite_where=sa.text("released_at IS NULL"),
            postgresql_where=sa.text("released_at IS NULL"),
        )

    op.create_table(
        "driver_vehicle",
        sa.Column("driver_id", sa.Integer(), nullable=False),
        sa.Column("rc", sa.String(length=20), nullable=False),
        sa.ForeignKeyConstraint(["driver_id"], ["driver.id"], name=op.f("fk_driver_vehicle_driver_id")),
        sa.PrimaryKeyConstraint("driver_id", "rc", name=op.f("pk_driver_vehicle")),
    )
    with op.batch_alter_table("driver_vehicle", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_driver_vehicle_rc"), ["rc"], unique=False)

    op.create_table(
        "intent_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("intent_id", sa.String(length=36), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("old", sa.String(length=16), nullable=True),
        sa.Column("new", sa.String(length=16), nullable=False),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["intent_id"], ["intent.id"], name=op.f("fk_intent_event_intent_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_intent_event")),
    )
    with op.batch_alter_table("intent_event", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_intent_event_intent_id"), ["intent_id"], unique=False)

    op.create_table(
        "link",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("rc", sa.String(length=20), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("status_since", Moment(), nullable=False),
        sa.Column("payment_url", sa.Text(), nullable=True),
        sa.Column("expires_at", Moment(), nullable=True),
        sa.Column("paid_at", Moment(), nullable=True),
        sa.Column("amount", sa.JSON(), nullable=True),
        sa.Column("modes", sa.JSON(), nullable=False),
        sa.Column("total", Money(), nullable=True),
        sa.Column("detailed", sa.Boolean(), nullable=False),
        sa.Column("origin", sa.String(length=12), nullable=False),
        sa.Column("intent_id", sa.String(length=36), nullable=True),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("created_at", Moment(), nullable=True),
        sa.Column("hours", sa.Integer(), nullable=True),
        sa.Column("first_seen_at", Moment(), nullable=False),
        sa.Column("checked_at", Moment(), nullable=True),
        sa.Column("failed_at", Moment(), nullable=True),
        sa.Column("failure", sa.String(length=40), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=True),
        sa.Column("service_clock_offset", sa.Integer(), nullable=True),
        sa.Column("watched_at", Moment(), nullable=True),
        sa.Column("next_check_at", Moment(), nullable=True),
        sa.Column("lease_until", Moment(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("saving", Money(), nullable=True),
        sa.Column("rc_rank", sa.String(length=20), server_default="", nullable=False),
        sa.Column("ends_rank", Moment(), server_default=sa.text("'9999-12-31 00:00:00'"), nullable=False),
        sa.Column("amount_rank", sa.Float(), server_default=sa.text("(-1)"), nullable=False),
        sa.ForeignKeyConstraint(["intent_id"], ["intent.id"], name=op.f("fk_link_intent_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_link_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_link")),
    )
    with op.batch_alter_table("link", schema=None) as batch_op:
        batch_op.create_index("ix_link_amount_rank_id", ["amount_rank", "id"], unique=False)
        batch_op.create_index("ix_link_ends_rank_id", ["ends_rank", "id"], unique=False)
        batch_op.create_index("ix_link_expires_at", ["expires_at"], unique=False)
        batch_op.create_index("ix_link_first_seen_at_id", ["first_seen_at", "id"], unique=False)
        batch_op.create_index(
            "ix_link_lease_until",
            ["lease_until"],
            unique=False,
            sqlite_where=sa.text("lease_until IS NOT NULL"),
            postgresql_where=sa.text("lease_until IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_link_live",
            ["first_seen_at", "id"],
            unique=False,
            sqlite_where=sa.text("(status NOT IN ('CANCELLED', 'EXPIRED', 'FAILED', 'PAID'))"),
            postgresql_where=sa.text("(status NOT IN ('CANCELLED', 'EXPIRED', 'FAILED', 'PAID'))"),
        )
        batch_op.create_index("ix_link_next_check_at", ["next_check_at"], unique=False)
        batch_op.create_index("ix_link_paid_at", ["paid_at"], unique=False)
        batch_op.create_index("ix_link_person_id_first_seen_at", ["person_id", "first_seen_at"], unique=False)
        batch_op.create_index(
            "ix_link_person_id_status_status_since", ["person_id", "status", "status_since"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_link_rc"), ["rc"], unique=False)
        batch_op.create_index("ix_link_rc_rank_id", ["rc_rank", "id"], unique=False)
        batch_op.create_index("ix_link_status_amount_rank_id", ["status", "amount_rank", "id"], unique=False)
        batch_op.create_index("ix_link_status_ends_rank_id", ["status", "ends_rank", "id"], unique=False)
        batch_op.create_index("ix_link_status_first_seen_at_id", ["status", "first_seen_at", "id"], unique=False)
        batch_op.create_index("ix_link_status_id", ["status", "id"], unique=False)
        batch_op.create_index("ix_link_status_rc_rank_id", ["status", "rc_rank", "id"], unique=False)
        batch_op.create_index("ix_link_status_status_since", ["status", "status_since"], unique=False)
        batch_op.create_index("ix_link_watched_at", ["watched_at"], unique=False)

    op.create_table(
        "discrepancy",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("link_id", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("found_at", Moment(), nullable=False),
        sa.Column("withdrawn_at", Moment(), nullable=True),
        sa.Column("acknowledged_at", Moment(), nullable=True),
        sa.Column("acknowledged_by", sa.Integer(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["acknowledged_by"], ["person.id"], name=op.f("fk_discrepancy_acknowledged_by")),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], name=op.f("fk_discrepancy_link_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_discrepancy")),
        sa.UniqueConstraint("link_id", "kind", name=op.f("uq_discrepancy_link_id_kind")),
    )
    with op.batch_alter_table("discrepancy", schema=None) as batch_op:
        batch_op.create_index(
            "ix_discrepancy_acknowledged_at",
            ["acknowledged_at", "id"],
            unique=False,
            sqlite_where=sa.text("acknowledged_at IS NOT NULL"),
            postgresql_where=sa.text("acknowledged_at IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_discrepancy_open",
            ["kind", "found_at", "id"],
            unique=False,
            sqlite_where=sa.text("withdrawn_at IS NULL AND acknowledged_at IS NULL"),
            postgresql_where=sa.text("withdrawn_at IS NULL AND acknowledged_at IS NULL"),
        )

    op.create_table(
        "follow_up",
        sa.Column("link_id", sa.String(length=36), nullable=False),
        sa.Column("snoozed_until", Moment(), nullable=False),
        sa.Column("snoozed_by", sa.Integer(), nullable=False),
        sa.Column("snoozed_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], name=op.f("fk_follow_up_link_id")),
        sa.ForeignKeyConstraint(["snoozed_by"], ["person.id"], name=op.f("fk_follow_up_snoozed_by")),
        sa.PrimaryKeyConstraint("link_id", name=op.f("pk_follow_up")),
    )
    with op.batch_alter_table("follow_up", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_follow_up_snoozed_until"), ["snoozed_until"], unique=False)

    op.create_table(
        "link_challan",
        sa.Column("link_id", sa.String(length=36), nullable=False),
        sa.Column("challan_id", sa.String(length=36), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("challan_no", sa.Text(), nullable=True),
        sa.Column("rc_number", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=True),
        sa.Column("challan_type", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("challan_amount", Money(), nullable=True),
        sa.Column("legal_fee", Money(), nullable=True),
        sa.Column("total_amount", Money(), nullable=True),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], name=op.f("fk_link_challan_link_id")),
        sa.PrimaryKeyConstraint("link_id", "challan_id", name=op.f("pk_link_challan")),
    )
    with op.batch_alter_table("link_challan", schema=None) as batch_op:
        batch_op.create_index("ix_link_challan_challan_id", ["challan_id"], unique=False)
        batch_op.create_index("ix_link_challan_challan_no_link_id", ["challan_no", "link_id"], unique=False)
        batch_op.create_index("ix_link_challan_challan_type_link_id", ["challan_type", "link_id"], unique=False)

    op.create_table(
        "link_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("link_id", sa.String(length=36), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("old", sa.Text(), nullable=True),
        sa.Column("new", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], name=op.f("fk_link_event_link_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_link_event_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_link_event")),
    )
    with op.batch_alter_table("link_event", schema=None) as batch_op:
        batch_op.create_index("ix_link_event_kind_link_id", ["kind", "link_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_link_event_link_id"), ["link_id"], unique=False)

    op.create_table(
        "seen_paid_link",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("link_id", sa.String(length=36), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], name=op.f("fk_seen_paid_link_link_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_seen_paid_link_person_id")),
        sa.PrimaryKeyConstraint("person_id", "link_id", name=op.f("pk_seen_paid_link")),
    )
    op.create_table(
        "settlement",
        sa.Column("link_id", sa.String(length=36), nullable=False),
        sa.Column("rc", sa.String(length=20), nullable=True),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("since", Moment(), nullable=False),
        sa.Column("entered_at", Moment(), nullable=False),
        sa.Column("due_at", Moment(), nullable=True),
        sa.Column("checks", sa.Integer(), nullable=False),
        sa.Column("checked_at", Moment(), nullable=True),
        sa.Column("challans", sa.JSON(), nullable=True),
        sa.Column("ended_at", Moment(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("failed_at", Moment(), nullable=True),
        sa.Column("failure", sa.String(length=40), nullable=True),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], name=op.f("fk_settlement_link_id")),
        sa.PrimaryKeyConstraint("link_id", name=op.f("pk_settlement")),
    )
    with op.batch_alter_table("settlement", schema=None) as batch_op:
        batch_op.create_index(
            "ix_settlement_due_at",
            ["due_at"],
            unique=False,
            sqlite_where=sa.text("due_at IS NOT NULL"),
            postgresql_where=sa.text("due_at IS NOT NULL"),
        )
        batch_op.create_index(batch_op.f("ix_settlement_rc"), ["rc"], unique=False)

    op.create_table(
        "share",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("link_id", sa.String(length=36), nullable=False),
        sa.Column("driver_id", sa.Integer(), nullable=True),
        sa.Column("channel", sa.String(length=10), nullable=False),
        sa.Column("language", sa.String(length=5), nullable=True),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["driver_id"], ["driver.id"], name=op.f("fk_share_driver_id")),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], name=op.f("fk_share_link_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_share_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_share")),
    )
    with op.batch_alter_table("share", schema=None) as batch_op:
        batch_op.create_index("ix_share_driver_id_at", ["driver_id", "at"], unique=False)
        batch_op.create_index("ix_share_link_id_at", ["link_id", "at"], unique=False)
