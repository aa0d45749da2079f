"""Define the command to create a link, and the errors that it ends in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class CreationProblem(StrEnum):
    """List the reasons why nothing was prepared. `web/creation/texts.py` has the sentences."""

    NOTHING_SELECTED = "nothing_selected"
    TOO_MANY = "too_many"
    HOURS = "hours"
    NEVER_SEARCHED = "never_searched"
    NOT_PAYABLE = "not_payable"
    HELD = "held"
    OTHER_PAYLOAD = "other_payload"
    NOT_REPLACEABLE = "not_replaceable"


class CreationRefused(Exception):
    """Report that our own checks refused a creation; nothing was prepared or sent.

    `challan_ids` are the challans that cannot be on the link, for the problems that concern single challans.
    """

    def __init__(self, problem: CreationProblem, challan_ids: Sequence[str] = ()) -> None:
        self.problem = problem
        self.challan_ids = tuple(challan_ids)
        super().__init__(problem.value)


class NotRecorded(Exception):
    """Report that the database refused to record the service's answer.

    With a `link_id` the link was created, and its id stays on disk until it is recorded. Without one, attempts to
    resolve the intent will find the outcome.
    """

    def __init__(self, intent_id: str, link_id: str | None = None) -> None:
        self.intent_id = intent_id
        self.link_id = link_id
        super().__init__(f"the outcome of request {intent_id} could not be recorded")


@dataclass(frozen=True, slots=True)
class CreateLink:
    """Hold the command that a person submits on the review page.

    `request_key` was drawn with the form: the same key leads to the same intent.
    `hours` is the lifetime of the link, MIN_HOURS to MAX_HOURS. `replaces` is the ended link to replace, if any.
    `bulk`: it is one of many, and yields to what people do one by one.
    """

    person_id: int
    request_key: str
    rc: str
    challan_ids: tuple[str, ...]
    hours: int
    replaces: str | None = None
    bulk: bool = False
