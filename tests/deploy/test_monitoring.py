"""Test that alerts and the dashboard of figures name metrics and labels that exist, and that each alert can fire."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.support import documents
from tests.support.documents import DOCS, ROOT

ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yml"
GRAFANA = ROOT / "deploy" / "grafana" / "dashboard.json"
#: What Prometheus adds to every metric, and the client library for every process.
ADDED = {"job", "instance", "process", "le"}
OF_PROCESSES = {"up": set(), "process_cpu_seconds_total": set(), "process_resident_memory_bytes": set()}
_WORDS = {"sum", "max", "min", "by", "rate", "histogram_quantile", "topk", "and", "on"}

#: For each alert, samples at which it fires.
FIRING = {
    "DashboardDown": ['up{job="challan-dashboard"} 0'],
    "DatabaseAway": ["dashboard_store_up 0"],
    "LinksNotRecorded": ["dashboard_spooled_records 1"],
    "KeyRefused": ['dashboard_calls_held_back{why="secret", scope="all"} 1'],
    "ServiceNotEnabled": ['dashboard_calls_held_back{why="not enabled", scope="search"} 1'],
    "ServiceFailing": ['dashboard_calls_held_back{why="breaker", scope="create"} 1'],
    "AllowanceSpent": ['dashboard_calls_held_back{why="allowance", scope="search"} 1'],
    "AllowanceNearlySpent": [
        'dashboard_allowance_used{group="search"} 95',
        'dashboard_allowance_learned{group="search"} 100',
    ],
    "OutcomeUnclear": ["dashboard_oldest_unknown_intent_seconds 4000"],
    "RequestNeedsPerson": ['dashboard_intents{state="NEEDS_ATTENTION"} 1'],
    "PollsLate": ["dashboard_poll_lag_seconds 301"],
    "RequestsFail": [
        'dashboard_requests_total{endpoint="a", status="5xx"} 0+3x200',
        'dashboard_requests_total{endpoint="a", status="2xx"} 0+97x200',
    ],
    "PagesSlow": [
        'dashboard_request_seconds_bucket{endpoint="a", le="1"} 0+90x200',
        'dashboard_request_seconds_bucket{endpoint="a", le="5"} 0+100x200',
        'dashboard_request_seconds_bucket{endpoint="a", le="+Inf"} 0+100x200',
    ],
    "MemoryHigh": ['process_resident_memory_bytes{job="challan-dashboard", instance="a"} 4000000000'],
}


def rules() -> dict[str, dict[str, object]]:
    [group] = yaml.safe_load(ALERTS.read_text(encoding="utf-8"))["groups"]
    return {rule["alert"]: rule for rule in group["rules"]}


def expressions() -> Iterator[str]:
    yield from (str(rule["expr"]) for rule in rules().values())
    for panel in json.loads(GRAFANA.read_text(encoding="utf-8"))["panels"]:
        yield from (target["expr"] for target in panel["targets"])


def exposed() -> dict[str, set[str]]:
    """Return the labels of each metric, as another test holds them equal to what is exposed."""
    found: dict[str, set[str]] = {name: set(labels) for name, labels in OF_PROCESSES.items()}
    for name, labels, meaning in documents.table(DOCS / "metrics.md", "Metrics", "metric"):
        ends = ("_bucket", "_sum", "_count") if "a histogram" in meaning else ("",)
        found |= {name.strip("`") + end: set(documents.code(labels)) for end in ends}
    return found


@pytest.mark.parametrize("expression", sorted(set(expressions())))
def test_an_expression_names_metrics_and_labels_that_exist(expression: str) -> None:
    known = exposed()
    without_texts = re.sub(r'"[^"]*"', '""', expression)
    labels = {
        label for inside in re.findall(r"\{([^}]*)\}", without_texts) for label in re.findall(r"(\w+)\s*=", inside)
    }
    labels |= {name for inside in re.findall(r"\bby \(([^)]*)\)", without_texts) for name in re.findall(r"\w+", inside)}
    bare = re.sub(r"\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)", " ", without_texts)
    names = set(re.findall(r"\b[a-z_]+[a-z]\b", bare)) - _WORDS
    assert names
    assert names <= known.keys()
    assert labels <= set.union(*(known[name] for name in names)) | ADDED


def test_each_alert_leads_to_a_section_of_the_runbook() -> None:
    for name, rule in rules().items():
        file, _, anchor = rule["annotations"]["runbook"].partition("#")  # type: ignore[index]  # YAML.
        assert anchor in documents.anchors(ROOT / file), name


def test_the_reasons_and_states_that_alerts_name_exist() -> None:
    meaning = next(row[2] for row in documents.table(DOCS / "metrics.md", "Metrics", "metric") if "held_back" in row[0])
    states = {row[0].strip("`") for row in documents.table(DOCS / "glossary.md", "States of an intent", "state")}
    for expression in expressions():
        for reasons in re.findall(r'why=~?"([^"]*)"', expression):
            assert set(reasons.split("|")) <= set(documents.code(meaning)), expression
        for named in re.findall(r'state=~?"([^"]*)"', expression):
            assert set(named.split("|")) <= states, expression


def test_every_panel_has_a_place_of_its_own() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in json.loads(GRAFANA.read_text(encoding="utf-8"))["panels"]:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert not cells & taken, panel["title"]
        taken |= cells


def test_each_alert_fires_at_its_samples_and_no_other_does(tmp_path: Path) -> None:
    """Have Prometheus itself evaluate the rules."""
    assert FIRING.keys() == rules().keys()
    if not shutil.which("promtool"):
        pytest.skip("promtool is not installed on this machine")
    tests = []
    for name, samples in FIRING.items():
        series = [sample.rpartition(" ") for sample in samples]
        tests.append(
            {
                "interval": "1m",
                "input_series": [{"series": s, "values": v if "x" in v else f"{v}+0x200"} for s, _, v in series],
                "promql_expr_test": [
                    {
                        "expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
                        "eval_time": "100m",
                        "exp_samples": [{"labels": f'{{alertname="{name}"}}', "value": 1}],
                    }
                ],
            }
        )
    file = tmp_path / "tests.yml"
    file.write_text(json.dumps({"rule_files": [str(ALERTS)], "evaluation_interval": "1m", "tests": tests}))
    done = subprocess.run(["promtool", "test", "rules", str(file)], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
