"""Serve static files: read once, addressed by their content, compressed.

An address with the right `?v=` never changes its content and is cached for a year; any other is revalidated each time.
Two bundles spare the browser a round of requests: `app.css` and `app.js`, made of css/ and js/ without comments and
indentation. What the first page does not need is in neither: css/lazy/ and js/lazy/ make `lazy.css` and `lazy.js`,
which the documents that need them load at once and the others once they are shown.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import brotli
from flask import Flask, Response, abort, request

_TEXT = frozenset({".css", ".js", ".svg", ".txt", ".json", ".webmanifest"})
_YEAR = "public, max-age=31536000, immutable"
#: Not from the table of the machine, which may differ.
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


#: Files and folders of css/, in the order in which the bundle holds them.
_STYLE_ORDER = ("layers", "reset", "tokens", "base", "layout", "shared", "components", "states")


#: The folders of style sheets and scripts that the first bundles are without.
_LAZY_STYLES, _LAZY_SCRIPTS = "css/lazy", "js/lazy"

_STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True)
class Asset:
    content: bytes
    type: str
    version: str
    integrity: str
    is_text: bool

    @cached_property  # When it is first asked for: packing every file took a second of each start, and few are.
    def packed(self) -> dict[str, bytes]:
        """Return the content by the name of an encoding, the smallest first; only where it is smaller."""
        packed = _packed(self.content) if self.is_text else {}
        return {encoding: body for encoding, body in packed.items() if len(body) < len(self.content)}


class Assets:
    """Hold every static file in memory."""

    def __init__(self, folder: Path) -> None:
        files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
        self._assets = {name: _asset(name, path.read_bytes()) for name, path in files.items()}
        styles = [name for name in sorted(files, key=_place_of_style) if _is_part(name, "css")]
        lazy_styles = [name for name in styles if _is_part(name, _LAZY_STYLES)]
        scripts = [name for name in files if _is_part(name, "js")]
        lazy_scripts = [name for name in scripts if _is_part(name, _LAZY_SCRIPTS)]
        for bundle, names in {
            "app.css": [each for each in styles if each not in lazy_styles],
            "lazy.css": lazy_styles,
        }.items():
            self._assets[bundle] = _asset(bundle, b"\n".join(_bare_style(files[name]) for name in names))
        for bundle, names in {
            "app.js": [each for each in scripts if each not in lazy_scripts],
            "lazy.js": lazy_scripts,
        }.items():
            # Each file is a block, so that its declarations stay its own.
            blocks = (b"{\n%s\n}" % _bare_script(files[name]) for name in names)
            self._assets[bundle] = _asset(bundle, b"\n".join([b'"use strict";', *blocks]))

    def find(self, name: str) -> Asset | None:
        return self._assets.get(name)

    def __getitem__(self, name: str) -> Asset:
        return self._assets[name]


@cache  # Tests make many applications of the same files.
def _read(folder: Path) -> Assets:
    return Assets(folder)


def init_assets(app: Flask, folder: Path) -> None:
    assets = _read(folder)

    def asset(name: str) -> str:
        return f"/static/{name}?v={assets[name].version}"  # Not by `url_for`, because a page has twenty icons.

    def integrity(name: str) -> str:
        return assets[name].integrity

    def serve(path: str) -> Response:
        return _answer(assets.find(path) or abort(404))

    app.jinja_env.globals.update(asset=asset, integrity=integrity)
    app.add_url_rule("/static/<path:path>", endpoint="static", view_func=serve)


def _answer(asset: Asset) -> Response:
    accepted = (name for name in asset.packed if request.accept_encodings.quality(name) > 0)
    encoding = next(accepted, None)
    body = asset.content if encoding is None else asset.packed[encoding]
    response = Response(body, content_type=asset.type)
    response.set_etag(asset.version if encoding is None else f"{asset.version}-{encoding}")
    if encoding is not None:
        response.headers["Content-Encoding"] = encoding
    if asset.packed:
        response.vary.add("Accept-Encoding")
    response.headers["Cache-Control"] = _YEAR if request.args.get("v") == asset.version else "no-cache"
    response.make_conditional(request)
    return response


def _asset(name: str, content: bytes) -> Asset:
    suffix = Path(name).suffix
    return Asset(
        content=content,
        type=_TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream",
        version=hashlib.sha256(content).hexdigest()[:8],
        integrity="sha384-" + base64.b64encode(hashlib.sha384(content).digest()).decode(),
        is_text=suffix in _TEXT,
    )


def _packed(content: bytes) -> dict[str, bytes]:
    # The highest quality saves two percent more, and takes a tenth of a second once. Browsers ask for "br" over https
    # and on loopback.
    return {"br": brotli.compress(content, quality=11), "gzip": gzip.compress(content, 9, mtime=0)}


def _place_of_style(name: str) -> tuple[int, str]:
    """Sort the style sheets: the list of layers first, then by layer, and what every noun uses before the nouns."""
    top = name.removeprefix("css/").partition("/")[0].removesuffix(".css")
    return (_STYLE_ORDER.index(top) if top in _STYLE_ORDER else len(_STYLE_ORDER), name)


def _bare_style(path: Path) -> bytes:
    """Return a style sheet without comments, and without the spaces that no selector or value needs."""
    bare = _without_indentation(_STYLE_COMMENT.sub("", path.read_text(encoding="utf-8"))).decode()
    return (
        re.sub(r";?\s*([{};])\s*|(?<=[\w-]): (?=[^;{}]*[;}])", lambda found: found[1] or ":", bare)
        .replace(", ", ",")
        .replace(" > ", ">")
        .encode()
    )


def _bare_script(path: Path) -> bytes:
    """Return a script without comments, and the spaces around what no text holds; no text goes over two lines."""
    lines = path.read_text(encoding="utf-8").splitlines()
    bare = "\n".join(line for line in lines if not line.lstrip().startswith("//"))
    bare = re.sub(r"(?<=[;{},]) // [^\n'\"`]*$", "", bare, flags=re.MULTILINE)
    return _without_indentation(re.sub(r" (=>|===|!==|&&|\|\||\?\?) ", r"\1", bare))


def _without_indentation(text: str) -> bytes:
    return "\n".join(filter(None, map(str.strip, text.splitlines()))).encode()


def _is_part(name: str, folder: str) -> bool:
    return name.startswith(f"{folder}/") and name.endswith(f".{folder.partition('/')[0]}")
