"""Opening the service's JSON (section 1): the envelope, its records one by one, and single values still undecoded.

Each part is decoded apart, so that one which cannot be held harms nothing but itself.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import msgspec

from dashboard.upstream.values import MAX_NUMBER


class Unfit(ValueError):
    """The answer does not fit the document; `str()` says in which respect, in our own words."""


#: Stands for a value that is JSON but that cannot be held (a number of thousands of digits); it fits no type.
_UNHOLDABLE = object()
_UNDECODABLE = (msgspec.MsgspecError, RecursionError, UnicodeError)


def _number(digits: str) -> object:
    """Keep a number exactly as it was spelled: a float would change it."""
    try:
        return Decimal(digits) if len(digits) <= MAX_NUMBER else _UNHOLDABLE
    except ArithmeticError:
        return _UNHOLDABLE


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
    """The value of one field; None when it is missing or null."""
    if raw is None:
        return None
    try:
        return _any.decode(raw)
    except _UNDECODABLE:
        return _UNHOLDABLE


def fields(raw: msgspec.Raw) -> dict[str, Any]:
    """The fields of a record; none when it is not an object."""
    value = value_of(raw)
    if value is _UNHOLDABLE:
        # One of its fields cannot be held: keep the others.
        try:
            return {name: value_of(field) for name, field in _raw_object.decode(raw).items()}
        except _UNDECODABLE:
            return {}
    return value if type(value) is dict else {}


def raw_fields(raw: msgspec.Raw) -> dict[str, msgspec.Raw]:
    try:
        return _raw_object.decode(raw)
    except _UNDECODABLE:
        pass
    raise Unfit("data is not an object")


def records_of(raw: msgspec.Raw | None, name: str) -> list[msgspec.Raw]:
    """The records of a list, each still to be decoded."""
    try:
        return _raw_list.decode(raw or b"")
    except _UNDECODABLE:
        pass
    raise Unfit(f"{name} is not a list")


#: A JSON escape; the group holds one half of a surrogate pair that stands alone.
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
#: A string (possessive, and content with a missing end: never more than one pass), or a number that JSON has not got.
_NOT_A_NUMBER = re.compile(rb'"(?:[^"\\]++|\\.)*+"?+|(-?\b(?:NaN|Infinity)\b)', re.DOTALL)
_CONTROLS_TO_SPACE = bytes(32 if byte < 32 else byte for byte in range(256))


def _readable(body: bytes) -> bytes:
    """Replace what is not UTF-8, and lone surrogates: the decoder would refuse the whole answer for one of them."""
    try:
        str(body, "utf-8")
    except UnicodeDecodeError:
        body = body.decode("utf-8", "replace").encode()
    if b"\\ud" in body or b"\\uD" in body:
        body = _ESCAPE.sub(lambda found: b"\\ufffd" if found[1] else found[0], body)
    return body.removeprefix(b"\xef\xbb\xbf")


def _mended(body: bytes) -> bytes:
    """Make JSON of what some programs write instead: null for NaN and Infinity, spaces for bare control characters."""
    body = body.translate(_CONTROLS_TO_SPACE)
    return _NOT_A_NUMBER.sub(lambda found: b"null" if found[1] else found[0], body)
