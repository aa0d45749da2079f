"""Parse request bodies as the document allows them; refuse everything else with 400."""

from __future__ import annotations

import json
import math
import re
import unicodedata
import uuid
from dataclasses import dataclass
from typing import NoReturn

from dashboard.replica.refusals import Refused

MOST_CHALLANS = 100
SHORTEST_LIFE, LONGEST_LIFE, USUAL_LIFE = 24, 168, 48
REGISTRATION = re.compile(r"[A-Z0-9]+")
UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


@dataclass(frozen=True)
class SearchBody:
    rc: str
    rc_type: str | None
    city_id: str | None
    bypass_cache: bool


@dataclass(frozen=True)
class LinkBody:
    rc: str
    challan_ids: tuple[str, ...] | None
    challan_numbers: tuple[str, ...] | None
    hours: int


def normalize(number: str) -> str | None:
    """Return a registration number without spaces and separators, in capitals; None when nothing else is left, or
    other letters are. The document names no length.
    """
    plain = "".join(each for each in number if not _separates(each)).upper()
    return plain if REGISTRATION.fullmatch(plain) else None


def _separates(character: str) -> bool:
    return character.isspace() or unicodedata.category(character)[0] in "ZPS"


def _not_json(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def parse_object(body: bytes, content_type: str | None) -> dict[str, object]:
    mimetype = (content_type or "").partition(";")[0].strip().lower()
    if mimetype != "application/json":
        raise Refused(415, "the body is not application/json")
    try:
        # Python's parser accepts NaN and Infinity, which JSON does not have.
        value = json.loads(body.decode("utf-8"), parse_constant=_not_json)
    except (ValueError, RecursionError):
        raise Refused(400, "the body is not JSON") from None
    if not isinstance(value, dict):
        raise Refused(400, "the body is not an object")
    return value


def uuid_of(value: object) -> str | None:
    return value.lower() if isinstance(value, str) and UUID.fullmatch(value) else None


def _registration(body: dict[str, object], name: str) -> str:
    value = body.get(name)
    rc = normalize(value) if isinstance(value, str) else None
    if rc is None:
        raise Refused(400, f"{name} is not a registration number")
    return rc


def search_body(body: dict[str, object]) -> SearchBody:
    rc = _registration(body, "rcNumber")
    rc_type = body.get("rcType")
    if "rcType" in body and not isinstance(rc_type, str):
        raise Refused(400, "rcType is not text")
    city_id = uuid_of(body.get("cityId"))
    if "cityId" in body and city_id is None:
        raise Refused(400, "cityId is not a UUID")
    bypass_cache = body.get("bypassCache", False)
    if not isinstance(bypass_cache, bool):
        raise Refused(400, "bypassCache is not a boolean")
    return SearchBody(rc, rc_type if isinstance(rc_type, str) else None, city_id, bypass_cache)


def _selection(body: dict[str, object], name: str) -> tuple[str, ...]:
    values = body[name]
    if not isinstance(values, list) or not 1 <= len(values) <= MOST_CHALLANS:
        raise Refused(400, f"{name} does not hold 1 to {MOST_CHALLANS} challans")
    if name == "challan_ids":
        chosen = [uuid_of(value) for value in values]
    else:
        chosen = [value if isinstance(value, str) and value.strip() else None for value in values]
    present = tuple(value for value in chosen if value is not None)
    if len(present) != len(values):
        raise Refused(400, f"{name} holds something else")
    if len(set(present)) != len(present):
        raise Refused(400, f"{name} names a challan twice")
    return present


def _hours(body: dict[str, object]) -> int:
    value = body.get("expiry_time", USUAL_LIFE)
    # Python counts booleans as numbers, and JSON counts 48.0 as a whole number.
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refused(400, "expiry_time is not a number")
    if not math.isfinite(value) or value != int(value) or not SHORTEST_LIFE <= value <= LONGEST_LIFE:
        raise Refused(400, f"expiry_time is not a whole number from {SHORTEST_LIFE} to {LONGEST_LIFE}")
    return int(value)


def link_body(body: dict[str, object]) -> LinkBody:
    rc = _registration(body, "vehicle_number")
    if ("challan_ids" in body) == ("challan_numbers" in body):
        raise Refused(400, "exactly one of challan_ids and challan_numbers is needed")
    by_id = "challan_ids" in body
    selection = _selection(body, "challan_ids" if by_id else "challan_numbers")
    return LinkBody(rc, selection if by_id else None, None if by_id else selection, _hours(body))


def new_id() -> str:
    return str(uuid.uuid4())
