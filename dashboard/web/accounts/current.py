"""Give the routes of accounts their services."""

from __future__ import annotations

from typing import cast

from flask import current_app

from dashboard.services.accounts.invitations import Invitations
from dashboard.services.accounts.people import People
from dashboard.services.accounts.second_factors import SecondFactors
from dashboard.services.accounts.single_sign_on import SingleSignOn


def current_people() -> People:
    return cast(People, current_app.extensions["people"])


def current_invitations() -> Invitations:
    return cast(Invitations, current_app.extensions["invitations"])


def current_second_factors() -> SecondFactors:
    return cast(SecondFactors, current_app.extensions["second_factors"])


def current_single_sign_on() -> SingleSignOn | None:
    """Return the service; None where no provider is set up."""
    return cast("SingleSignOn | None", current_app.extensions["single_sign_on"])
