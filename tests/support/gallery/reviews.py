"""Show the review before a link is created in many states."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from dashboard.domain.money import Sum, add_up
from dashboard.web.creation.records import ReplacedLink, ReviewPage
from dashboard.web.shared.records import HeldBy
from tests.support.gallery.forms import ReviewForm, review_form
from tests.support.gallery.samples import (
    LARGE,
    LEFT_OUT,
    NOT_PAYABLE,
    NOW,
    OLD,
    ON_LINK,
    PAID,
    PLATE,
    RC,
    Page,
    Pages,
    ago,
    challan,
)


def review_pages() -> Pages:
    return {
        "review": _review(_review_page(8)),
        "review-100": _review(_review_page(100, plan=(100, 79), sum=Sum(LARGE, 3))),
        "review-wrong": _review(
            _review_page(
                3,
                hours="12",
                ends_at=None,
                problem="Another request holds some of these challans. Nothing was sent.",
                held=ON_LINK,
                dropped=NOT_PAYABLE,
            ),
            review_form("12", "Enter a whole number of hours from 24 to 168."),
        ),
        "review-released": _review(
            _review_page(2, released=(HeldBy("/requests/1", "the request by Asha R. of 2:02 pm"),))
        ),
        "review-nothing": _review(_review_page(0, dropped=NOT_PAYABLE)),
        "review-replaces": _review(_review_page(8, replaces=ReplacedLink(OLD, True, 8, LEFT_OUT, 2))),
        "review-untied": _review(_review_page(2, replaces=ReplacedLink(replace(OLD, state=PAID), False, 8, (), 2))),
    }


def _review(page: ReviewPage, form: ReviewForm | None = None) -> Page:
    return "creation/review.html", {"page": page, "form": form or review_form()}


def _review_page(count: int, **changes: Any) -> ReviewPage:
    rows = tuple(challan(n) for n in range(count))
    page = ReviewPage(
        rc=RC,
        plate=PLATE,
        rows=rows,
        sum=add_up(row.total for row in rows),
        base_sum=add_up(row.amount for row in rows),
        fee_sum=add_up(None if row.total is None or row.amount is None else row.total - row.amount for row in rows),
        plan=(count,),
        dropped=(),
        hours="48",
        ends_at=NOW + timedelta(hours=48),
        presets=(24, 48, 72, 168),
        snapshot_at=ago(minutes=2),
    )
    return replace(page, **changes)
