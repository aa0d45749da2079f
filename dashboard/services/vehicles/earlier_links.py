"""Find the ended links that payable challans were on, where a second link may make somebody pay twice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection

from dashboard.domain.links import is_ended, may_have_taken_money
from dashboard.domain.sharing import Answer
from dashboard.services.schedule import Schedule
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.fleet import ended_links as ended_links_of_runs
from dashboard.store.links import ended_links
from dashboard.store.links.records import Link
from dashboard.store.sharing import questions


def earlier_links(
    connection: Connection, items: Iterable[ListedChallan], schedule: Schedule, now: datetime
) -> dict[str, Link]:
    """Return the ended link whose payment may still turn up, by the id of each payable challan that was on one."""
    return _which(all_earlier_links(connection, items, schedule, now))


def all_earlier_links(
    connection: Connection, items: Iterable[ListedChallan], schedule: Schedule, now: datetime
) -> dict[str, list[Link]]:
    """Return all such links of each challan, the one that `earlier_links` returns at the end."""
    return _ranked(_ended_on(connection, items), schedule, now)


def failed_links(connection: Connection, items: Iterable[ListedChallan]) -> dict[str, Link]:
    """Return the failed link of each payable challan that was on one, unless its driver says no money was taken."""
    failed = [each for each in _ended_on(connection, items) if may_have_taken_money(each[1].status)]
    settled = _without_money(connection, {link.id for _id, link in failed})
    doubtful = [each for each in failed if each[1].id not in settled]
    return {challan_id: link for challan_id, link in sorted(doubtful, key=lambda each: _weight(each[1])) if challan_id}


def of_doubtful_payment(connection: Connection, earlier: Mapping[str, Sequence[Link]]) -> frozenset[str]:
    """Return the ids of the challans of which the same is true, among those with these `all_earlier_links`."""
    failed = {
        challan_id: {link.id for link in found if may_have_taken_money(link.status)}
        for challan_id, found in earlier.items()
    }
    settled = _without_money(connection, set[str]().union(*failed.values()))
    return frozenset(challan_id for challan_id, link_ids in failed.items() if link_ids - settled)


def failed_of_run(connection: Connection, run_id: str) -> frozenset[str]:
    """Return the ids of the challans of a search run of which the same is true, in one statement or two."""
    failed = ended_links_of_runs.failed_of_run(connection, run_id)
    settled = _without_money(connection, {link_id for _challan_id, link_id in failed})
    return frozenset(challan_id for challan_id, link_id in failed if link_id not in settled)


def _without_money(connection: Connection, failed: Collection[str]) -> set[str]:
    """Return those of failed links of which the driver says that no money was taken."""
    asked = questions.newest_of_links(connection, failed) if failed else {}
    answers = {link_id: question.answered.answer for link_id, question in asked.items() if question.answered}
    return {link_id for link_id, answer in answers.items() if answer is Answer.NOT_TAKEN}


def _ended_on(connection: Connection, items: Iterable[ListedChallan]) -> list[tuple[str | None, Link]]:
    payable = [item for item in items if item.selectable]
    # A link made elsewhere may be known from the search alone.
    shown = [(item.challan.id, item.link) for item in payable if item.link is not None and is_ended(item.link.status)]
    covering = (
        ended_links.ended_on(connection, [item.challan.id for item in payable if item.challan.id]) if payable else []
    )
    return [*shown, *covering]


def of_run(
    connection: Connection, run_id: str, payable: Collection[str], schedule: Schedule, now: datetime
) -> dict[str, Link]:
    """Return the same for those challans of a search run that are `payable`, in one statement."""
    found = ended_links_of_runs.of_run(connection, run_id)
    return _which(_ranked([each for each in found if each[0] in payable], schedule, now))


def _which(ranked: Mapping[str, Sequence[Link]]) -> dict[str, Link]:
    return {challan_id: found[-1] for challan_id, found in ranked.items()}


def _ranked(pairs: Iterable[tuple[str | None, Link]], schedule: Schedule, now: datetime) -> dict[str, list[Link]]:
    """Return the ended links of each challan whose payment may still turn up, each once.

    Of a failed link nobody knows whether money has left an account, however long ago that was. Any other may be paid
    late as long as it is checked. A failed one comes after the others, and the newest after those of before.
    """
    found: dict[str, dict[str, Link]] = {}
    for challan_id, link in sorted(pairs, key=lambda pair: _weight(pair[1])):
        is_checked = now < schedule.last_check(link.expires_at, link.first_seen_at)
        if challan_id and (may_have_taken_money(link.status) or is_checked):
            found.setdefault(challan_id, {})[link.id] = link
    return {challan_id: list(links.values()) for challan_id, links in found.items()}


def _weight(link: Link) -> tuple[bool, datetime]:
    return may_have_taken_money(link.status), link.first_seen_at
