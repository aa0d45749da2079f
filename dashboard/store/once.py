"""Read the same thing once in a read transaction, however many parts of a page ask for it.

A page is put together by builders that each read what they need, so several of them read the same rows. On PostgreSQL
each of these reads would cost a way to the server and back.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from copy import copy
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

P = ParamSpec("P")
T = TypeVar("T")

#: The option of a connection that holds what its transaction has read; transactions that write have none.
RESULTS = "dashboard_results"


def once(read: Callable[Concatenate[Connection, P], T]) -> Callable[Concatenate[Connection, P], T]:
    """Make a read answer again what it has answered to the same arguments in this read transaction.

    Arguments are ids and other plain values, or collections of them: records of rows may not be hashable. Each caller
    gets a list, set or dict of its own, with the same frozen records in it.
    """

    @wraps(read)
    def answer(connection: Connection, /, *args: P.args, **kwargs: P.kwargs) -> T:
        results: dict[Hashable, Any] | None = connection.get_execution_options().get(RESULTS)
        if results is None:
            return read(connection, *args, **kwargs)
        key = (read, *map(_hashable, args), *((name, _hashable(value)) for name, value in kwargs.items()))
        if key not in results:
            results[key] = read(connection, *args, **kwargs)
        answered: T = results[key]
        return copy(answered) if isinstance(answered, list | set | dict) else answered

    return answer


def _hashable(argument: Any) -> Hashable:
    return argument if isinstance(argument, Hashable) else tuple(argument)
