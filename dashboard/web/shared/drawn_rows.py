"""Reuse the HTML of the rows of a long table, most of which are drawn for the same values again and again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import cast

from flask import Flask
from jinja2.runtime import Macro
from markupsafe import Markup

from dashboard.web.shared.current import today
from dashboard.web.shared.languages import language

#: A row of links takes about 8 KB with its values, so that all take at most 16 MB.
MOST_ROWS = 2048


def init_drawn_rows(app: Flask) -> None:
    """Give templates `drawn(macro)`."""
    app.jinja_env.globals["drawn"] = reusing()


def reusing(most: int = MOST_ROWS) -> Callable[[Macro], Callable[..., Markup]]:
    """Return a function that makes of a macro one that repeats what was drawn for the same values, language and day.

    The macro may use nothing but its arguments and constants: no person, no form, no time of day. Its name is the only
    one of its kind, because templates define it anew each time.
    """
    rows: dict[tuple[Hashable, ...], Markup] = {}

    def drawn(macro: Macro) -> Callable[..., Markup]:
        # A moment is written as "tomorrow 9:30 am", which is true for a day.
        of_all = (macro.name, language(), today())

        def row_of(*values: Hashable) -> Markup:
            key = (of_all, values)
            row = rows.get(key)
            if row is None:
                if len(rows) >= most:
                    rows.clear()  # What is shown now is drawn again at once; to know the oldest would cost more.
                row = rows[key] = cast(Markup, macro(*values))
            return row

        return row_of

    return drawn
