"""The log context: fields that every log line of the present work carries, first of all the id under `request`.

It belongs to the context, not to the thread: `carried` takes it along into a thread that the work starts.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import partial
from types import MappingProxyType
from typing import TypeVar

T = TypeVar("T")

_NOTHING: Mapping[str, str] = MappingProxyType({"request": "-"})
_fields: ContextVar[Mapping[str, str]] = ContextVar("log_context", default=_NOTHING)


def fields() -> Mapping[str, str]:
    """Return the request id under `request` ("-" outside of any work) and the subjects, such as `link_id`."""
    return _fields.get()


def begin(request_id: str, **subjects: str) -> None:
    """Replace the context until `end`: a server's thread answers one request after the other."""
    _fields.set({"request": request_id, **subjects})


def end() -> None:
    _fields.set(_NOTHING)


def new_id(kind: str) -> str:
    """Return an id for work that no browser asked for: `<kind>-<8 hex>`."""
    return f"{kind}-{secrets.token_hex(4)}"


@contextmanager
def bound(**more: str) -> Iterator[None]:
    """Add fields while the block runs."""
    before = _fields.set({**_fields.get(), **more})
    try:
        yield
    finally:
        _fields.reset(before)


def carried(call: Callable[..., T]) -> Callable[..., T]:
    """Wrap a call for another thread, which then runs in the present context."""
    return partial(copy_context().run, call)
