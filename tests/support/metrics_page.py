"""Parse the page of metrics as Prometheus does."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample


class MetricsPage:
    def __init__(self, text: str) -> None:
        self.text = text
        self.families = {family.name: family for family in text_string_to_metric_families(text)}
        assert len(self.families) == text.count("# TYPE "), "a family appears twice"
        self.samples = [sample for family in self.families.values() for sample in family.samples]

    def found(self, name: str, **labels: str) -> list[Sample]:
        """Return the samples of a name that have at least these labels."""
        return [each for each in self.samples if each.name == name and labels.items() <= each.labels.items()]

    def value(self, name: str, **labels: str) -> float:
        """Return the sum of these samples, of which there must be one at least."""
        found = self.found(name, **labels)
        assert found, f"there is no {name} with {labels}"
        return sum(sample.value for sample in found)
