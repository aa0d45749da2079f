"""For what the present work is done: the id of the request, or of the watcher's row, and the things it is about.

It is bound to the context, not to the thread: `carried` takes it along into a thread that the work starts.
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

#: The key under which every log line tells the id.
REQUEST = "request"

_NOTHING: Mapping[str, str] = MappingProxyType({REQUEST: "-"})
_work: ContextVar[Mapping[str, str]] = ContextVar("work", default=_NOTHING)


def fields() -> Mapping[str, str]:
    """The id under `request` ("-" outside of any work), and what the work is about, such as `link_id`."""
    return _work.get()


def begin(request_id: str, **about: str) -> None:
    """Bind an id until `end`, or until the next one; for servers, whose threads answer one request after the other."""
    _work.set({REQUEST: request_id, **about})


def end() -> None:
    """Bind nothing any more."""
    _work.set(_NOTHING)


@contextmanager
def working(kind: str, **about: str) -> Iterator[str]:
    """Bind a new id, `<kind>-<8 hex>`, while the block runs."""
    request_id = f"{kind}-{secrets.token_hex(4)}"
    before = _work.set({REQUEST: request_id, **about})
    try:
        yield request_id
    finally:
        _work.reset(before)


@contextmanager
def about(**more: str) -> Iterator[None]:
    """Say what the work under the present id is about, while the block runs."""
    before = _work.set({**_work.get(), **more})
    try:
        yield
    finally:
        _work.reset(before)


def carried(call: Callable[..., T]) -> Callable[..., T]:
    """The same call, for another thread, under the id that is bound here and now."""
    return partial(copy_context().run, call)
