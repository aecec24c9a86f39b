"""The servers that an arena uses, with the secrets by which they know it."""

from __future__ import annotations

from accounts.mail import Mail
from accounts.secrets import secret
from accounts.settings import AccountSettings
from accounts.storage.account_store import Paths


def client_secrets(paths: Paths, settings: AccountSettings) -> dict[str, str]:
    """The secrets by which those who sign people in know the arena; raises `OpenSecret`."""
    found = {}
    if settings.oidc is not None:
        file = paths.secret_file("oidc-secret")
        found["oidc"] = secret("ARENA_OIDC_SECRET", file, "the client secret for `oidc:`")
    if settings.github is not None:
        file = paths.secret_file("github-secret")
        found["github"] = secret("ARENA_GITHUB_SECRET", file, "the client secret for `github:`")
    return found


def mail_server(paths: Paths, settings: AccountSettings) -> Mail | None:
    """The server that sends letters; None if the settings name none. Raises `OpenSecret`."""
    if settings.mail is None:
        return None
    password = ""
    if settings.mail.user:
        file = paths.secret_file("mail-password")
        password = secret("ARENA_MAIL_PASSWORD", file, "the password of the mail server's user")
    return Mail(settings.mail, password)
