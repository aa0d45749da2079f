"""What the tests of sharing begin with."""

from __future__ import annotations

import pytest

from tests.conftest import ServedReplica
from tests.support.levers import Levers
from tests.web.steps import RC, challan


@pytest.fixture
def levers(replica: ServedReplica) -> Levers:
    """The levers of a replica that knows the usual vehicle with three payable challans."""
    replica.levers.add_vehicle(RC, [challan(n) for n in range(3)])
    return replica.levers
