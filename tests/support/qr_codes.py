"""Read QR codes in screenshots, without an image library."""

from __future__ import annotations

import struct
import zlib

import zxingcpp

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {2: 3, 6: 4}


def read_qr_code(png: bytes) -> str | None:
    """Return the text of the QR code in a PNG; None when no code can be read."""
    found = zxingcpp.read_barcode(green_channel(png))
    return found.text if found else None


def green_channel(png: bytes) -> memoryview:
    """Return the green channel of a PNG as Chromium writes it: 8 bits a channel, not interlaced."""
    assert png.startswith(_SIGNATURE)
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", png[16:29])
    assert (depth, interlaced) == (8, 0)
    step = _CHANNELS[kind]
    packed, at = b"", len(_SIGNATURE)
    while at < len(png):
        length = int.from_bytes(png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            packed += png[at + 8 : at + 8 + length]
        at += length + 12
    lines, stride = zlib.decompress(packed), width * step
    before, green = bytearray(stride), bytearray()
    for row in range(height):
        start = row * (stride + 1)
        line = bytearray(lines[start + 1 : start + 1 + stride])
        _restore(line, before, lines[start], step)
        green += line[1::step]
        before = line
    return memoryview(bytes(green)).cast("B", shape=[height, width])


def _restore(line: bytearray, above: bytearray, filtered: int, step: int) -> None:
    """Undo the filter of one line in place: none, left, above, their mean, or Paeth's predictor."""
    if filtered == 0 or (filtered == 2 and not any(above)):
        return
    for index in range(len(line)):
        left = line[index - step] if index >= step else 0
        up = above[index]
        if filtered == 1:
            guess = left
        elif filtered == 2:
            guess = up
        elif filtered == 3:
            guess = (left + up) // 2
        else:
            guess = _paeth(left, up, above[index - step] if index >= step else 0)
        line[index] = (line[index] + guess) & 0xFF


def _paeth(left: int, up: int, corner: int) -> int:
    estimate = left + up - corner
    return min((left, up, corner), key=lambda value: abs(estimate - value))
