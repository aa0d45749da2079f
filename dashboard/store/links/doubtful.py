"""Find the links that may still be paid, and that are to be checked before anybody is sent them."""

from __future__ import annotations

from sqlalchemy import or_

from dashboard.domain.links import ACTIVE
from dashboard.store.links.duplicates import HAS_ALARM
from dashboard.store.links.other_vehicles import HAS_OTHER_VEHICLE
from dashboard.store.links.tables import link
from dashboard.store.reconciliation.discrepancies import HAS_OPEN_MISMATCH
from dashboard.store.sharing.taken_payments import HAS_TAKEN_PAYMENT

#: Their state is not documented, money was taken for one of their challans already, another link has their challans,
#: one is of another vehicle, or amounts do not match. See `link_doubts.doubt_of`.
IS_DOUBTFUL = or_(
    link.c.status.not_in([ACTIVE, ""]), HAS_TAKEN_PAYMENT, HAS_ALARM, HAS_OTHER_VEHICLE, HAS_OPEN_MISMATCH
)
