"""Selections of challans, and the plan of links that one needs (at most 100 challans a link, section 8)."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.domain.links import MAX_CHALLANS


def plan_links(challan_ids: Sequence[str]) -> list[tuple[str, ...]]:
    """Cut a selection, in its order, into the challans of one link each."""
    return [tuple(challan_ids[start : start + MAX_CHALLANS]) for start in range(0, len(challan_ids), MAX_CHALLANS)]
