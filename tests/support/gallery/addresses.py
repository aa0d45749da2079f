"""List the addresses of the product's pages, for links between the pages of the gallery."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote, urlencode

_ADDRESSES = {
    "home.index": "/",
    "home.panel": "/panel",
    "home.banner": "/banner",
    "home.recent_links": "/recent-links",
    "home.paid_notifications": "/paid-news",
    "home.mark_seen": "/paid/seen",
    "accounts.switch_keys": "/keys",
    "accounts.choose_language": "/language",
    "home.set_notifications": "/paid/notices",
    "vehicles.search": "/search",
    "operations.index": "/service",
    "operations.try_again": "/service/try-again",
    "vehicles.search_progress": "/search/wait",
    "vehicles.known": "/vehicles",
    "vehicles.show": "/vehicles/{rc}",
    "vehicles.panel": "/vehicles/{rc}/panel",
    "vehicles.keep": "/vehicles/{rc}/keep",
    "vehicles.refresh": "/vehicles/{rc}/refresh",
    "vehicles.select": "/vehicles/{rc}/selection",
    "creation.review": "/vehicles/{rc}/review",
    "creation.create": "/vehicles/{rc}/links",
    "vehicles.find": "/find",
    "overview.index": "/overview",
    "links.index": "/links",
    "links.rows": "/links/rows",
    "links.save_view": "/links/views",
    "links.forget_view": "/links/views/{view_id}/forget",
    "links.show": "/links/{link_id}",
    "links.panel": "/links/{link_id}/panel",
    "links.payment": "/links/{link_id}/payment",
    "links.timeline": "/links/{link_id}/timeline",
    "links.copied": "/links/{link_id}/copied",
    "links.export": "/links/export",
    "sharing.show": "/links/{link_id}/share",
    "sharing.choose": "/links/{link_id}/share",
    "sharing.remind": "/links/{link_id}/nudge",
    "accounts.submit_saved_form": "/kept",
    "accounts.discard_saved_form": "/kept/forget",
    "sharing.record_share": "/links/{link_id}/shared",
    "sharing.undo_share": "/links/{link_id}/shared/{share_id}/undo",
    "sharing.qr_screen": "/links/{link_id}/qr",
    "sharing.qr_code": "/links/{link_id}/qr.svg",
    "sharing.drivers": "/drivers",
    "sharing.add_driver": "/drivers",
    "sharing.update_driver": "/drivers/{driver_id}",
    "sharing.mark_driver_left": "/drivers/{driver_id}/leave",
    "sharing.messages": "/messages",
    "sharing.save_message": "/messages/{language}",
    "sharing.reset_message": "/messages/{language}/original",
    "sharing.follow_up": "/follow-up",
    "reconciliation.index": "/reconcile",
    "reconciliation.verify": "/reconcile/verify",
    "reconciliation.kind": "/reconcile/findings/{kind}",
    "reconciliation.check_settlement": "/reconcile/look/{link_id}",
    "reconciliation.acknowledge": "/reconcile/findings/{discrepancy_id}/seen",
    "reconciliation.statement": "/reconcile/statement",
    "sharing.snooze": "/follow-up/{link_id}/snooze",
    "sharing.last_contact": "/follow-up/{link_id}/contact",
    "sharing.add_note": "/follow-up/{link_id}/note",
    "links.update_custom_fields": "/links/{link_id}/fields",
    "sharing.driver": "/drivers/{driver_id}",
    "links.check": "/links/{link_id}/check",
    "links.reissue": "/links/{link_id}/reissue",
    "links.release": "/links/{link_id}/release",
    "links.acknowledge_duplicates": "/links/{link_id}/double-seen",
    "creation.request_page": "/requests/{request_id}",
    "creation.request_panel": "/requests/{request_id}/panel",
    "creation.retry": "/requests/{request_id}/again",
    "creation.check": "/requests/{request_id}/check",
    "creation.release": "/requests/{request_id}/set-aside",
    "accounts.sign_in": "/sign-in",
    "accounts.sign_out": "/sign-out",
}


def url_for(endpoint: str, **values: Any) -> str:
    pattern = _ADDRESSES[endpoint]
    named = set(re.findall(r"{(\w+)}", pattern))
    path = pattern.format(**{name: quote(str(values[name])) for name in named})
    query = {name: value for name, value in values.items() if name not in named}
    return path + (f"?{urlencode(query)}" if query else "")
