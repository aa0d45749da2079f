"""Reuse the HTML of the rows of a long table, most of which are drawn for the same values again and again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import cast

from flask import Flask
from jinja2.runtime import Macro
from markupsafe import Markup

from dashboard.web.shared.languages import language

#: About 6 MB of rows with 20 values each.
MOST_ROWS = 4096


def init_drawn_rows(app: Flask) -> None:
    """Give templates `drawn(macro, *values)`."""
    app.jinja_env.globals["drawn"] = reusing()


def reusing(most: int = MOST_ROWS) -> Callable[..., Markup]:
    """Return a function that calls a macro once for the same values and language, and then repeats what it returned.

    The macro may use nothing but its arguments and constants: no person, no form, no present time. Its name is the only
    one of its kind, because templates define it anew each time.
    """
    rows: dict[tuple[Hashable, ...], Markup] = {}

    def drawn(macro: Macro, *values: Hashable) -> Markup:
        key = (macro.name, language(), *values)
        row = rows.get(key)
        if row is None:
            if len(rows) >= most:
                rows.clear()  # What is shown now is drawn again at once; to know the oldest would cost more.
            row = rows[key] = cast(Markup, macro(*values))
        return row

    return drawn
