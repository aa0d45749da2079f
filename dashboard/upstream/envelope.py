"""Open the service's JSON (section 1): the envelope, its records one by one, and single values.

Each part is decoded on its own, so that a value that cannot be represented spoils nothing else.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import msgspec

from dashboard.upstream.values import MAX_NUMBER


class Unfit(ValueError):
    """Raised when an answer does not fit the document; `str()` says why, in words of ours alone."""


#: Replaces a JSON value that cannot be represented (a number of thousands of digits); it fits no type.
_UNREPRESENTABLE = object()
_UNDECODABLE = (msgspec.MsgspecError, RecursionError, UnicodeError)


def _number(digits: str) -> object:
    """Parse a number exactly as it is spelled: a float would change it."""
    try:
        return Decimal(digits) if len(digits) <= MAX_NUMBER else _UNREPRESENTABLE
    except ArithmeticError:
        return _UNREPRESENTABLE


_any = msgspec.json.Decoder(float_hook=_number)
_raw_object = msgspec.json.Decoder(dict[str, msgspec.Raw])
_raw_list = msgspec.json.Decoder(list[msgspec.Raw])


def open_envelope(body: bytes) -> msgspec.Raw:
    """Return the undecoded `data` of an answer whose `success` is exactly true. Raises Unfit for any other."""
    body = _readable(body)
    envelope = _decoded(body)
    if envelope is None:
        envelope = _decoded(_mended(body))
    if envelope is None:
        raise Unfit("not a JSON object")
    if value_of(envelope.get("success")) is not True:
        raise Unfit("success is not true")
    if "data" not in envelope:
        raise Unfit("data is missing")
    return envelope["data"]


def _decoded(body: bytes) -> dict[str, msgspec.Raw] | None:
    try:
        return _raw_object.decode(body)
    except _UNDECODABLE:
        return None


def value_of(raw: msgspec.Raw | None) -> Any:
    """Return the value of one field; None when it is missing or null."""
    if raw is None:
        return None
    try:
        return _any.decode(raw)
    except _UNDECODABLE:
        return _UNREPRESENTABLE


def fields(raw: msgspec.Raw) -> dict[str, Any]:
    """Return the fields of a record; none when it is not an object."""
    value = value_of(raw)
    if value is _UNREPRESENTABLE:
        # One of its fields cannot be represented; the others can.
        try:
            return {name: value_of(field) for name, field in _raw_object.decode(raw).items()}
        except _UNDECODABLE:
            return {}
    return value if type(value) is dict else {}


def raw_fields(raw: msgspec.Raw) -> dict[str, msgspec.Raw]:
    """Return the fields of an object undecoded. Raises Unfit for anything else."""
    try:
        return _raw_object.decode(raw)
    except _UNDECODABLE:
        pass
    raise Unfit("data is not an object")


def records_of(raw: msgspec.Raw | None, name: str) -> list[msgspec.Raw]:
    """Return the records of a list undecoded. Raises Unfit for anything else."""
    try:
        return _raw_list.decode(raw or b"")
    except _UNDECODABLE:
        pass
    raise Unfit(f"{name} is not a list")


#: A JSON escape; the group matches one half of a surrogate pair without its other half.
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
#: A string (possessive, its end optional: one pass at most), or a number that JSON does not have.
_NOT_A_NUMBER = re.compile(rb'"(?:[^"\\]++|\\.)*+"?+|(-?\b(?:NaN|Infinity)\b)', re.DOTALL)
_CONTROLS_TO_SPACE = bytes(32 if byte < 32 else byte for byte in range(256))


def _readable(body: bytes) -> bytes:
    """Replace invalid UTF-8 and lone surrogates: the decoder would refuse the whole answer for one of them."""
    try:
        str(body, "utf-8")
    except UnicodeDecodeError:
        body = body.decode("utf-8", "replace").encode()
    if b"\\ud" in body or b"\\uD" in body:
        body = _ESCAPE.sub(lambda found: b"\\ufffd" if found[1] else found[0], body)
    return body.removeprefix(b"\xef\xbb\xbf")


def _mended(body: bytes) -> bytes:
    """Correct what some programs write instead of JSON: null for NaN and Infinity, spaces for control characters."""
    body = body.translate(_CONTROLS_TO_SPACE)
    return _NOT_A_NUMBER.sub(lambda found: b"null" if found[1] else found[0], body)
