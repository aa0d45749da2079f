"""Sign people in and out, and load who is signed in."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    g,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_login import LoginManager, current_user, login_user
from sqlalchemy.exc import SQLAlchemyError

from dashboard.domain.roles import Role
from dashboard.services.accounts.hashing_places import Busy
from dashboard.services.accounts.people import CodeNeeded, Session, TooManyTries, WrongPassword
from dashboard.store.refusals import refusal_of
from dashboard.translations import languages
from dashboard.web.accounts import devices, refusals, second_step, texts
from dashboard.web.accounts.current import current_people, current_single_sign_on
from dashboard.web.accounts.forms import SignInForm
from dashboard.web.shared import htmx, saved_forms
from dashboard.web.shared.access import POLLS, least_role
from dashboard.web.shared.current import settings
from dashboard.web.shared.error_texts import explain_refusal, store_retry
from dashboard.web.shared.errors import SIGN_IN_NOTICE
from dashboard.web.shared.languages import remember
from dashboard.web.shared.redirects import own_page
from dashboard.web.shared.request_id import request_origin
from dashboard.web.shared.security import comes_from_us, has_valid_token

bp = Blueprint("accounts", __name__)

_TOKEN = "_user_id"  # Where Flask-Login keeps it in the session. # noqa: S105


class SignedInPerson:
    """The signed-in person, for Flask-Login (`current_user`) and for templates."""

    is_authenticated = True
    is_active = True
    is_anonymous = False

    def __init__(self, session: Session) -> None:
        self.session = session

    def get_id(self) -> str:
        """Return the token of the session, not the id of the person: it changes at each sign-in and can be revoked."""
        return self.session.token

    @property
    def id(self) -> int:
        return self.session.person.id

    @property
    def name(self) -> str:
        return self.session.person.name

    @property
    def email(self) -> str:
        return self.session.person.email

    @property
    def role(self) -> Role:
        return self.session.person.role

    @property
    def uses_keys(self) -> bool:
        """Tell whether the keys of the pages work for this person."""
        return self.session.person.keys_off_at is None

    @property
    def language(self) -> str | None:
        """Return the code of the language that this person has chosen, if any."""
        return self.session.person.language

    def may_open(self, endpoint: str) -> bool:
        """Tell whether this person's role reaches an endpoint; templates ask before they show a link to it."""
        return self.role.may(least_role(endpoint))


class _Sessions(LoginManager):  # type: ignore[misc]  # Flask-Login has no types.
    """Load sessions from the store alone, without the cookie of Flask-Login that signs people in for a year."""

    def _update_remember_cookie(self, response: Any) -> Any:
        # Reading that cookie would touch the session too, and mark every static file as depending on it.
        return response

    def _load_user_from_remember_cookie(self, _cookie: str) -> None:
        return None


def init_auth(app: Flask) -> None:
    manager = _Sessions(app)
    # Its own protection compares the user agent and marks the session; our sessions are rows, which can be revoked.
    manager.session_protection = None

    manager.unauthorized_handler(_ask_to_sign_in)

    @manager.user_loader  # type: ignore[untyped-decorator]  # Flask-Login has no types.
    def load(token: str) -> SignedInPerson | None:
        found = current_people().find_session(token, is_use=request.endpoint not in POLLS)
        return SignedInPerson(found) if found else None


def _ask_to_sign_in() -> ResponseReturnValue:
    """Answer a request that needs a person and has none; the fields of a form of ours are saved."""
    token = session.get(_TOKEN)
    is_our_form = request.method == "POST" and (comes_from_us() or has_valid_token())
    if is_our_form and saved_forms.save(current_people().owner_of(token) if token else None):
        session[SIGN_IN_NOTICE] = str(texts.SESSION_ENDED_FORM_SAVED)
    elif token:
        session[SIGN_IN_NOTICE] = str(texts.SESSION_ENDED)
    address = url_for("accounts.sign_in", next=_page_of_request())
    if htmx.is_htmx():
        return htmx.redirect_page(address, 401)
    return redirect(address, 302 if request.method in ("GET", "HEAD") else 303)


def _page_of_request() -> str | None:
    """Return the page to come back to: for a region or a form that was sent, the page that shows it."""
    stays = htmx.wants_region() or (htmx.is_htmx() and request.method != "GET")
    if stays and (page := own_page(htmx.current_path())):
        return page
    path = request.full_path.removesuffix("?")
    if request.method in ("GET", "HEAD") and (page := own_page(path)):
        return page
    if request.endpoint in POLLS:
        return own_page(request.path.rpartition("/")[0])
    came_from = urlsplit(request.referrer or "")
    query = f"?{came_from.query}" if came_from.query else ""
    return own_page(request.path) or (own_page(came_from.path + query) if came_from.netloc == request.host else None)


