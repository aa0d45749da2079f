"""Show the overview in many states."""

from __future__ import annotations

from dashboard.web.overview import charts
from dashboard.web.overview.charts import Figure
from dashboard.web.overview.records import Fact, OverviewPage, PeriodChoice
from tests.support.gallery.samples import Pages


def overview_pages() -> Pages:
    def figures(*pairs: tuple[str, float, str]) -> list[Figure]:
        return [Figure(label, value, written, "/links?state=ACTIVE") for label, value, written in pairs]

    days = [f"{day} {month}" for month in ("Oct", "Nov") for day in range(1, 16)]
    collected = [
        Figure(day, 9000 * (n % 7), f"₹{9000 * (n % 7)}.00 · 3 links", "/links" if n % 7 else None)
        for n, day in enumerate(days)
    ]
    facts = (
        Fact(
            "Collected",
            "₹12,34,56,789.50",
            "1,234 links, 3 with amount not known yet",
            "/links?of=paid",
            "▲ 12 % more than before",
        ),
        Fact("Open now", "₹4,52,110.25", "812 links", "/links?state=ACTIVE"),
        Fact("Links created", "1,402 links", "", "/links", "Same as before"),
        Fact("Ended unpaid", "0 links", "", None, "None before"),
        Fact("Time to payment", "6.4 h", "median of 812 payments", "/links?of=paid", "Before: 5.1 h"),
        Fact(
            "Saved by the cheaper way to pay (maximum)",
            "₹9,804.11",
            "not known of 2 links; ₹2,101.10 more can be saved on open links",
            None,
        ),
    )
    by_day = charts.column_chart(
        "days",
        "Collected by day",
        days,
        {"Collected": collected},
        "From the first link on, 1 Oct.",
        written=lambda value: f"₹{value:,.0f}",
        every=5,
    )
    parts = (
        charts.bar_chart(
            "drivers",
            "Collected by driver",
            "Collected",
            figures(
                ("Lakshmi Narasimhan Venkataraghavan of the Chennai depot", 12345678, "₹1,23,45,678.00 · 999 links")
            ),
            "2 more drivers with less. A link that was sent to two drivers counts for both.",
        ),
    )
    now_open = (
        charts.bar_chart(
            "age",
            "Open by age",
            "Amount",
            figures(("Made today", 9e6, "₹90,00,000.00 · 12 links"), ("7 days ago and more", 0, "2 unknown · 2 links")),
        ),
        charts.bar_chart(
            "type",
            "Challans on open links, by type",
            "Amount",
            figures(
                ("A type the service has not documented", 12345678, "₹12,34,56,789.50 + 12 unknown · 12,345 challans"),
                ("Not stated", 4, "₹4.00 · 1 challan"),
            ),
        ),
    )
    choices = tuple(PeriodChoice(f"{days} days", f"/overview?days={days}", days == 30) for days in (7, 30, 90))
    dates = "24 Oct to 22 Nov, compared with 24 Sep to 23 Oct"
    page = OverviewPage(choices, dates, facts, by_day, parts, now_open, is_empty=False)
    unpaid = OverviewPage(choices, dates, facts, None, (), now_open, is_empty=False)
    none = OverviewPage(choices, dates, (), None, (), (), is_empty=True)
    return {
        "overview": ("overview/index.html", {"page": page}),
        "overview-unpaid": ("overview/index.html", {"page": unpaid}),
        "overview-none": ("overview/index.html", {"page": none}),
    }
