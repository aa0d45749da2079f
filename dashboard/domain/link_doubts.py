"""Decide what is doubtful about a link that may still be paid, and so is checked before somebody is sent it."""

from __future__ import annotations

from enum import StrEnum

from dashboard.domain.links import KNOWN_STATUSES, is_live


class LinkDoubt(StrEnum):
    NEVER_CHECKED = "never checked"  #: A search showed the link, and no answer has told its state.
    STATE = "state"  #: The document does not name its state.
    MONEY_TAKEN = "money taken"  #: The driver of a failed link for one of its challans says that money was taken.
    DUPLICATE = "duplicate"  #: An alarm that nobody has acknowledged: another link has the same challans.
    OTHER_VEHICLE = "other vehicle"  #: It has a challan of another vehicle.
    AMOUNTS = "amounts"  #: Its amounts do not match.


def doubt_of(
    status: str,
    *,
    is_unknown: bool,
    was_checked: bool,
    has_taken_payment: bool,
    has_alarm: bool,
    has_other_vehicle: bool,
    has_mismatch: bool,
) -> LinkDoubt | None:
    """Return what is most doubtful about a link; None where nothing is, or where nobody can be sent it any more."""
    if not is_live(status) or is_unknown:
        return None
    if not was_checked:
        return LinkDoubt.NEVER_CHECKED
    if status and status not in KNOWN_STATUSES:
        return LinkDoubt.STATE
    if has_taken_payment:
        return LinkDoubt.MONEY_TAKEN
    if has_alarm:
        return LinkDoubt.DUPLICATE
    if has_other_vehicle:
        return LinkDoubt.OTHER_VEHICLE
    return LinkDoubt.AMOUNTS if has_mismatch else None
