"""The page of figures, as a program reads it."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample


class Figures:
    def __init__(self, text: str) -> None:
        self.text = text
        self.families = {family.name: family for family in text_string_to_metric_families(text)}
        assert len(self.families) == text.count("# TYPE "), "a family is told twice"
        self.samples = [sample for family in self.families.values() for sample in family.samples]

    def found(self, name: str, **labels: str) -> list[Sample]:
        """The samples of a name whose labels are these, and any others."""
        return [each for each in self.samples if each.name == name and labels.items() <= each.labels.items()]

    def value(self, name: str, **labels: str) -> float:
        """The sum over what is found; there must be something."""
        found = self.found(name, **labels)
        assert found, f"there is no {name} with {labels}"
        return sum(sample.value for sample in found)
