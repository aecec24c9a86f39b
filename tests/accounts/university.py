"""A university that signs people in by OpenID Connect, and a GitHub: real servers, real tokens."""

from __future__ import annotations

import base64
import hashlib
import json
import time
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar

from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey

CLIENT, SECRET = "arena", "between us"

Key = RSAKey | OctKey | ECKey | OKPKey


class University:
    """What the provider knows, and what it is to get wrong.

    `claims` go into each token in place of the true ones, None leaving one out; `signs` makes it
    sign with this key instead of its own. `keys` are those that it publishes, and `algorithms` how
    it says that it signs.
    """

    def __init__(self) -> None:
        self.key = RSAKey.generate_key(2048, {"kid": "k1", "use": "sig", "alg": "RS256"})
        self.signs: Key = self.key
        self.keys: list[dict[str, Any]] = [dict(self.key.as_dict(private=False))]
        self.algorithms = ["RS256"]
        self.header: dict[str, str] = {"alg": "RS256", "kid": "k1"}
        self.claims: dict[str, Any] = {}
        self.about = {"sub": "s-17", "email": "ann@example.org", "email_verified": True}
        self.emails = [{"email": "ann@example.org", "primary": True, "verified": True}]
        self.user = 17
        self.asked: dict[str, dict[str, str]] = {}
        self.issuer = ""

    def enter(self, query: dict[str, str]) -> str:
        """Somebody signs in: where their browser is sent."""
        assert query["client_id"] == CLIENT
        assert query["response_type"] == "code"
        assert query["code_challenge_method"] == "S256"
        code = f"code-{len(self.asked)}"
        self.asked[code] = query
        back = urllib.parse.urlencode({"code": code, "state": query["state"]})
        return f"{query['redirect_uri']}?{back}"

    def token(self, form: dict[str, str]) -> dict[str, Any]:
        """The tokens for a code, which works once and needs its verifier."""
        query = self.asked.pop(form["code"])
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        assert query["code_challenge"] == base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        assert query["redirect_uri"] == form["redirect_uri"]
        now = int(time.time())
        true = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": query.get("nonce"),
            **self.about,
            **self.claims,
        }
        claims = {name: value for name, value in true.items() if value is not None}
        token = jwt.encode(self.header, claims, self.signs, algorithms=[self.header["alg"]])
        return {"access_token": "at", "token_type": "Bearer", "id_token": token}

    def answer(self, path: str) -> Any:
        """What is behind an address that needs no body."""
        return {
            "/.well-known/openid-configuration": {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/login/oauth/authorize",
                "token_endpoint": f"{self.issuer}/login/oauth/access_token",
                "jwks_uri": f"{self.issuer}/keys",
                "id_token_signing_alg_values_supported": self.algorithms,
            },
            "/keys": {"keys": self.keys},
            "/api/v3/user": {"id": self.user, "login": "ann", "name": None},
            "/api/v3/user/emails": self.emails,
        }.get(path)


@contextmanager
def open_university() -> Iterator[University]:
    """A provider that answers on this machine."""
    there = University()

    class Answers(BaseHTTPRequestHandler):
        university: ClassVar[University] = there

        def do_GET(self) -> None:
            found = self.university.answer(self.path)
            self._send(404 if found is None else 200, found)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            basic = base64.b64decode(self.headers["Authorization"].removeprefix("Basic ")).decode()
            form = dict(urllib.parse.parse_qsl(body))
            if basic != urllib.parse.quote(CLIENT) + ":" + urllib.parse.quote(SECRET, safe=" "):
                self._send(401, {"error": "invalid_client"})
            elif form["code"] not in self.university.asked:
                self._send(400, {"error": "invalid_grant"})
            else:
                self._send(200, self.university.token(form))

        def _send(self, code: int, found: object) -> None:
            text = json.dumps(found).encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    there.issuer = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield there
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
