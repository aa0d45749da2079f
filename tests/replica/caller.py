"""Call a replica in-process, as an integration would."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dashboard.replica.settings import DEMO_SECRET, SECOND_SECRET, ReplicaSettings

PREFIX = "/api/v1/staging"


class ReplicaCaller:
    """Call the endpoints with a secret, and pull levers."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.secret: str | None = DEMO_SECRET

    def as_second(self) -> ReplicaCaller:
        other = ReplicaCaller(self.client)
        other.secret = SECOND_SECRET
        return other

    def call(self, method: str, path: str, **more: Any) -> TestResponse:
        headers = {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        return self.client.open(PREFIX + path, method=method, headers={**headers, **more.pop("headers", {})}, **more)

    def search(self, rc: object, **fields: Any) -> TestResponse:
        return self.call("POST", "/challans/search", json={"rcNumber": rc, **fields})

    def found(self, rc: str, **fields: Any) -> dict[str, Any]:
        answer = self.search(rc, **fields)
        assert answer.status_code == 200, answer.text
        return answer.json["data"]

    def create(self, rc: object, ids: list[Any] | None = None, **fields: Any) -> TestResponse:
        body = {"vehicle_number": rc, **({"challan_ids": ids} if ids is not None else {}), **fields}
        return self.call("POST", "/payment-links", json=body)

    def created(self, rc: str, ids: list[str], **fields: Any) -> dict[str, Any]:
        answer = self.create(rc, ids, **fields)
        assert answer.status_code == 200, answer.text
        return answer.json["data"]

    def status(self, link_id: str) -> TestResponse:
        return self.call("GET", f"/payment-links/{link_id}")

    def link(self, link_id: str) -> dict[str, Any]:
        answer = self.status(link_id)
        assert answer.status_code == 200
        return answer.json["data"]

    def lever(self, method: str, path: str, order: dict[str, Any] | None = None) -> Any:
        answer = self.client.open(f"/levers{path}", method=method, json=order)
        assert answer.status_code == 200, answer.text
        return answer.json

    def vehicle(self, rc: str, *challans: dict[str, Any], **more: Any) -> list[str]:
        """Add a vehicle with challans, and return their ids."""
        told = self.lever("POST", "/vehicles", {"rcNumber": rc, "challans": list(challans), **more})
        return [challan["id"] for challan in told["challans"]]

    def city(self) -> str:
        return self.call("GET", "/locations").json["data"][0]["cityId"]


def replica_settings(folder: Path, **more: Any) -> ReplicaSettings:
    return ReplicaSettings(**{"database": folder / "replica.sqlite3", "seed": "empty", "levers": True, **more})
