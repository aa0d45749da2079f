"""The rows of the crash table: a real process, a real kill at a named point, and the real replica."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dashboard.crash_points import Point
from dashboard.store.engine import Store
from tests.faults.scene import Scene
from tests.support.crew import Premises
from tests.support.levers import Levers


@pytest.fixture
def scene(levers: Levers, ledger: Store, environ: dict[str, str]) -> Iterator[Scene]:
    url = ledger.url.render_as_string(hide_password=False)
    scene = Scene(Premises({**environ, "DASHBOARD_DATABASE_URL": url, "DASHBOARD_CREATE_SECONDS": "2"}), levers)
    yield scene
    scene.close()


@pytest.mark.parametrize(
    "point", [Point.PREPARE_INSIDE, Point.PREPARE_DONE, Point.MARK_DONE, Point.SEND_WHOLE, Point.RECORD_DONE]
)
def test_a_killed_click_is_settled_and_its_resend_makes_no_second_link(scene: Scene, point: Point) -> None:
    scene.search()
    form = scene.review()
    assert form
    click = scene.click(form, at=point)
    assert click.ended() is None
    assert click.was_killed
    scene.looks_at_everything()
    scene.settles()
    scene.send(form)
    scene.settles()
    scene.oracle.verify()
