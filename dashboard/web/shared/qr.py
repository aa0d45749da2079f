"""QR codes as plain values that a template draws, and as a file."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import lru_cache

import segno

#: The quiet zone that readers want around a code, in modules.
_BORDER = 4


@dataclass(frozen=True, slots=True)
class QrCode:
    """A code to be drawn: the side of its view box, in modules, and the path of its dark ones."""

    side: int
    path: str


@lru_cache(maxsize=1024)
def draw(text: str) -> QrCode:
    """A code of a text, as a template draws it; the same one is asked for again and again."""
    code = segno.make(text, error="m", micro=False)
    rows = [
        f"M{start + _BORDER} {y + _BORDER}h{length}v1h-{length}z"
        for y, row in enumerate(code.matrix)
        for start, length in _runs(row)
    ]
    return QrCode(len(code.matrix) + 2 * _BORDER, "".join(rows))


def as_svg(text: str) -> bytes:
    """The same as a file that stands by itself."""
    file = io.BytesIO()
    segno.make(text, error="m", micro=False).save(file, kind="svg", scale=10, border=_BORDER, light="#fff")
    return file.getvalue()


def _runs(row: bytes | bytearray) -> list[tuple[int, int]]:
    """The dark stretches of a row: where each begins, and how long it is."""
    runs, start = [], None
    for x, dark in enumerate([*row, 0]):
        if dark and start is None:
            start = x
        elif not dark and start is not None:
            runs.append((start, x - start))
            start = None
    return runs
