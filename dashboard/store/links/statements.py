"""Hold the statements about links that pages and polls execute all the time: building one takes longer."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BindParameter, bindparam, case, func, insert, literal_column, select

from dashboard.domain.links import ENDED_STATUSES, PAID
from dashboard.store.links.records import CHALLAN_COLUMNS, EVENT_COLUMNS, LINK_COLUMNS
from dashboard.store.links.tables import LIVE, link, link_challan, link_event
from dashboard.store.vehicles.vehicles import challan

BY_ID = select(*LINK_COLUMNS).where(link.c.id == bindparam("link_id"))
# The key itself never changes, so others may add to the history meanwhile.
LOCKED = BY_ID.with_for_update(key_share=True)
BY_IDS = select(*LINK_COLUMNS).where(link.c.id.in_(bindparam("link_ids", expanding=True)))
OF_VEHICLE = select(*LINK_COLUMNS).where(link.c.rc == bindparam("rc"))
OF_VEHICLE = OF_VEHICLE.order_by(link.c.first_seen_at.desc(), link.c.id.desc())
NEWEST = select(*LINK_COLUMNS).order_by(link.c.first_seen_at.desc(), link.c.id.desc()).limit(bindparam("limit"))
ENDING = select(*LINK_COLUMNS).where(link.c.expires_at > bindparam("start"), link.c.expires_at <= bindparam("end"))
ENDING = ENDING.order_by(link.c.expires_at).limit(bindparam("limit"))
# One that can still be paid stands before any that is over. A search may find one that is much older: it was created
# before it was paid or ended.
_MADE_AT = case(
    (link.c.created_at.is_not(None), link.c.created_at),
    (link.c.paid_at < link.c.first_seen_at, link.c.paid_at),
    (link.c.expires_at < link.c.first_seen_at, link.c.expires_at),
    else_=link.c.first_seen_at,
)
_PLACE = func.row_number().over(partition_by=link.c.rc, order_by=(case((LIVE, 0), else_=1), _MADE_AT.desc(), link.c.id))
_PLACES = select(link.c.id, _PLACE.label("place")).where(link.c.rc.in_(bindparam("rcs", expanding=True))).subquery()
NEWEST_OF_VEHICLES = select(*LINK_COLUMNS).join(_PLACES, _PLACES.c.id == link.c.id).where(_PLACES.c.place == 1)
CHALLANS = select(*CHALLAN_COLUMNS).where(link_challan.c.link_id.in_(bindparam("link_ids", expanding=True)))
CHALLANS = CHALLANS.order_by(link_challan.c.link_id, link_challan.c.position)
CHALLAN_COUNTS = select(link_challan.c.link_id, func.count()).group_by(link_challan.c.link_id)
CHALLAN_COUNTS = CHALLAN_COUNTS.where(link_challan.c.link_id.in_(bindparam("link_ids", expanding=True)))
EVENTS = select(*EVENT_COLUMNS).where(link_event.c.link_id == bindparam("link_id")).order_by(link_event.c.id)
EVENT = insert(link_event)
_OF_CHALLANS: BindParameter[Any] = bindparam("challan_ids", expanding=True)
_COVERING = select(link_challan.c.link_id).where(link_challan.c.challan_id.in_(_OF_CHALLANS))
_SHOWN = select(challan.c.payment_link_id).where(
    challan.c.challan_id.in_(_OF_CHALLANS), challan.c.payment_link_id.is_not(None)
)
ENDED_WITH = select(link.c.id).where(link.c.id.in_(_COVERING.union(_SHOWN)), link.c.status.in_(ENDED_STATUSES))
ENDED_WITH = ENDED_WITH.order_by(link.c.id)
PAID_ON = select(link_challan.c.challan_id, *LINK_COLUMNS).join(link, link.c.id == link_challan.c.link_id)
# Found by the challans: SQLite would go through all paid links by an index of states.
PAID_ON = PAID_ON.where(link_challan.c.challan_id.in_(_OF_CHALLANS), link.c.status.concat("") == PAID)
PAID_ON = PAID_ON.order_by(link.c.paid_at)
ENDED_ON = select(link_challan.c.challan_id, *LINK_COLUMNS).join(link, link.c.id == link_challan.c.link_id)
ENDED_ON = ENDED_ON.where(link_challan.c.challan_id.in_(_OF_CHALLANS), link.c.status.concat("").in_(ENDED_STATUSES))
_NEWEST_ANSWER = select(func.max(link.c.checked_at)).scalar_subquery()
NOT_FOUND = select(func.count(), func.min(link.c.failed_at)).where(
    link.c.not_found > literal_column("0"), (link.c.failed_at > _NEWEST_ANSWER) | _NEWEST_ANSWER.is_(None)
)
