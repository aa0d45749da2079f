"""Measure the same requests on a small and on a large ledger: lists, filters, orders, quick find, reports, exports."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

from dashboard.domain.link_filters import SortBy
from dashboard.store.engine import Store
from tests.bench import ledger_store
from tests.bench.clerk import Clerk
from tests.bench.ledger_store import CHALLANS, challan_no, plate
from tests.bench.office import Office, forget_peak, memory_mb, peak_mb
from tests.bench.tables import Table, ms, timed
from tests.support.people import MEERA

_SMALL = 1000
_DEEP_PAGES = 10


def measure(folder: Path, large: int) -> list[Table]:
    sizes = {_SMALL: folder / "small", large: folder / "large"}
    found = {size: _measured(place, size) for size, place in sizes.items()}
    built = found[large].pop("built")
    found[_SMALL].pop("built")
    table = Table(
        f"A ledger of {large:,} links and {large * CHALLANS:,} challans "
        f"and one of {_SMALL:,} and {_SMALL * CHALLANS:,}",
        "`dashboard web -w 1`, a manager over one persistent connection, one request at a time: medians, from the "
        f"request to the last byte. Two of a hundred links are live. The large ledger was made in {built}.",
        ("page", f"{_SMALL:,} links", f"{large:,} links"),
    )
    for name, value in found[large].items():
        table.add(name, found[_SMALL].get(name, "–"), value)
    return [table]


def _measured(folder: Path, count: int) -> dict[str, str]:
    office = Office(folder)
    people = list(office.furnish().values())
    store = Store(office.settings.database_url)
    began = time.monotonic()
    try:
        ids = ledger_store.build(store, count, people)
    finally:
        store.close()
    results = {"built": f"{time.monotonic() - began:.0f} s"}
    with office.dashboard("web", "-w", "1") as pid:
        clerk = Clerk(office.url, MEERA.email)
        polled = re.search(r'hx-get="(/links/rows[^"]*)"', clerk.opens("/links"))
        assert polled, "the list does not poll"
        results["list, an unchanged poll"] = _median(clerk, unescape(polled[1]), **{"HX-Request": "true"})
        for name, address in _questions(clerk, count, ids, people[0]):
            results[name] = _median(clerk, address)
        for name, address in _exports():
            results |= _export(clerk, pid, name, address)
    return results


def _median(clerk: Clerk, address: str, **headers: str) -> str:
    return ms(timed(lambda: clerk.fetches(address, headers), most=11, least=3, seconds=1.5))


def _questions(clerk: Clerk, count: int, ids: list[str], person_id: int) -> Iterator[tuple[str, str]]:
    today = datetime.now(UTC).date()
    yield "list, first page", "/links"
    yield f"list, page {_DEEP_PAGES + 1}", _deep(clerk)
    filters: dict[str, dict[str, str]] = {
        "state ACTIVE": {"state": "ACTIVE"},
        "state PAID": {"state": "PAID"},
        "a whole plate": {"vehicle": plate(3)},
        "part of a plate": {"vehicle": "LG000"},
        "who made it": {"creator": str(person_id)},
        "made elsewhere": {"creator": "elsewhere"},
        "driver": {"driver": "1"},
        "challan type": {"type": "COURT"},
        "days on which made": {"from": str(today - timedelta(days=60)), "to": str(today - timedelta(days=30))},
        "days on which paid": {"of": "paid", "from": str(today - timedelta(days=60)), "to": str(today)},
        "days on which ended": {"of": "ended", "from": str(today - timedelta(days=60)), "to": str(today)},
        "amount from and to": {"least": "20000", "most": "21000"},
        "needs action": {"needs": "action"},
        "cost centre": {"cost_centre": "CC10"},
        "trip": {"trip": "T100"},
        "customer": {"customer": "Customer 10"},
        "words of a note": {"note": "depot"},
        "time to payment": {"took": "48-"},
        "time to payment, of few": {"took": "0-1", "of": "paid", "from": str(today - timedelta(days=80))},
        "text: a challan number": {"q": challan_no(count * CHALLANS // 2)},
        "text: part of a plate": {"q": "LG000"},
        "text: a link's id": {"q": ids[count // 2]},
        "state and amount": {"state": "EXPIRED", "least": "20000"},
    }
    for name, values in filters.items():
        yield f"list by {name}", f"/links?{urlencode(values)}"
    for sort in SortBy:
        for turn in ("up", "down"):
            yield f"list in order of {sort}, {turn}", f"/links?sort={sort}&dir={turn}"
    yield "list of PAID in order of amount", "/links?state=PAID&sort=amount&dir=down"
    yield "find box: a plate", f"/find?q={plate(3)}"
    yield "find box: part of a plate", "/find?q=LG00"
    yield "find box: a challan number", f"/find?q={challan_no(count * CHALLANS // 2)}"
    yield "find box: the beginning of one", f"/find?q={challan_no(0)[:6]}"
    yield "find box: the beginning of a link's id", f"/find?q={ids[0][:8]}"
    yield "first page", "/"
    yield "a vehicle", f"/vehicles/{plate(3)}"
    yield "known vehicles", "/vehicles"
    yield "known vehicles with open challans", "/vehicles?only=open"
    yield "known vehicles by what is on links", "/vehicles?sort=on-link"
    yield "drivers", "/drivers"
    yield "a driver", "/drivers/1"
    yield "a link", f"/links/{ids[-1]}"
    yield "overview", "/overview"
    yield "follow up", "/follow-up"
    yield "reconcile", "/reconcile"
    yield "reconcile: all late money", "/reconcile/findings/late"
    yield "statement of last month", "/reconcile/statement"
    first = (today - timedelta(days=366)).replace(day=1)
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    yield "statement of a month a year ago", f"/reconcile/statement?{urlencode({'from': first, 'to': last})}"
    yield "what was open when a month began", f"/reconcile/statement/open?{urlencode({'day': today.replace(day=1)})}"


def _deep(clerk: Clerk) -> str:
    """Return the address of a page deep in the list, by following Older as people do."""
    address = "/links"
    for _ in range(_DEEP_PAGES):
        found = re.findall(r'href="(/links\?[^"]*after=[^"]*)"', clerk.opens(address))
        if not found:
            break
        address = unescape(found[-1])
    return address


def _exports() -> Iterator[tuple[str, str]]:
    yield "CSV, a row for each link", "/links/export.csv"
    yield "CSV, a row for each challan", "/links/export.csv?rows=challan"
    yield "XLSX, a row for each link", "/links/export.xlsx"


def _export(clerk: Clerk, pid: int, name: str, address: str) -> dict[str, str]:
    rested = memory_mb(pid)
    forget_peak(pid)
    before = peak_mb(pid)
    start = time.perf_counter()
    rows = clerk.downloads(address) - 1
    took = time.perf_counter() - start
    more = f"{max(0.0, peak_mb(pid) - before):.0f} MB more than at rest ({rested:.0f} MB)"
    if address.endswith(".xlsx"):
        return {f"export {name}": f"{took:.1f} s", f"export {name}: memory at the peak": more}
    return {f"export {name}": f"{rows:,} rows, {rows / took:,.0f} a second", f"export {name}: memory at the peak": more}
