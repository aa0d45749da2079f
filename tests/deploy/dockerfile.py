"""Read the Dockerfile, so that tests do what it says and nothing else."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from tests.support.documents import ROOT

#: Where the image holds the program and its data.
TREE, DATA = "/opt/dashboard", "/data"


@dataclass(frozen=True)
class Stage:
    """The instructions between one FROM and the next, each a keyword with the rest of its line."""

    base: str
    lines: tuple[tuple[str, str], ...]

    def all(self, keyword: str) -> list[str]:
        return [rest for each, rest in self.lines if each == keyword]

    def one(self, keyword: str) -> str:
        [rest] = self.all(keyword)
        return rest

    @property
    def copies(self) -> list[tuple[list[str], str]]:
        """Return what is copied from the checkout, and where to."""
        found = [rest.split() for rest in self.all("COPY") if not rest.startswith("--from=")]
        return [(parts[:-1], parts[-1]) for parts in found]

    @property
    def environ(self) -> dict[str, str]:
        return dict(part.split("=", 1) for rest in self.all("ENV") for part in shlex.split(rest))

    def runs(self, program: str) -> list[list[str]]:
        """Return the arguments of each command of this program that RUN lines have."""
        commands = [part.strip() for rest in self.all("RUN") for part in rest.split("&&")]
        return [shlex.split(each)[1:] for each in commands if shlex.split(each)[0] == program]

    @property
    def command(self) -> list[str]:
        return [*json.loads(self.one("ENTRYPOINT")), *json.loads(self.one("CMD"))]

    @property
    def health_check(self) -> list[str]:
        return list(json.loads(self.one("HEALTHCHECK").partition("CMD ")[2]))

    @property
    def user(self) -> tuple[int, int]:
        user, group = self.one("USER").split(":")
        return int(user), int(group)


def stages(file: Path = ROOT / "deploy" / "Dockerfile") -> list[Stage]:
    """Return the stages of a Dockerfile, in order."""
    text = re.sub(r"^#.*\n", "", file.read_text(encoding="utf-8"), flags=re.M).replace("\\\n", " ")
    found: list[tuple[str, list[tuple[str, str]]]] = []
    for line in text.splitlines():
        keyword, _, rest = line.strip().partition(" ")
        if keyword == "FROM":
            found.append((rest, []))
        elif keyword:
            found[-1][1].append((keyword, " ".join(rest.split())))
    return [Stage(base, tuple(lines)) for base, lines in found]
