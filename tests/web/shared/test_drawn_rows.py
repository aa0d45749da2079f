"""Test that rows which were drawn before are shown again, and only where they are the same."""

from __future__ import annotations

from typing import cast

from jinja2 import Environment
from jinja2.runtime import Macro

from dashboard.app import create_app
from dashboard.settings import Settings
from dashboard.web.shared.drawn_rows import reusing
from dashboard.web.shared.languages import speaking
from tests.support.clock import MovableClock

_SOURCE = "{% macro row(number, words) %}<td>{{ number }} {{ words }} {{ _('unknown') }}</td>{% endmacro %}"


def _macro(environment: Environment) -> Macro:
    return cast(Macro, environment.from_string(_SOURCE).module.row)  # type: ignore[attr-defined]  # A macro.


def test_a_row_is_drawn_once_for_the_same_values(settings: Settings) -> None:
    app = create_app(settings)
    drawn = reusing()
    with app.test_request_context():
        first = drawn(_macro(app.jinja_env))(1, "a")
        assert drawn(_macro(app.jinja_env))(1, "a") is first
        assert drawn(_macro(app.jinja_env))(1, "<b>") == "<td>1 &lt;b&gt; unknown</td>"
        assert drawn(_macro(app.jinja_env))(2, "a") == "<td>2 a unknown</td>"


def test_a_row_is_drawn_for_each_language(settings: Settings) -> None:
    app = create_app(settings)
    drawn = reusing()
    with app.test_request_context():
        english = drawn(_macro(app.jinja_env))(1, "a")
        with speaking("hi"):
            assert drawn(_macro(app.jinja_env))(1, "a") != english
        assert drawn(_macro(app.jinja_env))(1, "a") == english


def test_no_more_rows_are_kept_than_there_is_room_for(settings: Settings) -> None:
    app = create_app(settings)
    drawn = reusing(most=2)
    with app.test_request_context():
        first = drawn(_macro(app.jinja_env))(1, "a")
        for number in range(2, 5):
            drawn(_macro(app.jinja_env))(number, "a")
        assert drawn(_macro(app.jinja_env))(1, "a") is not first


def test_a_row_is_drawn_again_the_next_day(settings: Settings, clock: MovableClock) -> None:
    app = create_app(settings, clock=clock)
    drawn = reusing()
    with app.test_request_context():
        today = drawn(_macro(app.jinja_env))(1, "a")
        clock.advance(days=1)
        assert drawn(_macro(app.jinja_env))(1, "a") is not today
