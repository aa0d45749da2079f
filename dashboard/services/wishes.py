"""What a person asks for on the review page, and why it may be refused before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Refusal(StrEnum):
    """Why nothing was prepared; the words are the web part's."""

    NOTHING_SELECTED = "nothing_selected"
    TOO_MANY = "too_many"
    HOURS = "hours"
    NEVER_SEARCHED = "never_searched"
    NOT_PAYABLE = "not_payable"
    HELD = "held"
    OTHER_PAYLOAD = "other_payload"


class CreationRefused(Exception):
    """Our own checks stand in the way; nothing was prepared and nothing sent. `challan_ids` are those in the way."""

    def __init__(self, refusal: Refusal, challan_ids: Sequence[str] = ()) -> None:
        self.refusal = refusal
        self.challan_ids = tuple(challan_ids)
        super().__init__(refusal.value)


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person asked for on the review page. `hours` is a whole number of hours, 24 to 168."""

    person_id: int
    request_key: str
    rc: str
    challan_ids: tuple[str, ...]
    hours: int
