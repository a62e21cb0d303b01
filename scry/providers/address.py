"""Which addresses a model may be asked at: https anywhere, plain http on this machine only."""

import ipaddress
from urllib.parse import urlsplit

from scry.errors import ConfigError


def check_url(name: str, url: str) -> bool:
    """Check a server's address and return whether it is on this machine.

    Raises:
        ConfigError: it may not be used, and why.
    """
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".")
        _ = parts.port
    except ValueError:
        raise ConfigError(f"'{name}': base_url is no URL.") from None
    if parts.scheme not in ("http", "https") or not host:
        raise ConfigError(f"'{name}': base_url must begin with https:// and name a server.")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ConfigError(f"'{name}': base_url may hold no user, password, query or fragment.")
    own_machine = host == "localhost" or host.endswith(".localhost")
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        pass
    else:
        own_machine = address.is_loopback
        if address.is_link_local:
            raise ConfigError(f"'{name}': base_url is a link-local address; that is no model.")
    if parts.scheme == "http" and not own_machine:
        raise ConfigError(
            f"'{name}': base_url is plain http to another machine. Use https, so that the text and "
            "the key cannot be read on the way."
        )
    return own_machine
