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
    NOT_REPLACEABLE = "not_replaceable"


class NotRecorded(Exception):
    """The database refused to record what the service answered. With a `link_id` the link was created, and its id is
    kept on disk until the record is made; without one its outcome will be found by looking.
    """

    def __init__(self, intent_id: str, link_id: str | None = None) -> None:
        self.intent_id = intent_id
        self.link_id = link_id
        super().__init__(f"the outcome of request {intent_id} could not be recorded")


class CreationRefused(Exception):
    """Our own checks stand in the way; nothing was prepared and nothing sent. `challan_ids` are those in the way."""

    def __init__(self, refusal: Refusal, challan_ids: Sequence[str] = ()) -> None:
        self.refusal = refusal
        self.challan_ids = tuple(challan_ids)
        super().__init__(refusal.value)


@dataclass(frozen=True, slots=True)
class CreateLink:
    """What a person asked for on the review page. `hours` is a whole number of hours, 24 to 168; `replaces` is the
    ended link in whose place this one is made, if any.
    """

    person_id: int
    request_key: str
    rc: str
    challan_ids: tuple[str, ...]
    hours: int
    replaces: str | None = None
