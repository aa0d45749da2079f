"""Take ticks of vehicles along from one page of the review to the next, or tick all of them or none."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from dashboard.domain.fleet_plan import mark_of
from dashboard.web.fleet.review_address import Asked
from dashboard.web.fleet.review_page import Reviewed, of_page


def after_ticks(found: Reviewed, asked: Asked, page: int, ticked: Collection[int], go: str) -> Asked:
    """Return what is asked for after a page was sent with these ticks, or with the button for all or for none."""
    listed = {lot.position for lot in found.lots}
    if go == "none":
        return replace(asked, without=asked.without | listed)
    shown = {lot.position for lot in of_page(found.lots, page)}
    kept = shown.intersection(ticked)
    # Of a vehicle that has no others, the tick is for its challans of failed links.
    anyway = asked.anyway | (kept & found.of_failed_links(asked))
    sent = replace(asked, without=(asked.without - shown) | (shown - kept), anyway=anyway)
    return _with_all(found, sent) if go == "all" else sent


def _with_all(found: Reviewed, asked: Asked) -> Asked:
    """Tick every challan of the vehicles that the filter finds, but those of failed links: nobody may pay these twice
    because somebody ticked all. What a person ticked of them before stays ticked.
    """
    listed, ticked = {lot.position for lot in found.lots}, {lot.position for lot in found.ticked(asked)}
    decided = asked.anyway & ticked
    restored = {
        mark_of(each.id)
        for lot in (found.lots if asked.skipped else ())
        for each in lot.challans
        if lot.position not in decided or each.id not in found.failed
    }
    return replace(
        asked,
        without=asked.without - listed,
        skipped=asked.skipped - restored,
        anyway=asked.anyway - (listed - ticked),
    )
