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
    """Compile equal rules once: all that they take from the map is its converters."""

    _compiled: ClassVar[dict[Hashable, tuple[Any, ...]]] = {}
    _builders: ClassVar[dict[Hashable, Any]] = {}

    def compile(self) -> None:
        key = self._key()
        if key not in self._compiled:
            super().compile()
            self._compiled[key] = self._parts, self._trace, self._converters, self.arguments
            return
        self._parts, self._trace, self._converters, self.arguments = self._compiled[key]
        self._build = self._compile_builder(False).__get__(self, None)
        self._build_unknown = self._compile_builder(True).__get__(self, None)

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        key = self._key(), append_unknown
        if key not in self._builders:
            self._builders[key] = super()._compile_builder(append_unknown)
        found: Callable[..., tuple[str, str]] = self._builders[key]
        return found

    def _key(self) -> Hashable:
        converters = tuple(self.map.converters.values())
        return self.rule, self.host, self.subdomain, repr(self.defaults), self.merge_slashes, converters


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
