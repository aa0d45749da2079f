"""Measure many people who watch one link: calls to the service, the server's CPU, and response times."""

from __future__ import annotations

from tests.bench.bare import bare_server
from tests.bench.clerk import Clerk
from tests.bench.office import Office, cpu_seconds
from tests.bench.pollers import watching
from tests.bench.tables import Table, ms

_RC = "MH12BN0001"
_HOW = (
    "`dashboard serve`, one process. Simulated tabs with persistent connections, each polling at the interval of its "
    "answers, share one session; they run on the same cores. The rates are those of {connections} connections that "
    "poll without waiting, at an unchanged panel and, right after, at a bare Flask answer (204, one line of code) on "
    "the same server."
)
_CONNECTIONS = 8
_RATED_SECONDS = 8


def measure(office: Office, seconds: float) -> list[Table]:
    office.furnish()
    table = Table(
        "Viewers of one link",
        _HOW.format(connections=_CONNECTIONS),
        ("viewers", "calls to the service a minute", "panels a second", "median", "95 %", "unchanged", "CPU"),
    )
    rates = Table("An unchanged panel and a bare answer", "", ("", "answers a second", "of the bare", "aim"))
    with office.replica() as levers:
        levers.add_vehicle(_RC, [{"challanNo": "MH1"}])
        with office.dashboard("serve") as pid:
            clerk = Clerk(office.url)
            link = clerk.creates_a_link(_RC)
            for viewers in (1, 50, 1000):
                levers.forget_calls()
                order = {"tabs": viewers, "seconds": seconds}
                with watching(office.url, [clerk.panel_of(link)], clerk.cookie, **order) as wait_for_results:
                    before = cpu_seconds(pid)
                    results = wait_for_results()
                    spent = cpu_seconds(pid) - before
                minutes = (seconds + 3) / 60
                table.add(
                    f"{viewers:,}",
                    f"{levers.count('link_status') / minutes:.0f} (aim 20)",
                    f"{results['per_second']:.1f}",
                    ms(results["median"]),
                    ms(results["p95"]),
                    f"{results['unchanged']:.1%}" + (f"; {results['bad']} bad" if results["bad"] else ""),
                    f"{spent / (seconds + 3):.0%} of a core",
                )
            panels = _rate(office.url, clerk.panel_of(link), clerk.cookie, min(seconds, _RATED_SECONDS))
        with bare_server(office):
            bare = _rate(office.url, "/", "", min(seconds, _RATED_SECONDS))
    rates.add("an unchanged panel", f"{panels:,.0f}", f"{panels / bare:.0%}", "60 %")
    rates.add("a bare Flask answer", f"{bare:,.0f}", "", "")
    return [table, rates]


def _rate(url: str, address: str, cookie: str, seconds: float) -> float:
    order = {"tabs": _CONNECTIONS, "pace": 0, "seconds": seconds, "warm": 1.0}
    with watching(url, [address], cookie, **order) as wait_for_results:
        return float(wait_for_results()["per_second"])
