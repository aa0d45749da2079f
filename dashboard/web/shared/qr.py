"""Make QR codes, as values that a template draws and as a file."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import segno
from PIL import Image, ImageDraw, ImageFont

#: The quiet zone that scanners need around a code, in modules.
_BORDER = 4
#: The pattern that breaks up large areas, of the eight of the standard.
_MASK = 3
#: The side of a module of a PNG, the heights of the lines under it, and the gap below each, in pixels.
_PIXELS, _SIZES, _GAP = 12, (44, 36, 28), 16


@dataclass(frozen=True, slots=True)
class QrCode:
    """Hold a QR code: the side of its view box, in modules, and the SVG path of the dark modules."""

    side: int
    path: str


@lru_cache(maxsize=1024)
def draw(text: str) -> QrCode:
    """Return the QR code of a text; cached, because a page is drawn many times with the same one."""
    code = _make(text)
    rows = [
        f"M{start + _BORDER} {y + _BORDER}h{length}v1h-{length}z"
        for y, row in enumerate(code.matrix)
        for start, length in _runs(row)
    ]
    return QrCode(len(code.matrix) + 2 * _BORDER, "".join(rows))


def as_png(text: str, lines: Sequence[str]) -> bytes:
    """Return the QR code of a text as a PNG file, with lines of words under it, the first one largest.

    The font comes with Pillow and has no rupee sign: whoever gives the lines writes them in ASCII.
    """
    rows = _make(text).matrix
    code = (len(rows) + 2 * _BORDER) * _PIXELS
    image = Image.new("L", (code, code + sum(size + _GAP for size in _SIZES[: len(lines)])), 255)
    draw = ImageDraw.Draw(image)
    for y, row in enumerate(rows):
        for start, length in _runs(row):
            left, top = (start + _BORDER) * _PIXELS, (y + _BORDER) * _PIXELS
            draw.rectangle((left, top, left + length * _PIXELS - 1, top + _PIXELS - 1), 0)
    top = code - _GAP
    for line, size in zip(lines, _SIZES, strict=False):
        draw.text((code // 2, top), line, 0, font=_font(size), anchor="ma")
        top += size + _GAP
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


@lru_cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)  # Pillow is built with FreeType everywhere that it is published.
    return font


def _make(text: str) -> segno.QRCode:
    # Every reader knows all masks, and a payment URL is random enough for any. To look for the best one would take most
    # of the time of a page that shows a code.
    return segno.make(text, error="m", micro=False, mask=_MASK)


def _runs(row: bytes | bytearray) -> list[tuple[int, int]]:
    """Return where each run of dark modules in a row begins, and its length."""
    runs, start = [], None
    for x, dark in enumerate([*row, 0]):
        if dark and start is None:
            start = x
        elif not dark and start is not None:
            runs.append((start, x - start))
            start = None
    return runs
