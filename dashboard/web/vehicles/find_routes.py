"""Find anything by what is typed into the find box; the service is not called."""

from __future__ import annotations

from flask import redirect, render_template, request
from flask.typing import ResponseReturnValue

from dashboard.web.shared import htmx
from dashboard.web.vehicles.find_page import find_page, in_palette, in_tables, recent_page
from dashboard.web.vehicles.find_records import FindPage
from dashboard.web.vehicles.routes import bp

#: The most characters of the search text.
_LONGEST = 100


@bp.get("/find")
def find() -> ResponseReturnValue:
    """Redirect to the one thing that is found or named exactly; otherwise list what is found, `of` one kind or of each.

    Challans alone have their order, and what is left of them, in the address.

    Where nothing is typed, say what can be found.

    The palette, which htmx fills while somebody types, lists in any case, and at first the vehicles searched last and
    the places of the menu.
    """
    typed = request.args.get("q", "").strip()[:_LONGEST]
    if htmx.wants_region():
        return htmx.region(
            "vehicles/_found_options.html", page=in_palette(find_page(typed)) if typed else recent_page()
        )
    if not typed:
        return render_template("vehicles/find.html", page=FindPage("", ()))
    order, filters = request.args.get("sort", ""), request.args.getlist("only")
    page = find_page(typed, request.args.get("of", ""), counts=True, order=order, filters=filters)
    if page.best:
        return redirect(page.best, 303)
    return render_template("vehicles/find.html", page=in_tables(page))
