"""Declare a setting with its environment variable, and read it from there, or from the file that the variable names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar, cast

from dashboard.setting_parsers import header_value

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Variable:
    """The environment variable of a setting. `formerly` is a name that it had in an earlier release."""

    name: str
    parse: Callable[[str], object]
    help: str
    default: str | None
    shown_default: str
    required: bool
    secret: bool
    formerly: str | None

    @property
    def default_cell(self) -> str:
        return f"`{self.default}`" if self.default is not None else self.shown_default


def setting(
    name: str,
    parse: Callable[[str], T],
    help: str,
    *,
    default: str | None = None,
    shown_default: str = "none",
    required: bool = False,
    secret: bool = False,
    formerly: str | None = None,
) -> T:
    """Declare a setting. `shown_default` describes a default that is not a fixed text; `secret` allows `NAME_FILE`."""
    variable = Variable(name, parse, help, default, shown_default, required, secret, formerly)
    return cast("T", field(repr=not secret, metadata={Variable: variable}))


@dataclass(frozen=True, slots=True)
class ApiSecret:
    """The organization's API secret: as given, or the file that holds it, which is read again when it changes."""

    literal: str | None = field(default=None, repr=False)
    file: Path | None = None

    @classmethod
    def parse(cls, text: str) -> ApiSecret:
        return cls(literal=header_value(text))


def read(variable: Variable, environ: Mapping[str, str]) -> object:
    """Read and parse a variable, or the file that names it. An empty variable counts as not given.

    Raises ValueError with the rest of a sentence that begins with the variable's name.
    """
    text = environ.get(variable.name, "").strip() or None
    file_name = environ.get(f"{variable.name}_FILE", "").strip() if variable.secret else ""
    if text and file_name:
        raise ValueError(f"is given twice, as {variable.name} and as {variable.name}_FILE")
    if file_name:
        file = Path(file_name).absolute()
        value = variable.parse(_content(file))
        return ApiSecret(file=file) if isinstance(value, ApiSecret) else value
    text = text or variable.default
    if text is None and variable.required:
        raise ValueError(f"is missing{f' (or {variable.name}_FILE)' if variable.secret else ''}: {variable.help}")
    return None if text is None else variable.parse(text)


def _content(file: Path) -> str:
    try:
        text = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"cannot be read from the file {file}: {getattr(error, 'strerror', None) or error}") from None
    if not text:
        raise ValueError(f"is empty in the file {file}")
    return text
