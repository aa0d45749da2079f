"""Test what is most doubtful about a link."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.domain.link_doubts import LinkDoubt, doubt_of

ODD = {
    "was_checked": False,
    "has_taken_payment": True,
    "has_alarm": True,
    "has_other_vehicle": True,
    "has_mismatch": True,
}
CHECKED = ODD | {"was_checked": True}
KNOWN = {
    "is_unknown": False,
    "was_checked": True,
    "has_taken_payment": False,
    "has_alarm": False,
    "has_other_vehicle": False,
    "has_mismatch": False,
}


@pytest.mark.parametrize(
    ("status", "facts", "doubt"),
    [
        ("ACTIVE", {}, None),
        ("", {}, None),
        ("ON_HOLD", {}, LinkDoubt.STATE),
        ("ACTIVE", ODD, LinkDoubt.NEVER_CHECKED),
        ("ON_HOLD", CHECKED, LinkDoubt.STATE),
        ("ACTIVE", CHECKED, LinkDoubt.MONEY_TAKEN),
        ("ACTIVE", CHECKED | {"has_taken_payment": False}, LinkDoubt.DUPLICATE),
        ("ACTIVE", CHECKED | {"has_taken_payment": False, "has_alarm": False}, LinkDoubt.OTHER_VEHICLE),
        ("ACTIVE", {"has_mismatch": True}, LinkDoubt.AMOUNTS),
        ("PAID", ODD, None),
        ("EXPIRED", ODD, None),
        ("ON_HOLD", ODD | {"is_unknown": True}, None),
    ],
)
def test_what_is_said_is_what_matters_most_of_a_link_that_may_still_be_paid(
    status: str, facts: dict[str, Any], doubt: LinkDoubt | None
) -> None:
    assert doubt_of(status, **KNOWN | facts) is doubt
