"""Where every page of the product lies, for the links between the pages of the gallery."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote, urlencode

_ADDRESSES = {
    "home.index": "/",
    "home.panel": "/panel",
    "home.banner": "/banner",
    "home.recent_links": "/recent-links",
    "home.paid_news": "/paid-news",
    "home.mark_seen": "/paid/seen",
    "home.set_notices": "/paid/notices",
    "search.create": "/search",
    "service.index": "/service",
    "service.try_again": "/service/try-again",
    "search.wait": "/search/wait",
    "vehicles.known": "/vehicles",
    "vehicles.show": "/vehicles/{rc}",
    "vehicles.panel": "/vehicles/{rc}/panel",
    "vehicles.keep": "/vehicles/{rc}/keep",
    "vehicles.refresh": "/vehicles/{rc}/refresh",
    "vehicles.select": "/vehicles/{rc}/selection",
    "vehicles.review": "/vehicles/{rc}/review",
    "links.create": "/vehicles/{rc}/links",
    "finding.find": "/find",
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
    "exports.links": "/links/export",
    "sharing.show": "/links/{link_id}/share",
    "sharing.prepare": "/links/{link_id}/share",
    "sharing.nudge": "/links/{link_id}/nudge",
    "kept.save": "/kept",
    "kept.forget": "/kept/forget",
    "sharing.record": "/links/{link_id}/shared",
    "sharing.screen": "/links/{link_id}/qr",
    "sharing.code": "/links/{link_id}/qr.svg",
    "drivers.index": "/drivers",
    "drivers.add": "/drivers",
    "drivers.change": "/drivers/{driver_id}",
    "drivers.leave": "/drivers/{driver_id}/leave",
    "messages.index": "/messages",
    "messages.write": "/messages/{language}",
    "messages.original": "/messages/{language}/original",
    "follow_up.index": "/follow-up",
    "reconcile.index": "/reconcile",
    "reconcile.kind": "/reconcile/findings/{kind}",
    "reconcile.look": "/reconcile/look/{link_id}",
    "reconcile.see": "/reconcile/findings/{finding_id}/seen",
    "reconcile.statement": "/reconcile/statement",
    "follow_up.snooze": "/follow-up/{link_id}/snooze",
    "follow_up.write_note": "/follow-up/{link_id}/note",
    "own_fields.of_link": "/links/{link_id}/fields",
    "drivers.show": "/drivers/{driver_id}",
    "links.check": "/links/{link_id}/check",
    "links.reissue": "/links/{link_id}/reissue",
    "links.double_seen": "/links/{link_id}/double-seen",
    "requests.show": "/requests/{request_id}",
    "requests.panel": "/requests/{request_id}/panel",
    "requests.again": "/requests/{request_id}/again",
    "requests.check": "/requests/{request_id}/check",
    "requests.set_aside": "/requests/{request_id}/set-aside",
    "auth.sign_in": "/sign-in",
    "auth.sign_out": "/sign-out",
}


def url_for(endpoint: str, **values: Any) -> str:
    pattern = _ADDRESSES[endpoint]
    named = set(re.findall(r"{(\w+)}", pattern))
    path = pattern.format(**{name: quote(str(values[name])) for name in named})
    query = {name: value for name, value in values.items() if name not in named}
    return path + (f"?{urlencode(query)}" if query else "")
