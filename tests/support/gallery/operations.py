"""Show the page of the service's status, with and without failures."""

from __future__ import annotations

from dataclasses import replace

from dashboard.domain.allowance_forecast import Certainty, Forecast
from dashboard.web.operations import texts
from dashboard.web.operations.assumption_texts import ASSUMPTIONS
from dashboard.web.operations.records import CallRow, CheckRow, ClockRow, Failure, Key, LimitDay, LimitRow, ServicePage
from dashboard.web.overview.charts import Chart, Figure, column_chart
from dashboard.web.shared.records import StateWords
from tests.support.gallery.forms import RecordCheckForm, check_form
from tests.support.gallery.samples import HOSTILE, Pages, ago

_OPEN = StateWords("Working", "", "good")
_LONG = "https://challans-and-payment-links.staging.internal.fleet-operator.example/api/v1/staging"
_NIGHT = ago(hours=-8)
_SEARCH, _LINKS = "Challan Search", "Payment Link Generation"


def _limit(words: str, used: int, learned: int, for_resolving: int, for_people: int, certainty: Certainty) -> LimitRow:
    reserved = for_resolving + for_people
    left = max(0, learned - used - reserved)
    forecast = Forecast(used, learned, reserved, left, 0, ago(minutes=50), _NIGHT, certainty, ago(days=1))
    return LimitRow(words, forecast, for_resolving, for_people, 1 if certainty is Certainty.SEEN else 12)


def service_pages() -> Pages:
    well = ServicePage(
        address="https://api.example.in/api/v1/staging",
        state=_OPEN,
        headline="All calls to the service work",
        answered_at=None,
        rows=(
            CallRow("Searching vehicles", _SEARCH, _OPEN, 0, None),
            CallRow("Creating links", _LINKS, _OPEN, 12, ago(minutes=8)),
            CallRow("Checking links", _LINKS, _OPEN, 48_210, ago(seconds=2)),
        ),
        allowances=(
            LimitRow(
                "Searches and lookups", Forecast(0, None, 0, None, 0, _NIGHT, _NIGHT, Certainty.ASSUMED, None), 0, 0, 0
            ),
            LimitRow(
                "Links asked for", Forecast(12, None, 0, None, 0, _NIGHT, _NIGHT, Certainty.ASSUMED, None), 0, 0, 0
            ),
        ),
        key=Key("0123456789abcdef", None),
        unclear=0,
        unclear_since=None,
        overdue_since=None,
        unrecorded=0,
        failures=(),
        failures_by_hour=None,
        calls_by_day=(),
        limits=(),
        clocks=(),
        versions=(("Dashboard", "0.1.0"), ("SQLite", "3.40.1"), ("Tables", "r13"), ("Python", "3.11.7")),
        assumptions=ASSUMPTIONS,
    )
    broken = StateWords("Paused", "Failing since 2:01 pm. The next call is tried at 2:03 pm.", "waiting")
    refused = StateWords("Not enabled", f"{_LINKS} was refused at 2:01 pm. Tried again at 2:11 pm.", "wrong")
    ill = replace(
        well,
        address=_LONG,
        state=refused,
        rows=(
            CallRow("Searching vehicles", _SEARCH, broken, 1_812, ago(hours=2)),
            CallRow("Creating links", _LINKS, refused, 12, ago(days=3)),
            CallRow("Checking links", _LINKS, _OPEN, 148_210, ago(seconds=1)),
        ),
        allowances=(
            _limit("Searches and lookups", 181_200, 200_000, 10_000, 12_500, Certainty.SEEN),
            _limit("Links asked for", 12, 50, 0, 5, Certainty.CONFIRMED),
        ),
        key=Key("0123456789abcdef", ago(days=90)),
        unclear=3,
        unclear_since=ago(minutes=19),
        overdue_since=ago(minutes=4),
        unrecorded=1,
        failures=(
            Failure("No answer", "Unreachable", 1_412, ago(minutes=1)),
            Failure(HOSTILE, HOSTILE, 1, ago(hours=20)),
        ),
        failures_by_hour=_columns("failures", "Failed calls by hour", 24, 4),
        calls_by_day=(
            _columns("calls", "Searches and new links by day", 14, 2),
            _columns("checks", "State checks", 14, 2),
        ),
        limits=(LimitDay("19 Nov", "Searches and lookups", 2_000),),
        clocks=(
            ClockRow("mumbai-1", StateWords("Agrees", "", "good"), "0 s", "+0.4 s", "none", ago(seconds=9)),
            ClockRow(
                "a-host-with-a-very-long-name.fleet-operator.example",
                StateWords("Differs", "", "wrong"),
                "-4.0 s",
                "not compared",
                "+12.5 s at 2:01 pm",
                ago(minutes=3),
            ),
        ),
    )
    ill = replace(ill, assumptions=(replace(ASSUMPTIONS[0], checks=_checks()), *ASSUMPTIONS[1:]))
    return {"service": _page(well), "service-ill": _page(ill, A2=check_form("A2", HOSTILE, "Choose a result."))}


def _checks() -> tuple[CheckRow, ...]:
    return (
        CheckRow(StateWords("", "", "wrong", name="It does not hold"), ago(days=1), "Arun Das", HOSTILE),
        CheckRow(StateWords("", "", "good", name="It holds"), ago(days=90), "Meera Venkataraghavan Iyer", ""),
    )


def _page(page: ServicePage, **sent: RecordCheckForm) -> tuple[str, dict[str, object]]:
    forms = {each.code: sent.get(each.code) or check_form(each.code) for each in ASSUMPTIONS}
    return "operations/index.html", {"page": page, "forms": forms, "opened": tuple(sent)}


def _columns(key: str, title: str, count: int, every: int) -> Chart:
    labels = [f"{number} Nov" for number in range(1, count + 1)]
    figures = [Figure(label, number % 5, f"{number % 5}") for number, label in enumerate(labels)]
    return column_chart(key, title, labels, {"Calls": figures}, written=texts.number, every=every)
