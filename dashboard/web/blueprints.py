"""List the blueprint of each noun. Importing the route modules registers their routes on it."""

from __future__ import annotations

from flask import Blueprint

from dashboard.web.accounts import (
    account_routes,
    audit_routes,
    invitation_routes,
    people_routes,
    saved_form_routes,
    second_step_routes,
    single_sign_on_routes,
)
from dashboard.web.accounts import routes as accounts
from dashboard.web.creation import request_routes
from dashboard.web.creation import routes as creation
from dashboard.web.fleet import (
    choice_routes,
    input_routes,
    plan_routes,
    review_routes,
    run_routes,
    schedule_routes,
    share_routes,
)
from dashboard.web.fleet import list_routes as fleet_list_routes
from dashboard.web.fleet import routes as fleet
from dashboard.web.home import routes as home
from dashboard.web.links import chosen_routes, export_routes, list_routes
from dashboard.web.links import routes as links
from dashboard.web.operations import health_routes
from dashboard.web.operations import routes as operations
from dashboard.web.overview import routes as overview
from dashboard.web.reconciliation import routes as reconciliation
from dashboard.web.reconciliation import statement_routes
from dashboard.web.sharing import (
    driver_choice_routes,
    driver_file_routes,
    driver_routes,
    follow_up_routes,
    message_routes,
    question_routes,
    receipt_routes,
    recipient_routes,
)
from dashboard.web.sharing import routes as sharing
from dashboard.web.vehicles import find_routes, search_routes
from dashboard.web.vehicles import routes as vehicles

_ROUTE_MODULES = (
    *(
        accounts,
        single_sign_on_routes,
        second_step_routes,
        saved_form_routes,
        account_routes,
        people_routes,
        invitation_routes,
        audit_routes,
        home,
    ),
    *(vehicles, search_routes, find_routes),
    *(creation, request_routes, links, list_routes, chosen_routes, export_routes),
    *(sharing, driver_routes, driver_file_routes, message_routes, follow_up_routes, receipt_routes, question_routes),
    *(driver_choice_routes, recipient_routes),
    *(fleet, input_routes, fleet_list_routes, schedule_routes),
    *(run_routes, review_routes, plan_routes, share_routes, choice_routes),
    *(reconciliation, statement_routes, overview, operations, health_routes),
)

#: One for each noun, named like its folder.
BLUEPRINTS: tuple[Blueprint, ...] = tuple(dict.fromkeys(module.bp for module in _ROUTE_MODULES))
