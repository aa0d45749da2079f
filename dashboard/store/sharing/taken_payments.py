"""Find links for whose challans money may have been taken already: the driver of a failed link says so."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, select

from dashboard.domain.links import FAILED
from dashboard.domain.sharing import Answer
from dashboard.store.links.tables import link, link_challan
from dashboard.store.once import once
from dashboard.store.sharing import questions

_failed, _of_failed, _same = link.alias("failed"), link_challan.alias("of_failed"), link_challan.alias("same_challan")
_taken = questions.links_answered(Answer.TAKEN).subquery("taken")
_mine = _same.c.link_id
# Written so that the database begins with the answers and not with all failed links.
_pairs = _taken.join(_failed, _failed.c.id == _taken.c.link_id)
_pairs = _pairs.join(_of_failed, _of_failed.c.link_id == _failed.c.id)
_pairs = _pairs.join(_same, (_same.c.challan_id == _of_failed.c.challan_id) & (_mine != _of_failed.c.link_id))
_HAS_FAILED = _failed.c.status == FAILED
#: Links with a challan of a failed link whose driver says that money was taken.
HAS_TAKEN_PAYMENT = link.c.id.in_(select(_mine).select_from(_pairs).where(_HAS_FAILED))
_WITH_TAKEN_PAYMENT = select(link.c.id).where(link.c.id.in_(bindparam("link_ids", expanding=True)), HAS_TAKEN_PAYMENT)
_OF_LINK = select(_failed.c.id).select_from(_pairs).where(_HAS_FAILED, _mine == bindparam("link_id"))
_OF_LINK = _OF_LINK.order_by(_failed.c.status_since.desc()).limit(1)


def with_taken_payment(connection: Connection, link_ids: Iterable[str]) -> set[str]:
    """Return the ids of those of these links for whose challans money may have been taken already."""
    ids = list(link_ids)
    return _with_taken_payment(connection, ids) if ids else set()


@once
def _with_taken_payment(connection: Connection, link_ids: list[str]) -> set[str]:
    return set(connection.execute(_WITH_TAKEN_PAYMENT, {"link_ids": link_ids}).scalars())


def newest_of_link(connection: Connection, link_id: str) -> str | None:
    """Return the id of the failed link, the newest, with which money was taken for a challan of this one; else None."""
    return connection.execute(_OF_LINK, {"link_id": link_id}).scalar()
