"""Control the surroundings of the dashboard: time, the service, and other people's links."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from dashboard.upstream import SecretSource, ServiceClient, ServiceConfig
from tests.support.clock import RunningClock
from tests.support.levers import Levers

#: Number of challans by vehicle: two vehicles, to check that work on one does not disturb the other.
FLEET = {"MH12AB1001": 6, "KA01CD2002": 5}
#: A received request is committed or dropped within this (A4); where that is broken, before the last late check.
_COMMITTED_WITHIN, _COMMITTED_LATE = timedelta(seconds=100), timedelta(hours=20)
#: A link that ended is polled for a day after its expiry; a later payment is not observed.
_PAID_WITHIN = timedelta(hours=20)

Truth = dict[str, Any]


class Surroundings:
    """Control time, the service and other people's links for one dashboard.

    With `late_links`, assumption A4 is broken. `theirs` are the links of other people, `paid_late` the links paid after
    their end. The dashboard reads its secret from `secret_file`.
    """

    def __init__(self, levers: Levers, secret_file: Path, secret: str, *, late_links: bool) -> None:
        self.levers = levers
        self.clock = RunningClock()
        self.late_links = late_links
        self.theirs: set[str] = set()
        self.paid_late: set[str] = set()
        self.asked_elsewhere: list[tuple[str, ...]] = []
        self._late_since: datetime | None = None
        self._secret_file = secret_file
        self._secret_is_good = True
        secret_file.write_text(secret, encoding="utf-8")
        levers.reset("empty")
        for number, (rc, count) in enumerate(FLEET.items()):
            levers.add_vehicle(rc, [{"challanNo": f"CH{number}{n}", "challanAmount": 500 + n} for n in range(count)])
        self.challans = {rc: [str(item["id"]) for item in levers.vehicle(rc)["challans"]] for rc in FLEET}
        # Libraries sleep in real time, and the clock here is virtual.
        self.config = ServiceConfig(levers.base_url, SecretSource.file(secret_file), retry_base=0)
        self._elsewhere = ServiceClient(self.config)

    def close(self) -> None:
        self._elsewhere.close()

    # Time

    def passes(self, seconds: float) -> None:
        """Advance both clocks; commit or drop the creations that the service holds back before their limit."""
        if self._late_since is None and self.levers.truth()["lateRequests"]:
            self._late_since = self.clock()
        longest = _COMMITTED_LATE if self.late_links else _COMMITTED_WITHIN
        if self._late_since and self.clock() + timedelta(seconds=seconds) > self._late_since + longest:
            self.settle_late(commit=bool(seconds % 2))
        if seconds:
            self.clock.advance(seconds)
            self.levers.advance(seconds)

    def settle_late(self, *, commit: bool) -> None:
        """Commit or drop the creations that the service holds back now."""
        if commit:
            self.levers.commit_late()
        else:
            self.levers.drop_late()
        self._late_since = None

    # The secret

    def revoke_secret(self) -> None:
        self.levers.revoke_secret()
        self._secret_is_good = False

    def replace_secret(self, secret: str) -> None:
        """Set another secret, at the service and where the dashboard reads it."""
        self.levers.replace_secret(secret=secret)
        self._secret_file.write_text(secret, encoding="utf-8")
        self._secret_is_good = True

    # Links

    def make_elsewhere(self, wanted: Sequence[str], rc: str, hours: int, known: Collection[str]) -> None:
        """Create a link as another user of the service, on those of the challans that are free there.

        Skip challans whose earlier link is not in the ledger (`known`): a search shows only the last link of a challan,
        and a link that was created, ended and replaced between two of our polls cannot be found.
        """
        truth = self.levers.truth()
        if not self._secret_is_good or any(item["operation"] == "create_link" for item in truth["faults"]):
            return
        last = {challan["id"]: item for item in truth["links"] for challan in item["challans"]}
        blocked = {key for key, item in last.items() if item["live"] or item["id"] not in known}
        chosen = [item for item in wanted if item not in blocked and item in self.payable_at_source(rc)]
        if chosen:
            self.asked_elsewhere.append(tuple(sorted(chosen)))
            made = self._elsewhere.create_payment_link(rc, chosen, expiry_hours=hours, before_send=lambda: None)
            self.theirs.add(made.id)

    def end_links(self, how: str, known: Collection[str], pick: int | None = None) -> None:
        """Pay, fail, cancel or expire one of the links at the service, or all; "pay late" pays a link after its end.

        Skip other people's links that the ledger does not know: the dashboard cannot observe how they end.
        """
        links = [item for item in self.levers.truth()["links"] if item["id"] in known or item["id"] not in self.theirs]
        if how == "pay late":
            now = self.clock()
            links = [item for item in links if not item["live"] and _is_followed(item, now)]
            how = "pay"
        else:
            links = [item for item in links if item["status"] == "ACTIVE"]
        for item in links if pick is None or not links else [links[pick % len(links)]]:
            if not item["live"]:
                self.paid_late.add(item["id"])
            getattr(self.levers, how)(item["id"])

    def payable_at_source(self, rc: str) -> set[str]:
        """Return the challans that a fresh search lists as payable."""
        found = set()
        for item in self.levers.vehicle(rc)["challans"]:
            shown = (item["shown"] or {}).get("status")
            if not item["gone"] and item["source"]["status"] == shown == "PENDING":
                found.add(str(item["id"]))
        return found

    def withdrawn(self) -> set[str]:
        """Return the unpaid challans that are delisted or not payable."""
        listed = [item for rc in FLEET for item in self.levers.vehicle(rc)["challans"]]
        return {str(item["id"]) for item in listed if item["gone"] or item["source"]["status"] == "DISPOSED"}

    def delisted(self) -> set[str]:
        """Return the challans that no search lists."""
        return {str(item["id"]) for rc in FLEET for item in self.levers.vehicle(rc)["challans"] if item["gone"]}

    # In the end

    def heals(self) -> None:
        self.levers.clear_faults()
        self.settle_late(commit=True)
        self.replace_secret("the-secret-of-the-end")

    def bring_back(self, challan_ids: Collection[str]) -> None:
        """List delisted or unpayable challans as payable again."""
        for challan_id in challan_ids:
            self.levers.set_challan(challan_id, status="PENDING", gone=False)


def _is_followed(item: dict[str, Any], now: datetime) -> bool:
    return now < datetime.fromisoformat(item["expiresAt"]) + _PAID_WITHIN
