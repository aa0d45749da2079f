"""Call the service: its client, configuration and secret."""

from dashboard.upstream.call_log import CallRecord
from dashboard.upstream.client import OnRetry, ServiceClient
from dashboard.upstream.config import ServiceConfig
from dashboard.upstream.secret import SecretSource, SecretUnavailable

__all__ = ["CallRecord", "OnRetry", "SecretSource", "SecretUnavailable", "ServiceClient", "ServiceConfig"]
