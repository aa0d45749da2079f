"""Why nothing was sent from a review, and who or what stands in the way."""

from __future__ import annotations

from collections.abc import Collection

from dashboard.services.creation.commands import CreationProblem, CreationRefused
from dashboard.services.vehicles import eligibility
from dashboard.web.shared.current import current_services
from dashboard.web.shared.texts import REFUSALS, join_words
from dashboard.web.vehicles.page import challan_row

_IN_THE_WAY = (CreationProblem.HELD, CreationProblem.NOT_PAYABLE)
_MOST_NAMED = 3


def why(rc: str, refused: CreationRefused, chosen: Collection[str]) -> str:
    """The words of a refusal, with whose request or that a link holds which challans; `chosen` were asked for."""
    said = [REFUSALS[refused.problem]]
    if refused.problem in _IN_THE_WAY:
        said += [f"{_capital(holder)} holds {_named(numbers)}." for holder, numbers in _holders(rc, refused).items()]
        if set(chosen) - set(refused.challan_ids):
            said.append("The review below holds the others.")
    return " ".join(said)


def _holders(rc: str, refused: CreationRefused) -> dict[str, list[str]]:
    now = current_services().clock()
    with current_services().store.read() as connection:
        placed = eligibility.of_vehicle(connection, rc)
    found: dict[str, list[str]] = {}
    for row in (challan_row(item, now) for item in placed if item.challan.id in refused.challan_ids):
        if row.held_by is not None:
            holder = "a payment link" if row.held_by.state else row.held_by.words
            found.setdefault(holder, []).append(row.challan_no)
    return found


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _named(numbers: list[str]) -> str:
    if len(numbers) > _MOST_NAMED:
        return f"{len(numbers)} of them"
    return join_words(numbers)
