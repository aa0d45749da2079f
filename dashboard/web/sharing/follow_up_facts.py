"""Read what the rows of the follow-up queue show, for all of its links at once."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from dashboard.domain.link_doubts import LinkDoubt
from dashboard.domain.links import is_live
from dashboard.services.links import doubts
from dashboard.store.links import duplicates, links
from dashboard.store.links.duplicates import DuplicateLink
from dashboard.store.links.records import Link
from dashboard.store.sharing import drivers, follow_ups, shares
from dashboard.store.sharing import questions as driver_questions
from dashboard.store.sharing.drivers import Driver
from dashboard.store.sharing.follow_ups import Copy, FollowUpLink, Note
from dashboard.store.sharing.questions import Question
from dashboard.store.sharing.shares import Share
from dashboard.web.links.told_apart import told_apart


@dataclass(frozen=True, slots=True)
class Facts:
    """Hold the stored data of the links of all lists, by link; `drivers` by id, `usual` by vehicle."""

    shared: dict[str, Share]
    opened: dict[str, Share]  # unconfirmed since
    asked: dict[str, Question]
    copied: dict[str, Copy]
    notes: dict[str, Note]
    drivers: dict[int, Driver]
    usual: dict[str, list[Driver]]
    times: dict[str, int]
    links: dict[str, Link]
    duplicates: dict[str, list[DuplicateLink]]
    challans: dict[str, int | None]
    to_check: set[str]
    doubtful: dict[str, LinkDoubt]
    apart: dict[str, str]


def read_facts(connection: Connection, rows: list[FollowUpLink], stored: dict[str, Link] | None = None) -> Facts:
    """Read what the rows of these links show; `stored` are the links, where they are read already."""
    link_ids, rcs = [row.id for row in rows], {row.rc for row in rows if row.rc}
    shared = shares.newest_of_links(connection, link_ids)
    given = {share.driver_id for share in shared.values() if share.driver_id is not None}
    stored = links.find_all(connection, link_ids) if stored is None else stored
    to_check = follow_ups.to_check_of(connection, link_ids)
    return Facts(
        shared=shared,
        opened=shares.unconfirmed_of_links(connection, link_ids),
        asked=driver_questions.newest_of_links(connection, link_ids),
        copied=follow_ups.newest_copies(connection, link_ids),
        notes=follow_ups.newest_notes(connection, link_ids),
        drivers=drivers.present(connection, given),
        usual=drivers.of_vehicles(connection, rcs),
        times=shares.numbers(connection, link_ids),
        links=stored,
        duplicates=duplicates.of_links(connection, [each.id for each in stored.values() if is_live(each.status)]),
        challans=links.challan_counts(connection, stored.values()),
        to_check=to_check,
        doubtful=doubts.before_sending(connection, [stored[each] for each in to_check if each in stored]),
        apart=told_apart(connection, stored.values()),
    )
