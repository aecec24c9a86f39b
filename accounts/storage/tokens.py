"""Tokens: with one, a program does what its owner may."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import select

from card_arena.accounts.entries import SCOPES, Scope, Token
from card_arena.accounts.secrets import TOKEN_PREFIX, hashed, new_secret
from card_arena.accounts.storage.audit_log import note
from card_arena.accounts.storage.models import PersonRow, TokenRow
from card_arena.accounts.storage.people import BadAccount, printable
from card_arena.accounts.storage.sessions import end_tokens
from card_arena.results.database import Repository

LONGEST_LIFE = timedelta(days=366)
MOST_TOKENS = 20
"""Valid tokens that one person may have."""

TOKEN_SEEN_EVERY = timedelta(minutes=1)
"""How exactly a token's last use is known; a read should not write each time."""


class TokenRepository(Repository):
    """The tokens of people."""

    def make_token(
        self, person_id: int, name: str, scope: Scope, life: timedelta
    ) -> tuple[Token, str]:
        """Make a token; return it with its secret, which is not kept. Raises `BadAccount`."""
        name = printable(name, "the token's name")
        if scope not in SCOPES:
            raise BadAccount(f"a token's scope is one of {', '.join(SCOPES)}; got {scope[:20]!r}")
        if not timedelta() < life <= LONGEST_LIFE:
            raise BadAccount(f"a token is valid for 1 to {LONGEST_LIFE.days} days")
        secret = new_secret(TOKEN_PREFIX)
        now = datetime.now(UTC)
        with self.database.writing() as session:
            there = session.scalars(
                select(TokenRow.id).where(
                    TokenRow.person_id == person_id,
                    TokenRow.revoked.is_(None),
                    TokenRow.expires > now,
                )
            ).all()
            if len(there) >= MOST_TOKENS:
                raise BadAccount(f"you have {MOST_TOKENS} tokens: revoke one that you don't need")
            row = TokenRow(
                sha256=hashed(secret),
                person_id=person_id,
                name=name,
                scope=scope,
                made=now,
                expires=now + life,
            )
            session.add(row)
            session.flush()
            note(session, person_id, "make a token", name, scope=scope)
            return _entry(row), secret

    def bearer(self, secret: str, *, noted: bool = True) -> Token | None:
        """The token with this secret, whose use is `noted`; None if it is not valid now.

        Noting it writes, which may have to wait for others who write.
        """
        now = datetime.now(UTC)
        with self.database.reading() as session:
            row = session.scalar(
                select(TokenRow)
                .join(PersonRow, PersonRow.id == TokenRow.person_id)
                .where(
                    TokenRow.sha256 == hashed(secret),
                    TokenRow.revoked.is_(None),
                    TokenRow.expires > now,
                    PersonRow.suspended.is_(None),
                )
            )
            if row is None:
                return None
            token = _entry(row)
        if noted and (token.used is None or now - token.used > TOKEN_SEEN_EVERY):
            with self.database.writing() as session:
                found = session.get(TokenRow, token.id)
                if found is not None:
                    found.used = now
        return token

    def tokens(self, person_id: int) -> Sequence[Token]:
        """A person's valid tokens, the newest first."""
        now = datetime.now(UTC)
        with self.database.reading() as session:
            rows = session.scalars(
                select(TokenRow)
                .where(
                    TokenRow.person_id == person_id,
                    TokenRow.revoked.is_(None),
                    TokenRow.expires > now,
                )
                .order_by(TokenRow.id.desc())
            )
            return [_entry(row) for row in rows]

    def revoke(self, person_id: int, token_id: int) -> bool:
        """End one of a person's own tokens; False if they have no such token."""
        with self.database.writing() as session:
            row = session.get(TokenRow, token_id)
            if row is None or row.person_id != person_id or row.revoked is not None:
                return False
            end_tokens(session, [row.id])
            note(session, person_id, "revoke a token", row.name)
            return True


def _entry(row: TokenRow) -> Token:
    return Token.model_validate(row)
