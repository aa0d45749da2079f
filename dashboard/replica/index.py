"""Serve the page at `/`: the addresses, and vehicles worth trying."""

from __future__ import annotations

from flask import Blueprint, render_template

from dashboard.replica.runtime import current

index = Blueprint("index", __name__)


@index.get("/")
def show() -> str:
    replica = current()
    with replica.state.reading() as connection:
        vehicles = connection.execute("SELECT rc, note FROM vehicle WHERE note IS NOT NULL ORDER BY rowid").fetchall()
        count = connection.execute("SELECT count(*) AS n FROM vehicle").fetchone()["n"]
    return render_template("index.html", vehicles=vehicles, count=count, levers=replica.settings.levers)
