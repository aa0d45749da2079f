"""Choose the language of each answer, and translate its sentences: docs/architecture.md, Languages.

Flask-Babel chooses the locale once a request. Sentences are looked up here and not by its functions, which take ten
times as long: a page has up to two thousand of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, SupportsIndex, cast

from babel import Locale
from babel.support import NullTranslations
from flask import Flask, Response, current_app, g, has_request_context, request
from flask_babel import Babel, force_locale, get_locale
from flask_login import current_user
from markupsafe import Markup, escape
from sqlalchemy.exc import SQLAlchemyError

from dashboard.translations import SOURCE, languages, script_words, translations

_ENGLISH = translations(SOURCE)
_YEAR = 365 * 24 * 3600


def init_languages(app: Flask) -> None:
    """Give templates `_`, `ngettext` and `{% trans %}`; their parameters are escaped, the sentences are markup."""
    Babel(app, locale_selector=_chosen, configure_jinja=False)
    environment: Any = app.jinja_env
    environment.policies["ext.i18n.trimmed"] = True
    environment.add_extension("jinja2.ext.i18n")
    environment.newstyle_gettext = True
    environment.globals.update(
        _=_in_template,
        gettext=_in_template,
        ngettext=_counted_in_template,
        pgettext=_in_template_about,
        language=language,
        languages=languages,
        present_address=_present_address,
        script_words=_script_words,
    )


def _chosen() -> str:
    """Return what the signed-in person has chosen, or else what was chosen in this browser, or what it prefers."""
    try:
        own = current_user.language if current_user.is_authenticated else None
    except SQLAlchemyError:
        own = None  # The words of the error page must not need the database that failed.
    for code in (own, request.cookies.get(_cookie())):
        if code in languages():
            return cast(str, code)
    return request.accept_languages.best_match(languages(), SOURCE)


def remember(response: Response, code: str) -> None:
    """Let the browser keep a language, for its pages before somebody signs in."""
    secure = current_app.config["SESSION_COOKIE_SECURE"]
    response.set_cookie(_cookie(), code, max_age=_YEAR, secure=secure, httponly=True, samesite="Lax")


def _present_address() -> str:
    """Return where the form of languages comes back to."""
    return request.full_path.removesuffix("?")


def _cookie() -> str:
    return f"{current_app.config['SESSION_COOKIE_NAME']}-language"


def language() -> str:
    """Return the code of the language of this answer: "en" or "hi"."""
    # Asked many hundred times a page: one look where the answer is known already.
    try:
        return cast(str, g.language)
    except (AttributeError, RuntimeError):
        pass
    if not has_request_context():
        return SOURCE
    g.language = str(get_locale())
    return cast(str, g.language)


def language_name(code: str) -> str:
    """Return the name of any language in the language of this answer: "Marathi" or "मराठी"."""
    return Locale.parse(code).get_language_name(language()) or code


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Answer in this language, whatever the person has chosen."""
    before = {name: g.pop(name) for name in ("language", "sentences") if name in g}
    with force_locale(code):
        yield
    for name in ("language", "sentences"):
        g.pop(name, None)
    for name, found in before.items():
        setattr(g, name, found)


def _sentences() -> NullTranslations:
    try:
        return cast(NullTranslations, g.sentences)
    except (AttributeError, RuntimeError):
        pass
    if not has_request_context():
        return _ENGLISH
    g.sentences = translations(language())
    return cast(NullTranslations, g.sentences)


def gettext(sentence: str, **parameters: object) -> str:
    """Translate a sentence, such as "Links of %(plate)s"."""
    words = _sentences().gettext(sentence)
    return words % parameters if parameters else words


def ngettext(one: str, many: str, num: int, **parameters: object) -> str:
    """Translate a sentence about a number, which is `%(num)s` in it."""
    return _sentences().ngettext(one, many, num) % {"num": num, **parameters}


class _Words(str):
    """A sentence that is translated wherever it is shown, formatted or added to.

    It is a `str` in English for whatever else is done with it, so that a `join` shows English and breaks no page.
    """

    sentence: str
    parameters: dict[str, object]
    context: str = ""

    def __new__(cls, sentence: str, parameters: dict[str, object]) -> _Words:
        words = super().__new__(cls, sentence % parameters if parameters else sentence)
        words.sentence, words.parameters = sentence, parameters
        return words

    def __str__(self) -> str:
        if self.context:
            return str(_sentences().pgettext(self.context, self.sentence))
        return gettext(self.sentence, **self.parameters)

    def __html__(self) -> str:
        return escape(str(self))

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def format(self, *args: object, **values: object) -> str:
        return str(self).format(*args, **values)

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        return str(self)[key]

    def capitalize(self) -> str:
        return str(self).capitalize()

    def __add__(self, other: str) -> str:
        return str(self) + other

    def __radd__(self, other: str) -> str:
        return other + str(self)


def lazy(sentence: str, **parameters: object) -> str:
    """Return a sentence that is translated when it is shown, for a constant of a module."""
    return _Words(sentence, parameters)


def lazy_about(context: str, sentence: str) -> str:
    """Return such a constant for a word that other languages have several words for, as the state of a person."""
    words = _Words(sentence, {})
    words.context = context
    return words


def in_all_languages(words: str) -> set[str]:
    """Return a constant in each language, to know it again whoever wrote it."""
    assert isinstance(words, _Words)
    return {translations(code).gettext(words.sentence) for code in languages()}


def _in_template(sentence: str, **parameters: object) -> Markup:
    words = _sentences().gettext(sentence)
    # As {% trans %} writes it, "%%" is a percent sign.
    return Markup(words) % parameters if parameters else Markup(words.replace("%%", "%"))  # noqa: S704 - our own.


def _in_template_about(context: str, sentence: str) -> Markup:
    return Markup(_sentences().pgettext(context, sentence))  # noqa: S704 - our own sentences.


def _counted_in_template(one: str, many: str, num: int, **parameters: object) -> Markup:
    return Markup(_sentences().ngettext(one, many, num)) % {"num": num, **parameters}  # noqa: S704 - our own.


def _script_words() -> str:
    words = script_words(language())
    return json.dumps(words, ensure_ascii=False, separators=(",", ":")) if words else ""
