"""Say what is doubtful about a link, and ask the service's support about it."""

from __future__ import annotations

from sqlalchemy import Connection

from dashboard.domain.link_doubts import LinkDoubt
from dashboard.store.links.records import Link
from dashboard.web.links import in_reconcile, panel_warnings, texts

#: What only the service's support can explain.
ASKS_SUPPORT = (LinkDoubt.OTHER_VEHICLE, LinkDoubt.AMOUNTS)
#: What support is asked, in English as they read it; of amounts Reconcile writes more.
QUESTIONS = {
    LinkDoubt.STATE: "what does this state mean?",
    LinkDoubt.OTHER_VEHICLE: "why is a challan of another vehicle on this link?",
}


def sentence(connection: Connection, row: Link, doubt: LinkDoubt | None) -> str:
    """Say what to check before a link is sent, on each page that sends it; "" where nothing is doubtful about it."""
    match doubt:
        case None:
            return ""
        case LinkDoubt.OTHER_VEHICLE:
            return texts.other_vehicle(list(panel_warnings.of_other_vehicles(connection, row).values()))
        case LinkDoubt.AMOUNTS:
            found = in_reconcile.mismatch(connection, row)
            return f"{found.words[0]} {texts.DO_NOT_SEND}" if found else ""
        case _:
            return str(texts.DOUBTS[doubt])
