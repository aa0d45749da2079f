"""Authenticate callers: bearer secrets, organizations, permissions, and the throttle on bad tokens."""

from __future__ import annotations

import hashlib
import math
import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta

from dashboard.replica import clock
from dashboard.replica.refusals import Refused

THROTTLE_SECONDS = 60
PERMISSIONS = {
    "locations": "search_enabled",
    "rc_types": "search_enabled",
    "search": "search_enabled",
    "create_link": "links_enabled",
    "link_status": "links_enabled",
}


@dataclass(frozen=True)
class Organization:
    id: str
    handle: str
    name: str
    may_use_api: bool
    search_enabled: bool
    links_enabled: bool
    link_allowance: int | None
    search_allowance: int | None


def digest(secret: str) -> str:
    # The secrets are long random text, so a plain hash is enough to hide them in the file.
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def organization_of(row: sqlite3.Row) -> Organization:
    return Organization(
        id=row["id"],
        handle=row["handle"],
        name=row["name"],
        may_use_api=bool(row["may_use_api"]),
        search_enabled=bool(row["search_enabled"]),
        links_enabled=bool(row["links_enabled"]),
        link_allowance=row["link_allowance"],
        search_allowance=row["search_allowance"],
    )


def bearer(header: str | None) -> str | None:
    scheme, _, token = (header or "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def known_organization(connection: sqlite3.Connection, header: str | None) -> Organization | None:
    """Return the organization whose active secret this is. It only reads, so a good token takes no lock."""
    token = bearer(header)
    if token is None:
        return None
    row = connection.execute(
        "SELECT o.* FROM organization o JOIN secret s ON s.organization = o.id WHERE s.digest = ? AND s.active = 1",
        (digest(token),),
    ).fetchone()
    return organization_of(row) if row else None


def refuse_unknown(
    connection: sqlite3.Connection, header: str | None, address: str, limit: int, now: datetime
) -> Refused:
    """Count a bad token, and return the refusal for its caller."""
    token = bearer(header)
    if token is None:
        return Refused(401, "no bearer token")
    fingerprint = digest(token)
    since = clock.stamp(now - timedelta(seconds=THROTTLE_SECONDS))
    connection.execute("DELETE FROM bad_token WHERE at < ? OR at > ?", (since, clock.stamp(now)))
    counted = connection.execute(
        "SELECT count(*) AS bad, min(at) AS oldest FROM bad_token WHERE digest = ? OR address = ?",
        (fingerprint, address),
    ).fetchone()
    if counted["bad"] >= limit:
        wait = clock.parse(counted["oldest"] or clock.stamp(now)) + timedelta(seconds=THROTTLE_SECONDS) - now
        seconds = max(1, math.ceil(wait.total_seconds()))
        return Refused(429, "too many bad tokens", {"Retry-After": str(seconds)})
    connection.execute(
        "INSERT INTO bad_token (digest, address, at) VALUES (?, ?, ?)", (fingerprint, address, clock.stamp(now))
    )
    return Refused(401, "the token is no active secret")


def check_permissions(organization: Organization, operation: str) -> None:
    if not organization.may_use_api:
        raise Refused(403, "the organization cannot currently use the API")
    if not getattr(organization, PERMISSIONS[operation]):
        raise Refused(403, f"{PERMISSIONS[operation]} is off for the organization")


def replace_secret(connection: sqlite3.Connection, organization_id: str, secret: str | None) -> None:
    """Revoke the active secret, and replace it by a new one if given."""
    connection.execute("UPDATE secret SET active = 0 WHERE organization = ?", (organization_id,))
    if secret is not None:
        connection.execute(
            "INSERT INTO secret (organization, digest) VALUES (?, ?) "
            "ON CONFLICT (digest) DO UPDATE SET active = 1, organization = excluded.organization",
            (organization_id, digest(secret)),
        )
