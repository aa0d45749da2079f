"""Metrics that one process counts: its calls to the service, the requests that it answers, and its own resources."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.metrics_core import Metric

from dashboard.errors import (
    AllowanceSpent,
    Conflict,
    NotFound,
    Operation,
    RequestRefused,
    SecretRejected,
    ServiceFailed,
    ServiceNotEnabled,
    Unreachable,
    UnreadableAnswer,
)
from dashboard.upstream import CallRecord

_CALL_SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 45)
_REQUEST_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_REFUSALS = (AllowanceSpent, Conflict, NotFound, RequestRefused, SecretRejected, ServiceNotEnabled)
_OUTCOMES = ("ok", *(error.__name__ for error in (*_REFUSALS, ServiceFailed, Unreachable, UnreadableAnswer)))


class ProcessMetrics:
    """Labels come from our own vocabularies alone: no id, no text of the service, no address that somebody typed."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._calls = Counter(
            "dashboard_service_calls",
            "Attempts to call the service, by outcome.",
            ("group", "operation", "outcome"),
            registry=self._registry,
        )
        self._call_seconds = Histogram(
            "dashboard_service_call_seconds",
            "How long an attempt to call the service took.",
            ("operation",),
            buckets=_CALL_SECONDS,
            registry=self._registry,
        )
        self._bytes = Counter(
            "dashboard_service_answer_bytes",
            "Bytes of the answers' bodies, as far as they were read.",
            ("operation",),
            registry=self._registry,
        )
        self._requests = Counter(
            "dashboard_requests",
            "Requests answered, by endpoint and class of status.",
            ("endpoint", "status"),
            registry=self._registry,
        )
        self._request_seconds = Histogram(
            "dashboard_request_seconds",
            "How long a request took to answer.",
            ("endpoint",),
            buckets=_REQUEST_SECONDS,
            registry=self._registry,
        )
        ProcessCollector(registry=self._registry)
        for operation in Operation:  # From zero, so that the first failure of a kind shows as an increase.
            for outcome in _OUTCOMES:
                self._calls.labels(operation.group.value, operation.value, outcome)

    def call_made(self, record: CallRecord) -> None:
        """Count an attempt to call the service."""
        operation = record.operation.value
        self._calls.labels(record.group.value, operation, record.outcome).inc()
        self._call_seconds.labels(operation).observe(record.ms / 1000)
        self._bytes.labels(operation).inc(record.bytes)

    def request_served(self, endpoint: str, status: int, seconds: float) -> None:
        """Count an answered request; `endpoint` is a route's name, never an address."""
        self._requests.labels(endpoint, f"{status // 100}xx").inc()
        self._request_seconds.labels(endpoint).observe(seconds)

    def collect(self) -> list[Metric]:
        """Return all metrics, without the series for the start of each series."""
        families = list(self._registry.collect())
        for family in families:
            family.samples = [sample for sample in family.samples if not sample.name.endswith("_created")]
        return families
