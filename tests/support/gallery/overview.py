"""Show the overview in many states."""

from __future__ import annotations

from dashboard.web.overview import charts
from dashboard.web.overview.charts import Figure
from dashboard.web.overview.records import Fact, OverviewPage
from tests.support.gallery.samples import Pages


def overview_pages() -> Pages:
    def figures(*pairs: tuple[str, float, str]) -> list[Figure]:
        return [Figure(label, value, written, "/links?state=ACTIVE") for label, value, written in pairs]

    weeks = [f"{day} {month}" for month in ("Sep", "Oct", "Nov") for day in (7, 14, 21, 28)]
    made = [Figure(label, 40 + 7 * n, f"{40 + 7 * n}", "/links") for n, label in enumerate(weeks)]
    paid = [Figure(label, 30 + 5 * n, f"{30 + 5 * n}", "/links") for n, label in enumerate(weeks)]
    lapsed = [Figure(label, n % 4, f"{n % 4}", "/links" if n % 4 else None) for n, label in enumerate(weeks)]
    saved = [Figure(week, 9 * n, f"₹{9 * n}.50 · {n} links", "/links" if n else None) for n, week in enumerate(weeks)]
    facts = (
        Fact("Open", "₹12,34,56,789.50", "1,234 links, 3 with amount not known yet", "/links?state=ACTIVE"),
        Fact("Paid in 12 weeks", "₹4,52,110.25", "812 links", "/links?of=paid"),
        Fact("Time to payment", "6.4 h", "median of 812 payments", None),
        Fact(
            "Saved by the cheaper way to pay (maximum)", "₹9,804.11", "₹2,101.10 more can be saved on open links", None
        ),
    )
    pictures = (
        charts.bar_chart(
            "age",
            "Open, by age",
            "Amount",
            figures(
                ("Made today", 9e6, "₹90,00,000.00 · 12 links"),
                ("7 days ago and more", 0, "2 unknown · 2 links"),
            ),
        ),
        charts.bar_chart(
            "state",
            "Links, by state",
            "Links",
            figures(("PAID", 812, "812"), ("ON_HOLD_BY_THE_STATE_TRANSPORT_AUTHORITY", 1, "1")),
        ),
        charts.bar_chart(
            "type",
            "Challans on open links, by type",
            "Amount",
            figures(
                ("A type the service has not documented", 12345678, "₹12,34,56,789.50 + 12 unknown · 12,345 challans"),
                ("Not stated", 4, "₹4.00 · 1 challan"),
            ),
            "The 10 vehicles with the most to pay; 12 more have open links.",
        ),
        charts.bar_chart("none", "From making to payment, last 12 weeks", "Links", ()),
        charts.column_chart(
            "weeks", "Links made, paid and lapsed, by week", weeks, {"Made": made, "Paid": paid, "Lapsed": lapsed}
        ),
        charts.column_chart(
            "savings",
            "Saved by the cheaper way to pay (maximum), by week",
            weeks,
            {"Saved (maximum)": saved},
            "Difference between the dearest and the cheapest way to pay, on links paid in each week.",
        ),
    )
    return {
        "overview": ("overview/index.html", {"page": OverviewPage(facts, pictures, is_empty=False)}),
        "overview-none": ("overview/index.html", {"page": OverviewPage((), (), is_empty=True)}),
    }
