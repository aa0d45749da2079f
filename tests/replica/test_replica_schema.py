"""Test the replica against its own OpenAPI document, with generated calls, good and bad."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

import dashboard.replica
from dashboard.replica.app import create_replica
from dashboard.replica.settings import DEMO_SECRET
from tests.replica.caller import replica_settings

DOCUMENT = json.loads((Path(dashboard.replica.__file__).parent / "openapi.json").read_text(encoding="utf-8"))


OPERATIONS = [(path, method) for path, methods in DOCUMENT["paths"].items() for method in methods]


@pytest.fixture(scope="module")
def replica_schema(tmp_path_factory: pytest.TempPathFactory):
    # Generated calls with bad tokens must get 401, so the throttle must not answer 429.
    app = create_replica(
        replica_settings(
            tmp_path_factory.mktemp("schema"),
            seed="demo",
            bad_tokens_per_minute=10**6,
            search_allowance=10**6,
            link_allowance=10**6,
        )
    )
    loaded = schemathesis.openapi.from_dict(DOCUMENT)
    loaded.app = app
    yield loaded
    app.extensions["replica"].state.close()


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_no_generated_call_gets_an_answer_that_the_document_excludes(replica_schema, path, method, mode):
    operation = replica_schema[path][method]
    if mode is GenerationMode.NEGATIVE and not (operation.body or operation.path_parameters):
        return  # nothing in the call can be wrong
    # A schema cannot say which cities an organization has, nor that a vehicle is new to it: a well-formed search may
    # rightly be refused.
    excluded = [positive_data_acceptance] if path.endswith("/challans/search") else []

    @settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def calls(case):
        case.call_and_validate(headers={"Authorization": f"Bearer {DEMO_SECRET}"}, excluded_checks=excluded)

    calls()


def conforms(record: object, name: str) -> None:
    schema = {"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]}
    jsonschema_rs.Draft202012Validator(schema, validate_formats=True).validate(record)


def test_the_demo_fleet_conforms_to_the_document(demo_replica):
    for rc in ("MH12AB1001", "MH14GH2300", "TN22DE1400", "WB19F2048"):
        conforms(demo_replica.found(rc), "SearchResult")
    challans = demo_replica.found("MH12AB1001")["challans"]
    link_id = next(one["paymentLinkId"] for one in challans if one["paymentLinkId"])
    conforms(demo_replica.link(link_id), "PaymentLink")
    for city in demo_replica.call("GET", "/locations").json["data"]:
        conforms(city, "Location")
