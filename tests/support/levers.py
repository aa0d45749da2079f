"""Pull the replica's levers over HTTP. `dashboard/replica/LEVERS.md` has the whole table."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import urllib3

_POOL = urllib3.PoolManager()


class LeverRefused(AssertionError):
    """Raised when the replica refuses an order, with its message."""


class Levers:
    """Call the replica's levers, one method each. `base_url` is the replica's, as in `http://127.0.0.1:8001`."""

    def __init__(self, base_url: str, token: str | None = None) -> None:
        self.base_url = base_url.rstrip("/")
        self._headers = {"X-Lever-Token": token} if token else {}

    def _pull(self, method: str, path: str, order: object = None, **query: Any) -> Any:
        url = f"{self.base_url}/levers{path}" + (f"?{urlencode(query)}" if query else "")
        body = None if order is None else json.dumps(order)
        # `requests` would be too slow for thousands of calls.
        answer = _POOL.request(method, url, body=body, headers=self._headers, timeout=30, retries=False)
        if answer.status != 200:
            raise LeverRefused(f"{method} /levers{path}: {answer.status} {answer.data.decode()}")
        return answer.json()

    # Links

    def pay(self, link_id: str, mode: str = "UPI") -> dict[str, Any]:
        """Set the link to PAID from any status; its challans follow at the source after the paid lag."""
        return self._pull("POST", f"/links/{link_id}/pay", {"mode": mode})

    def fail(self, link_id: str) -> dict[str, Any]:
        """Set the link to FAILED and release its challans."""
        return self._pull("POST", f"/links/{link_id}/fail")

    def cancel(self, link_id: str) -> dict[str, Any]:
        """Set the link to CANCELLED and release its challans."""
        return self._pull("POST", f"/links/{link_id}/cancel")

    def expire(self, link_id: str) -> dict[str, Any]:
        """Set the link to EXPIRED without moving the clock, and release its challans."""
        return self._pull("POST", f"/links/{link_id}/expire")

    def set_link(self, link_id: str, **changes: Any) -> dict[str, Any]:
        """Change any of `status` (any text, such as "ON_HOLD"), `expiresAt`, `paidAt`, `hiddenSeconds` (searches hide
        the link that long; 0 reveals it) and `raw` (an object that overrides the link's record unchecked: `paymentUrl`,
        `organization`, …; a list under "-" names fields to leave out; None removes it).
        """
        return self._pull("PATCH", f"/links/{link_id}", changes)

    def link(self, link_id: str) -> dict[str, Any]:
        """Return the truth about one link."""
        return self._pull("GET", f"/links/{link_id}")

    # Vehicles and challans

    def add_vehicle(
        self,
        rc_number: str,
        challans: list[dict[str, Any]] | None = None,
        *,
        organization: str | None = "demo",
        searched: bool | None = None,
        **more: Any,
    ) -> dict[str, Any]:
        """Add a vehicle with challans; each field of a challan has a payable default. With `organization=None` the
        vehicle belongs to no organization; with `searched=False` cached searches do not show its challans yet, as on a
        vehicle without an organization. Also `rcType`, `cityId`, `deleted`. Returns the vehicle's truth:
        `["challans"][n]["id"]`.
        """
        order = {"rcNumber": rc_number, "organization": organization, "challans": challans or [], **more}
        return self._pull("POST", "/vehicles", order if searched is None else {**order, "searched": searched})

    def vehicle(self, rc_number: str) -> dict[str, Any]:
        """Return the truth about a vehicle: each challan at the source, and as a cached search shows it."""
        return self._pull("GET", f"/vehicles/{rc_number}")

    def assign_vehicle(self, rc_number: str, organization: str | None) -> dict[str, Any]:
        """Give the vehicle to "demo", to "second" or to no organization (None)."""
        return self._pull("PATCH", f"/vehicles/{rc_number}", {"organization": organization})

    def delete_vehicle(self, rc_number: str, deleted: bool = True) -> dict[str, Any]:
        return self._pull("PATCH", f"/vehicles/{rc_number}", {"deleted": deleted})

    def issue_challan(self, rc_number: str, **fields: Any) -> dict[str, Any]:
        """Issue a challan at the source; only a first or a `bypassCache` search finds it, unless `seen=True`.
        Fields: `id`, `challanNo`, `status`, `challanAmount` (rupees or None), `challanDate`, `state`, `challanType`,
        `challanPlace`, `offenseDetails`, `raw`."""
        return self._pull("POST", f"/vehicles/{rc_number}/challans", fields)

    def set_challan(self, challan_id: str, **changes: Any) -> dict[str, Any]:
        """Change fields at the source; with `seen=True` cached searches show it too. `gone=True` removes the challan
        from the next fresh search. `raw` overrides the search record at once, unchecked (see `set_link`)."""
        return self._pull("PATCH", f"/challans/{challan_id}", changes)

    # Organizations

    def organizations(self) -> list[dict[str, Any]]:
        """Return both organizations, with their permissions, allowances and today's use of them."""
        return self._pull("GET", "/organizations")

    def set_organization(self, organization: str = "demo", **changes: Any) -> list[dict[str, Any]]:
        """Change any of `name`, `mayUseApi`, `searchEnabled`, `linksEnabled`, `linkAllowance`, `searchAllowance`
        (allowances: a whole number, or None for the replica's setting)."""
        return self._pull("PATCH", f"/organizations/{organization}", changes)

    def replace_secret(self, organization: str = "demo", secret: str | None = None) -> str:
        """Revoke the active secret, and return the new one: the given or a random one."""
        return str(self._pull("POST", f"/organizations/{organization}/secret", {"secret": secret})["secret"])

    def revoke_secret(self, organization: str = "demo") -> None:
        """Leave the organization without any secret: every call is answered with 401."""
        self._pull("DELETE", f"/organizations/{organization}/secret")

    def add_city(self, organization: str = "demo", **fields: Any) -> dict[str, Any]:
        """Add a city with any fields of a location record, and return the record."""
        return self._pull("POST", f"/organizations/{organization}/cities", fields)

    def remove_cities(self, organization: str = "demo") -> None:
        self._pull("DELETE", f"/organizations/{organization}/cities")

    def add_rc_type(self, value: str, label: str) -> dict[str, Any]:
        return self._pull("POST", "/rc-types", {"value": value, "label": label})

    # The clock

    def clock(self) -> dict[str, Any]:
        """Return `now` and `offset` in seconds."""
        return self._pull("GET", "/clock")

    def advance(self, seconds: float) -> dict[str, Any]:
        """Move the replica's clock forward; links that are due expire at once."""
        return self._pull("POST", "/clock", {"advance": seconds})

    def set_clock(self, *, offset: float | None = None, at: str | None = None) -> dict[str, Any]:
        """Set the clock by its offset to real time, or to a moment (ISO 8601)."""
        return self._pull("POST", "/clock", {"at": at} if at is not None else {"offset": offset})

    # Faults

    def fault(self, operation: str, kind: str, *, count: int = 1, when: str = "before", **more: Any) -> Any:
        """Order a fault for the next `count` calls of `locations`, `rc_types`, `search`, `create_link`,
        `link_status` or `*`. `when` is "before" (the call never takes effect) or "after" it took effect.

        Kinds: `delay` (seconds; the call then proceeds in either case) · `status` (status) · `raw` (status, body,
        content_type, headers) · `cut` (the socket is closed) · `truncate` (half of the body, then closed) ·
        `drip` (the body spread over `seconds`) · `corrupt` (corruption: invalid-json, html, empty, success-false,
        missing-field, nan, not-an-object; `missing`: a dotted path such as `data.id`) ·
        `late` (received, cut, executed after `seconds`, or on `commit_late` without) ·
        `replay` (executed again at once, or after `seconds`; `answer`: first or second)."""
        order = {"operation": operation, "kind": kind, "count": count, "when": when, **more}
        return self._pull("POST", "/faults", order)

    def faults(self) -> list[dict[str, Any]]:
        """Return the faults that are still ordered."""
        return self._pull("GET", "/faults")

    def clear_faults(self) -> None:
        self._pull("DELETE", "/faults")

    def commit_late(self) -> list[int]:
        """Execute every deferred request; return the statuses, which no caller received."""
        return list(self._pull("POST", "/late/commit")["statuses"])

    def drop_late(self) -> None:
        """Drop every deferred request: it was received and is never committed."""
        self._pull("DELETE", "/late")

    # Assumptions, broken one by one

    def break_a1(self, status: int = 400, count: int = 1) -> None:
        """Carry a create out, and answer it with a refusal."""
        self.fault("create_link", "status", status=status, count=count, when="after")

    def break_a2(self, broken: bool = True) -> None:
        """Allow a second active link for a challan."""
        self.switch(allow_second_link=broken)

    def break_a3(self, seconds: float) -> None:
        """Hide new links from searches for that long on the replica's clock; 0 stops it."""
        self.switch(hide_links_seconds=seconds)

    def break_a4(self, seconds: float | None = None, count: int = 1) -> None:
        """Receive a create, cut its connection, and commit it after some real seconds (None: by `commit_late`)."""
        self.fault("create_link", "late", seconds=seconds, count=count)

    def break_a6(self, seconds: float | None = None, answer: str = "first", count: int = 1) -> None:
        """Execute a create a second time, at once or after some real seconds (A5 and A6)."""
        self.fault("create_link", "replay", seconds=seconds, answer=answer, count=count)

    def switch(self, **changes: Any) -> dict[str, Any]:
        """Set lasting switches: `allow_second_link`, `hide_links_seconds`, `ended_links_visible`, `latency_seconds`,
        `paid_lag_seconds`, `bad_tokens_per_minute` (the last three: None leaves them to the settings)."""
        return self._pull("PATCH", "/switches", changes)

    # Reading

    def calls(self, operation: str | None = None, after: int = 0) -> list[dict[str, Any]]:
        """Return every API call since number `after`: `number`, `at`, `realAt`, `operation`, `method`, `path`, `body`
        (text), `status` (None: no whole answer), `organization` (handle), `reason`, `fault`. Never a token.
        """
        query = {"after": after, **({"operation": operation} if operation else {})}
        return list(self._pull("GET", "/calls", **query)["calls"])

    def count(self, operation: str) -> int:
        """Return how often an operation was called."""
        return int(self._pull("GET", "/calls")["counts"].get(operation, 0))

    def forget_calls(self) -> None:
        self._pull("DELETE", "/calls")

    def truth(self) -> dict[str, Any]:
        """Return everything an oracle needs: `links` (each with `status`, `live`, `challans` and whether they are
        `held`), `doublyHeld` challans, `lateRequests`, `organizations`, `faults`, `switches`, `calls`, `now`.
        """
        return self._pull("GET", "/truth")

    def reset(self, seed: str | None = None) -> None:
        """Delete everything, with clock, faults and journal, and seed again: "demo", "empty" or "none"."""
        self._pull("POST", "/reset", {"seed": seed} if seed else {})
