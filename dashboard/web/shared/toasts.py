"""Say that something is done, and offer to undo it.

An answer in place appends its toasts to `#toasts`, outside of the page, where each leaves by itself after ten seconds.
A whole page shows them as notices, so that nothing is lost without scripts. What has gone wrong is no toast: it stays
on its page (`notice`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from flask import Flask, flash, get_flashed_messages, render_template, session, url_for

from dashboard.web.shared.texts import UNDO

#: The category of the messages that are toasts.
_TOAST = "toast"


@dataclass(frozen=True, slots=True)
class Undo:
    """Undo what was done, by a form of these fields to an endpoint, which answers as for any other form."""

    endpoint: str
    view_args: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    words: str = UNDO


@dataclass(frozen=True, slots=True)
class Toast:
    """A toast as templates show it. `meaning` is one of a notice; `action` is empty when there is nothing to undo."""

    words: str
    meaning: str
    action: str
    fields: Mapping[str, str]
    undo: str


def init_toasts(app: Flask) -> None:
    app.jinja_env.globals.update(toasts=_take, notices=_notices)


def toast(words: str, meaning: str = "good", undo: Undo | None = None) -> None:
    """Say on the next answer to this person that something is done, with its undo if there is one."""
    arguments: dict[str, Any] = dict(undo.view_args) if undo else {}
    message = {
        "words": str(words),
        "meaning": meaning,
        "action": url_for(undo.endpoint, **arguments) if undo else "",
        "fields": dict(undo.fields) if undo else {},
        "undo": str(undo.words) if undo else "",
    }
    if [_TOAST, message] in [list(each) for each in session.get("_flashes", ())]:
        return  # A form that was sent twice is confirmed once.
    flash(cast(str, message), _TOAST)  # The session is JSON: a message may be more than text.


def notice(words: str, meaning: str) -> None:
    """Say on the next page to this person what has gone wrong, or what to know; it stays there."""
    flash(str(words), meaning)  # The session is JSON, and keeps of a sentence for later only its English.


def _notices() -> list[tuple[str, str]]:
    """Return the other messages, which stay on their page, with their meanings."""
    messages = get_flashed_messages(with_categories=True)
    return [(str(message[0]), message[1]) for message in messages if message[0] != _TOAST]


def render_for_region() -> str:
    """Render the waiting toasts to go along with a region; empty when there are none."""
    waiting = _take()
    return render_template("shared/_toasts.html", waiting=waiting) if waiting else ""


def _take() -> list[Toast]:
    """Return the waiting toasts. Like other messages they are taken from the session once, for this request."""
    messages = cast(list[dict[str, Any]], get_flashed_messages(category_filter=[_TOAST]))
    return [Toast(**message) for message in messages]
