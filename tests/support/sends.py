"""Send a link to somebody who is no driver."""

from __future__ import annotations

from dashboard.domain.sharing import Channel
from dashboard.services.sharing.share import Sharing


def sends_to_a_number(
    sharing: Sharing, link_id: str, person_id: int = 1, channel: Channel = Channel.WHATSAPP, language: str = "en"
) -> int:
    """Open a link's message for somebody who is no driver, and say that it was sent; return the id of the share."""
    share_id = sharing.record_share(link_id, channel, person_id, None, language)
    sharing.confirm_share(link_id, share_id, person_id)
    return share_id
