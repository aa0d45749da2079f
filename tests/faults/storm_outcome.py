"""Count the events of a storm."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tests.support.oracle import Kind


@dataclass(frozen=True)
class Outcome:
    counts: Counter[str]
    violations: list[str]

    @classmethod
    def none(cls) -> Outcome:
        return cls(Counter(), [])

    def __add__(self, other: Outcome) -> Outcome:
        return Outcome(self.counts + other.counts, self.violations + other.violations)

    def part(self, prefix: str) -> dict[str, int]:
        """Return the counts whose names begin with a prefix, highest first."""
        found = {name.removeprefix(prefix): count for name, count in self.counts.items() if name.startswith(prefix)}
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))

    def sum_of(self, prefix: str) -> int:
        return sum(self.part(prefix).values())

    def in_short(self) -> str:
        """Return a summary in one line."""
        parts = [f"{self.counts[name]} {name}" for name in ("clicks", "forms", "links")]
        parts += [f"{self.sum_of(f'{name}: ')} {name}" for name in ("killed", "stopped")]
        parts += [f"{self.sum_of('fault: ')} faults", f"{self.counts['seconds of time moved'] // 60} min moved on"]
        return f"{', '.join(parts)} in {self.counts['seconds']} s; {len(self.violations)} violations"

    def figures(self) -> dict[str, int]:
        """Return the figures for the report of `make faults`."""
        found = self.part("found: ")
        known = {"duplicates": Kind.DUPLICATE, "lost": Kind.LOST, "false_words": Kind.FALSE_WORD, "stuck": Kind.STUCK}
        figures = {name: found.pop(kind, 0) for name, kind in known.items()}
        return figures | {
            "others": sum(found.values()),
            "kills": self.sum_of("killed: "),
            "posts": self.counts["posts"],
            "links": self.counts["links"],
            "clicks": self.counts["clicks"],
            "processes_stopped": self.sum_of("stopped: "),
            "clocks_stepped": self.sum_of("clock stepped: "),
            "lists_and_exports_read": self.counts["lists read"],
            "faults_of_the_service": self.sum_of("fault: "),
            "pages_read": self.counts["pages read"],
        }

    def table(self, database: str, seed: int, rounds: int, seconds: float) -> str:
        """Return all figures as a Markdown table."""
        found = self.part("found: ")
        rows = {
            "database": database,
            "seed": f"{seed}, {rounds} rounds in {seconds:.0f} s",
            "clicks": f"{self.counts['clicks']} on {self.counts['forms']} forms, "
            f"{self.counts['clicks without an answer']} without an answer",
            "at the same moment": f"{self.counts['at the same moment']} by two people, {self.counts['resent']} resent",
            "requests": _listed(self.part("request: ")),
            "links": f"{self.counts['links']}, {self.counts['links made elsewhere']} of them made elsewhere",
            "links ended": _listed(self.part("ended: ")),
            "processes killed": _listed(self.part("killed: ")),
            "processes stopped": _listed(self.part("stopped: ")),
            "clocks stepped": _listed(self.part("clock stepped: ")),
            "faults ordered": _listed(self.part("fault: ")),
            "late requests": f"{self.counts['late requests committed']} committed",
            "time moved on": f"{self.counts['seconds of time moved'] // 60} min, and a night after each round",
            "pages read": str(self.counts["pages judged"]),
            "found": ", ".join(f"{found.get(kind, 0)} {kind}" for kind in Kind),
        }
        return "\n".join(["| | |", "| --- | --- |", *(f"| {name} | {value} |" for name, value in rows.items())])


def _listed(counts: dict[str, int]) -> str:
    return f"{sum(counts.values())}: " + ", ".join(f"{count} {name}" for name, count in counts.items())
