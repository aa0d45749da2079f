"""Compile templates, URL rules and SQL statements once for all applications of this process."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from types import CodeType
from typing import Any, ClassVar

from flask import Flask
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket
from werkzeug.routing import Rule

from dashboard.store.engine import Store


class CompiledTemplates(FileSystemBytecodeCache):
    """Cache compiled templates in files for other processes and in memory for this one."""

    _loaded: dict[tuple[str, str], CodeType]

    def __init__(self, folder: str) -> None:
        super().__init__(folder)
        self._loaded = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._loaded.get((bucket.key, bucket.checksum))
        if bucket.code is None:
            super().load_bytecode(bucket)
            self._remember(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        super().dump_bytecode(bucket)
        self._remember(bucket)

    def _remember(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._loaded[bucket.key, bucket.checksum] = bucket.code


class CompiledRule(Rule):
    """Share the URL builders of equal rules: a builder depends only on these parts, not on the map."""

    _builders: ClassVar[dict[Hashable, Any]] = {}

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        key = self.rule, self.host, self.subdomain, repr(self.defaults), self.merge_slashes, append_unknown
        if key not in self._builders:
            self._builders[key] = super()._compile_builder(append_unknown)
        found: Callable[..., tuple[str, str]] = self._builders[key]
        return found


class _Statements(dict[Any, Any]):
    """Cache compiled statements by text and database kind, shared by all engines; SQLAlchemy caches them per engine."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(_of_any_engine(key), default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(_of_any_engine(key), value)


def _of_any_engine(key: Any) -> Any:
    dialect, *rest = key
    return type(dialect), *rest


_STATEMENTS = _Statements()


def share_statements(store: Store) -> Store:
    store.engine.update_execution_options(compiled_cache=_STATEMENTS)
    return store


def share_addresses() -> None:
    Flask.url_rule_class = CompiledRule