@bp.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> ResponseReturnValue:
    form = SignInForm()
    if request.method != "POST":
        if current_user.is_authenticated:
            return redirect(own_page(request.args.get("next")) or url_for("home.index"), 303)
        form.next.data = own_page(request.args.get("next"))
        notice = session.get(SIGN_IN_NOTICE)
        return _page(form, notice, meaning="good" if notice == texts.PASSWORD_SET else "waiting")
    form.next.data = own_page(form.next.data)
    if not settings().local_sign_in:
        return _page(form, texts.NO_PASSWORDS_TAKEN, 403, meaning="wrong")
    if not form.validate():
        return _page(form, status=422)
    try:
        token = current_people().sign_in(
            form.email.data, form.password.data, request_origin(), devices.device_of_request()
        )
    except CodeNeeded as needed:
        return second_step.begin(needed.token, form.next.data)
    except WrongPassword:
        return _page(form, texts.WRONG_PASSWORD, 422, meaning="wrong", is_wrong=True)
    except (TooManyTries, Busy) as refused:
        return refusals.answer(refused, lambda words: _page(form, words)[0])
    except SQLAlchemyError as error:
        if (refusal := refusal_of(error)) is None:
            raise
        response = make_response(_page(form, ". ".join(explain_refusal(refusal, signs_in=True)), 503))
        response.headers["Retry-After"] = str(store_retry(refusal))
        return response
    return redirect_into(token, form.next.data)


def redirect_into(token: str, next_page: str | None) -> Response:
    """Begin a session, whatever session there was before, and go where the person was going."""
    response: Response = make_response(redirect(enter(token, next_page), 303))
    devices.remember(response, current_user.id)
    return response


def enter(token: str, next_page: str | None) -> str:
    """Begin the session with nothing in it from before; return the address to go to."""
    if current_user.is_authenticated:  # Whoever signs in over a session leaves it, and nobody else may go on in it.
        current_people().sign_out(current_user.session, request_origin())
    key = saved_forms.key_to_resume()
    session.clear()
    go_on_as(token)
    return saved_forms.resume(key) or next_page or url_for("home.index")


def go_on_as(token: str) -> None:
    """Let this browser go on in another session of the store."""
    # The CSRF token of this request belongs to the session that ends.
    g.pop("csrf_token", None)
    begun = current_people().find_session(token, is_use=False)
    assert begun is not None
    login_user(SignedInPerson(begun))


@bp.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    current_people().sign_out(current_user.session, request_origin())
    session.clear()
    response = make_response(redirect(url_for("accounts.sign_in"), 303))
    response.headers["Clear-Site-Data"] = '"storage"'
    return response


@bp.get("/keys")
@htmx.region_of("home.index")
def keys_list() -> ResponseReturnValue:
    """Show the list of the keys in its dialog; scripts alone ask for it."""
    return htmx.region("accounts/_keys_list.html")


@bp.post("/keys")
def switch_keys() -> ResponseReturnValue:
    """Switch the keys of the pages on or off for this person."""
    is_on = request.form.get("wanted") == "on"
    current_people().switch_keys(current_user.session.person, on=is_on)
    if htmx.wants_region():
        is_shown = htmx.is_on(url_for("accounts.account"))
        return htmx.region("accounts/_keys_choices.html", keys_on=is_on, on_account=is_shown)
    return _back()


@bp.post("/language")
def choose_language() -> ResponseReturnValue:
    """Show every page in another language to this person, this page first; before they sign in, to this browser."""
    code = request.form.get("language", "")
    if code not in languages():
        abort(400)
    if current_user.is_authenticated and code != current_user.language:
        current_people().choose_language(current_user.session.person, code, request_origin())
    # An invitation tells no address that its form came from.
    page = own_page(request.form.get("page"), signed_out=True)
    response = make_response(redirect(page, 303) if page else _back())
    remember(response, code)
    return response


def _back() -> ResponseReturnValue:
    """Return to the page whose form was sent, with its filters."""
    came_from = urlsplit(request.referrer or "")
    query = f"?{came_from.query}" if came_from.query else ""
    return redirect(own_page(came_from.path + query) or url_for("home.index"), 303)


def _page(
    form: SignInForm, notice: str | None = None, status: int = 200, meaning: str = "waiting", *, is_wrong: bool = False
) -> tuple[str, int]:
    """Render the sign-in form; `is_wrong` marks both fields, so that it does not reveal which accounts exist."""
    return render_template(
        "accounts/sign_in.html",
        form=form,
        notice=notice,
        meaning=meaning,
        is_wrong=is_wrong,
        takes_passwords=settings().local_sign_in,
        has_provider=current_single_sign_on() is not None,
    ), status
