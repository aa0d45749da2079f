"""Leave the indentation of templates out of pages, which are sent uncompressed because they hold the CSRF token."""

from __future__ import annotations

import re

from jinja2.ext import Extension

_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


class WithoutIndentation(Extension):
    """Drop what each line of a template begins with; values, such as the text of a field, keep all of theirs."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return _INDENTATION.sub("", source)
