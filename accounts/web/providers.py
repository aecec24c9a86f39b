"""Others who sign people in: OpenID Connect and GitHub. Authlib is imported where one is named.

The authorisation code travels with PKCE and a state that only this browser's session has. An ID
token counts if the provider has signed it with a private key for this arena, for this very request,
and not too long ago; an address counts if the provider has verified it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import Flask, session
from werkzeug import Response

from card_arena.accounts.settings import AccountSettings, Elsewhere, GitHubSettings, OpenIdSettings
from card_arena.common.errors import UserError

if TYPE_CHECKING:
    from authlib.integrations.flask_client import OAuth


PATIENCE = 10.0
"""Seconds that a provider has for each answer."""

LEEWAY = 60
"""Seconds by which a provider's clock may differ."""

SIGNATURES = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA", "Ed25519"),
)
"""How an ID token may be signed, whatever its header or the provider's own document says.

All need the private key of a pair: with a secret in place of one, anybody who knows the secret
could sign, and `none` is no signature.
"""

_STATE = "_state_"
"""How Authlib begins the keys of what a session remembers until somebody comes back."""


class NotSignedInElsewhere(UserError):
    """A provider did not sign somebody in; the message says so without details of ours."""


@dataclass(frozen=True, slots=True)
class Known:
    """Whom a provider knows: its own name for them, and an address that it has verified."""

    issuer: str
    subject: str
    email: str
    name: str


class Provider(ABC):
    """Somebody else who signs people in; `title` is its name for people."""

    title: str

    def __init__(self, settings: Elsewhere, client: Any) -> None:
        self.settings = settings
        self._client = client

    def leave(self, back: str) -> Response:
        """Send the browser there, and have it come `back`; raises `NotSignedInElsewhere`."""
        for key in [key for key in session if key.startswith(_STATE)]:
            session.pop(key)  # an attempt that was given up; cookies have little room
        try:
            response = self._client.authorize_redirect(back)
        except Exception as error:
            raise self._failed(error) from error
        assert isinstance(response, Response)
        return response

    def known(self) -> Known:
        """Who has come back with this request; raises `NotSignedInElsewhere`."""
        try:
            return self._known()
        except NotSignedInElsewhere:
            raise
        except Exception as error:  # whatever somebody else's server or a forged request sends
            raise self._failed(error) from error

    @abstractmethod
    def _known(self) -> Known:
        """Who has come back; raises anything if that can't be believed."""

    def _failed(self, error: Exception) -> NotSignedInElsewhere:
        kind = type(error).__name__
        return NotSignedInElsewhere(f"{self.title} has not signed you in ({kind}): try it again")

    def _unverified(self) -> NotSignedInElsewhere:
        return NotSignedInElsewhere(
            f"{self.title} does not vouch for your e-mail address: verify it there first"
        )


class OpenId(Provider):
    """An OpenID Connect provider."""

    settings: OpenIdSettings

    def __init__(self, settings: OpenIdSettings, client: Any) -> None:
        super().__init__(settings, client)
        self.title = settings.name

    def _known(self) -> Known:
        settings = self.settings
        # Authlib allows what this document says; it is fetched once, and then kept as it is
        document = self._client.load_server_metadata()
        document["id_token_signing_alg_values_supported"] = [*SIGNATURES]
        # Authlib compares audience and issuer only with what it is given here
        claims = {
            "iss": {"essential": True, "value": settings.issuer},
            "aud": {"essential": True, "value": settings.client_id},
        }
        token = self._client.authorize_access_token(claims_options=claims, leeway=LEEWAY)
        about: Mapping[str, Any] = token["userinfo"]
        subject, email = about["sub"], about.get("email")
        if not subject:
            raise ValueError("the token is about nobody")
        if not email and "userinfo_endpoint" in document:
            about = self._client.userinfo(token=token)
            if about["sub"] != subject:  # OpenID Connect Core 1.0, 5.3.2
                raise ValueError("the user info is about somebody else")
            email = about.get("email")
        if not isinstance(email, str) or about.get("email_verified") is not True:
            raise self._unverified()
        return Known(settings.issuer, str(subject), email, str(about.get("name") or ""))


class GitHub(Provider):
    """GitHub, which speaks OAuth 2 and says the rest by its REST API."""

    settings: GitHubSettings
    title = "GitHub"

    def _known(self) -> Known:
        token = self._client.authorize_access_token()
        about = self._asked("user", token)
        primary = [each for each in self._asked("user/emails", token) if each.get("primary")]
        if not primary or primary[0].get("verified") is not True:
            raise self._unverified()
        name = str(about.get("name") or about["login"])
        return Known(self.settings.server, str(int(about["id"])), primary[0]["email"], name)

    def _asked(self, what: str, token: object) -> Any:
        answer = self._client.get(f"{self.settings.api}/{what}", token=token)
        answer.raise_for_status()
        return answer.json()


def providers(
    app: Flask, settings: AccountSettings, secrets: Mapping[str, str]
) -> dict[str, Provider]:
    """The providers that the settings name; `secrets` are those of the arena as their client."""
    found: dict[str, Provider] = {}
    if settings.oidc is None and settings.github is None:
        return found
    from authlib.integrations.flask_client import OAuth

    oauth = OAuth(app)
    if settings.oidc is not None:
        found["oidc"] = OpenId(settings.oidc, _openid(oauth, settings.oidc, secrets["oidc"]))
    if settings.github is not None:
        found["github"] = GitHub(
            settings.github, _github(oauth, settings.github, secrets["github"])
        )
    return found


def _openid(oauth: OAuth, settings: OpenIdSettings, secret: str) -> Any:
    return oauth.register(
        "oidc",
        client_id=settings.client_id,
        client_secret=secret,
        server_metadata_url=settings.discovery,
        client_kwargs=_kwargs("openid email profile"),
    )


def _github(oauth: OAuth, settings: GitHubSettings, secret: str) -> Any:
    return oauth.register(
        "github",
        client_id=settings.client_id,
        client_secret=secret,
        authorize_url=f"{settings.server}/login/oauth/authorize",
        access_token_url=f"{settings.server}/login/oauth/access_token",
        client_kwargs=_kwargs("read:user user:email"),
    )


def _kwargs(scope: str) -> dict[str, object]:
    return {"scope": scope, "code_challenge_method": "S256", "default_timeout": PATIENCE}
