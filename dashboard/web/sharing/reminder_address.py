"""Name reminders in an address, so that they stay those that were counted, or chosen, when their list was shown."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit
from uuid import UUID

from flask import request, url_for
from werkzeug.datastructures import MultiDict

from dashboard.web.links import filters
from dashboard.web.links.list_page import PAGE_SIZE

#: The links, since when a share of one counts, which of them is shown, and the driver from whose page they were opened.
LINKS, SINCE, NUMBER, DRIVER = "links", "since", "number", "of"
#: The links that were chosen as well: those that could not be among them, and those that were not meant, such as those
#: sent before; and the filter of the list where all were chosen.
BESIDES, APART, FILTER = "besides", "apart", "list"
_FIELDS = (LINKS, SINCE, NUMBER, DRIVER, BESIDES, APART, FILTER)
#: A longer filter leads back to the whole list, because servers refuse a very long address.
_MOST_FILTER = 600
#: An id of 16 bytes in the letters of an address, without their padding.
_ID_LENGTH = 22
_LATEST = 2**32


def queue_of(link_ids: Sequence[str], now: datetime, driver_id: int | None = None) -> dict[str, str]:
    """Return the fields that name the reminders of these links; what is sent from now on counts as sent.

    They go back to the page of the driver, where one is given.
    """
    back = {} if driver_id is None else {DRIVER: str(driver_id)}
    return {LINKS: _packed(link_ids), SINCE: str(int(now.timestamp())), **back}


def queue_of_chosen(
    link_ids: Sequence[str], besides: Sequence[str], apart: Sequence[str], shown: Mapping[str, Any], now: datetime
) -> dict[str, str]:
    """Return the fields that name the messages about links chosen in the list; `shown` is its filter, to go back to."""
    query = urlencode({name: value for name, value in shown.items() if name != "link"}, doseq=True)
    left_out = {name: _packed(ids) for name, ids in ((BESIDES, besides), (APART, apart)) if ids}
    return {**queue_of(link_ids, now), **left_out, FILTER: query if len(query) <= _MOST_FILTER else ""}


def _packed(link_ids: Sequence[str]) -> str:
    return "".join(urlsafe_b64encode(UUID(each).bytes).decode().rstrip("=") for each in link_ids)


def fields_of(values: Mapping[str, str]) -> dict[str, str]:
    """Return the fields that name a step, out of those of an address or of a form."""
    return {name: values[name] for name in _FIELDS if name in values}


def queue_address(values: Mapping[str, str]) -> str:
    """Return the address of a step, from the fields that name it."""
    return url_for("sharing.reminders", **fields_of(values))  # type: ignore[arg-type]  # No field has a name of Flask's.


def link_ids(fields: Mapping[str, str]) -> list[str]:
    """Return the ids of the links that the fields name, as far as they are any."""
    return _unpacked(fields.get(LINKS, ""))


def besides(fields: Mapping[str, str]) -> list[str]:
    """Return the ids of the links that were chosen as well and could not be among them."""
    return _unpacked(fields.get(BESIDES, ""))


def apart(fields: Mapping[str, str]) -> list[str]:
    """Return the ids of the links that were chosen as well and were not meant."""
    return _unpacked(fields.get(APART, ""))


def list_address(fields: Mapping[str, str]) -> str:
    """Return the address of the list of links where they were chosen; "" where that was elsewhere."""
    if FILTER not in fields:
        return ""
    asked, _problems = filters.read(MultiDict(parse_qsl(fields[FILTER])))
    return url_for("links.index", **filters.write(asked))


def is_in_queue(address: str) -> bool:
    """Return whether an address is that of the queue, or of the reminders that it leads to."""
    parts = urlsplit(address)
    if parts.netloc != request.host:
        return False
    is_elsewhere = {DRIVER, FILTER} & {name for name, _value in parse_qsl(parts.query, keep_blank_values=True)}
    return parts.path == url_for("sharing.follow_up") or (
        parts.path == url_for("sharing.reminders") and not is_elsewhere
    )


def _unpacked(packed: str) -> list[str]:
    found = []
    for at in range(0, min(len(packed), PAGE_SIZE * _ID_LENGTH), _ID_LENGTH):
        try:
            found.append(str(UUID(bytes=urlsafe_b64decode(f"{packed[at : at + _ID_LENGTH]}=="))))
        except (NotBase64, ValueError):
            continue
    return list(dict.fromkeys(found))


def since(fields: Mapping[str, str]) -> datetime:
    """Return the moment of the fields."""
    return datetime.fromtimestamp(min(_number(fields.get(SINCE, "")), _LATEST), UTC)


def driver_id(fields: Mapping[str, str]) -> int:
    """Return the driver from whose page the reminders were opened; 0 where they were not."""
    return _number(fields.get(DRIVER, ""))


def number(fields: Mapping[str, str]) -> int:
    """Return which of the links is shown, from 1; 0 where the fields do not say it."""
    return _number(fields.get(NUMBER, ""))


def _number(written: str) -> int:
    return int(written) if written.isascii() and written.isdigit() and len(written) <= len(str(_LATEST)) else 0
