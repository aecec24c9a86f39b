"""The ledger as it is stored: entries are added in the transaction of what they tell of.

An entry is written under the lock of its tournament, so that entries follow each other whoever
writes them.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, Any

from sqlalchemy import bindparam, case, func, insert, select
from sqlalchemy.orm import Session

from card_arena.common.json import canonical, sha256
from card_arena.common.text import storable
from card_arena.formats.field import Listed, Placing
from card_arena.formats.interventions import KINDS as INTERVENTIONS
from card_arena.results import records
from card_arena.results.database import Database, Repository
from card_arena.results.entries import Entrant
from card_arena.results.errors import Damaged, StoreError, Unknown
from card_arena.results.models import (
    BotRow,
    EntrantRow,
    LedgerRow,
    ManifestRow,
    MatchRow,
    SeasonRow,
    TournamentRow,
    VersionRow,
)
from card_arena.results.proof.ledger import FIRST, Entry, Kind, written
from card_arena.results.proof.manifest import (
    FORMAT,
    Manifest,
    Terms,
    checked_value,
    made_manifest,
    utc,
)
from card_arena.results.proof.season_file import write
from card_arena.results.proof.shapes import Facts
from card_arena.results.visibility import policy_of
from card_arena.tables.dealing import commitment

LINES_AT_ONCE = 200
"""How many matches are read together for a season's file."""

AT_A_TIME = 1000
"""How many entries are read together where all of a ledger is read."""

_LOCKED = (
    select(TournamentRow.id).where(TournamentRow.id == bindparam("tournament")).with_for_update()
)
_LAST = (
    select(LedgerRow.number, LedgerRow.text)
    .where(LedgerRow.tournament_id == bindparam("tournament"))
    .order_by(LedgerRow.number.desc())
    .limit(1)
)


class NothingAwaited(StoreError):
    """No season waits for a public value."""


@dataclass(frozen=True, slots=True)
class SeasonAsFile:
    """A season's file without its contents: files with the same `key` have the same ones."""

    season_id: int
    facts: Facts
    key: str


class LedgerRepository(Repository):
    """Manifests, public values, the ledger of every tournament, and seasons as files."""

    def manifest(self, season_id: int) -> Manifest:
        """A season's manifest as it was published; raises `Damaged` if somebody removed it."""
        with self.database.reading() as session:
            return manifest_of(session, season_id)

    def standings_text(self, season_id: int) -> str:
        """A season's stored standings and pictures, as the ledger hashes them."""
        with self.database.reading() as session:
            return standings_of(session, session.get_one(SeasonRow, season_id))

    def line_up(self, season_id: int) -> Sequence[Listed]:
        """Return the stored line-up of a season, as its manifest lists it."""
        with self.database.reading() as session:
            rows = session.scalars(
                select(EntrantRow)
                .where(EntrantRow.season_id == season_id)
                .order_by(EntrantRow.place)
            )
            return _listed(session, [Entrant(row.version_id, row.sits_out) for row in rows])

    def ledger(self, tournament: str) -> Sequence[Entry]:
        """All entries of a tournament; raises `Unknown` for an unknown one."""
        return [*self.ledger_until(tournament, self.ledger_head(tournament)[0])]

    def ledger_head(self, tournament: str) -> tuple[int, str]:
        """The number and the hash of a tournament's last entry; 0 and `FIRST` if there is none.

        Raises `Unknown` for an unknown tournament.
        """
        with self.database.reading() as session:
            return head(session, owner_of(session, tournament))

    def ledger_until(self, tournament: str, number: int) -> Iterator[Entry]:
        """Yield the entries of a tournament up to the one of this number."""
        return (entry for _, entry in self.ledger_between(tournament, 1, number))

    def ledger_between(self, tournament: str, first: int, last: int) -> Iterator[tuple[int, Entry]]:
        """The entries of a tournament's ledger with these numbers, as `entries_between`.

        Raises `Unknown` for an unknown tournament.
        """
        with self.database.reading() as session:
            owner = owner_of(session, tournament)
        return entries_between(self.database, owner, first, last)

    def reveal(self, tournament: str, value: str) -> tuple[int, str]:
        """Store the public value that a tournament's season waits for; return its number and it.

        Raises `NothingAwaited` if no season waits for one, and `BadPublicValue`.
        """
        now = datetime.now(UTC)
        with self.database.writing() as session:
            row, source = awaiting(session, tournament)
            row.public_value = checked_value(value, source, now)
            append(session, row.tournament_id, "value", row.number, value=row.public_value)
            return row.number, row.public_value

    def season_as_file(self, tournament: str, number: int) -> SeasonAsFile:
        """Describe the current file of a season; no match is read. Raises `Unknown`."""
        with self.database.reading() as session:
            row = _season(session, tournament, number)
            manifest = manifest_of(session, row.id)
            facts = _facts(row, tournament, manifest, head(session, row.tournament_id, number)[1])
            stated = [FORMAT, facts.model_dump(), standings_of(session, row)]
        return SeasonAsFile(row.id, facts, sha256(canonical(stated)))

    def export(self, tournament: str, number: int, target: IO[bytes]) -> Facts:
        """Write a season to an open file; without its seed while it runs.

        It is as it was at one moment, though matches may be stored meanwhile. Raises `Unknown`
        and `DamagedRecord`.
        """
        with self.database.reading() as session:
            row = _season(session, tournament, number)
            manifest = manifest_of(session, row.id)
            last, newest = head(session, row.tournament_id, number)
            facts = _facts(row, tournament, manifest, newest)
            standings = standings_of(session, row)
            ledger = entries_between(self.database, row.tournament_id, 1, last)
            matches = _lines(self.database, row.id, newest_match(session, row.id))
        write(target, facts, manifest, (entry for _, entry in ledger), matches, standings)
        return facts


def _season(session: Session, tournament: str, number: int) -> SeasonRow:
    """Return a season that the reader may export; raises `Unknown`."""
    row = session.scalar(
        select(SeasonRow)
        .join(TournamentRow)
        .where(TournamentRow.name == tournament, SeasonRow.number == number)
    )
    if row is None:
        raise Unknown(f"nothing is stored of season {number} of the tournament {tournament[:80]!r}")
    policy = policy_of(session)
    if row.id in policy.frozen or row.id in policy.masked:
        raise Unknown(
            f"season {number} of {tournament} can be had as a file when everybody may see all its"
            " results"
        )
    return row


def _facts(row: SeasonRow, tournament: str, manifest: Manifest, newest: str) -> Facts:
    return Facts.model_construct(  # a damaged row is written as it is
        tournament=tournament,
        season=row.number,
        finished=row.finished is not None,
        seed=row.seed.hex() if row.finished is not None else None,
        public_value=row.public_value,
        key="manifest" if row.key_from == "manifest" else "seed",
        manifest=manifest.sha256,
        head=newest,
    )


def _lines(database: Database, season_id: int, until: int) -> Iterator[str]:
    """The lines of a season's matches that were stored by then, in the order of their keys.

    They are read a few at a time, so a writer never waits long.
    """
    matches = (
        select(MatchRow.id, MatchRow.key, MatchRow.leg, MatchRow.round, MatchRow.labels)
        .where(MatchRow.season_id == season_id, MatchRow.id <= until)
        .order_by(MatchRow.key)
        .limit(LINES_AT_ONCE)
    )
    last = ""
    while True:
        with database.reading() as session:
            rows = session.execute(matches.where(MatchRow.key > last)).all()
            lines = [*records.lines(session, rows)]
        if not rows:
            return
        yield from lines
        last = rows[-1].key


def owner_of(session: Session, tournament: str) -> int:
    """The id of a tournament; raises `Unknown`."""
    owner = session.scalar(select(TournamentRow.id).where(TournamentRow.name == tournament))
    if owner is None:
        raise Unknown(f"nothing is stored of a tournament {tournament[:80]!r}")
    return owner


def awaiting(session: Session, tournament: str) -> tuple[SeasonRow, Mapping[str, Any]]:
    """The season of a tournament that waits for its public value, locked, and for which value.

    Raises `NothingAwaited`.
    """
    row = session.scalar(
        select(SeasonRow)
        .join(TournamentRow)
        .where(
            TournamentRow.name == tournament,
            SeasonRow.value_from.is_not(None),
            SeasonRow.public_value.is_(None),
        )
        .order_by(SeasonRow.number)
        .limit(1)
        .with_for_update(of=SeasonRow)
    )
    if row is None or row.value_from is None:
        raise NothingAwaited(
            f"no season of {tournament[:80]!r} waits for a public value; once one has begun, it"
            " can't be changed"
        )
    return row, row.value_from


def append(session: Session, tournament_id: int, kind: Kind, season: int, **facts: object) -> Entry:
    """Add an entry to a tournament's ledger; nobody else can before the transaction ends."""
    connection = session.connection()  # rows without objects: this is done for every match
    connection.execute(_LOCKED, {"tournament": tournament_id}).one()
    last, previous = head(session, tournament_id)
    number, now = last + 1, datetime.now(UTC)
    entry = written(kind, number=number, previous=previous, season=season, time=now, **facts)
    row = {"tournament_id": tournament_id, "number": number, "season": season, "kind": kind}
    connection.execute(insert(LedgerRow), {**row, "text": entry.text})
    return entry


def entries_of(session: Session, row: SeasonRow, *kinds: Kind) -> Iterator[Entry]:
    """The entries of these kinds about a season, in order."""
    query = select(LedgerRow.text).where(
        LedgerRow.tournament_id == row.tournament_id,
        LedgerRow.season == row.number,
        LedgerRow.kind.in_(kinds),
    )
    return map(Entry, session.scalars(query.order_by(LedgerRow.number)))


def entries_between(
    database: Database, tournament_id: int, first: int, last: int
) -> Iterator[tuple[int, Entry]]:
    """The entries of a ledger with these numbers, each with its number.

    They are read a few at a time, so that a long ledger is never in memory.
    """
    query = (
        select(LedgerRow.number, LedgerRow.text)
        .where(LedgerRow.tournament_id == tournament_id, LedgerRow.number <= last)
        .order_by(LedgerRow.number)
        .limit(AT_A_TIME)
    )
    while first <= last:
        with database.reading() as session:
            rows = session.execute(query.where(LedgerRow.number >= first)).all()
        yield from ((row.number, Entry(row.text)) for row in rows)
        if len(rows) < AT_A_TIME:
            return
        first = rows[-1].number + 1


def head(session: Session, tournament_id: int, season: int | None = None) -> tuple[int, str]:
    """The number and the hash of a tournament's last entry; 0 and `FIRST` if there is none.

    Of a `season` that is over it is the last entry about that season.
    """
    query = _LAST
    if season is not None and (end := end_of(session, tournament_id, season)) is not None:
        query = query.where(LedgerRow.number == end)
    last = session.execute(query, {"tournament": tournament_id}).first()
    return (last.number, sha256(last.text)) if last else (0, FIRST)


def end_of(session: Session, tournament_id: int, season: int) -> int | None:
    """The last entry about a season that is over; None if it is not."""
    last, ended = session.execute(
        select(
            func.max(LedgerRow.number),
            func.max(case((LedgerRow.kind == "finish", LedgerRow.number))),
        ).where(
            LedgerRow.tournament_id == tournament_id,
            LedgerRow.season == season,
            LedgerRow.kind.in_(("finish", *INTERVENTIONS)),
        )
    ).one()
    return None if ended is None else last


def manifest_of(session: Session, season_id: int) -> Manifest:
    """A season's stored manifest; raises `Damaged` if somebody removed it."""
    row = session.get(ManifestRow, season_id)
    if row is None:
        season = session.get_one(SeasonRow, season_id)
        tournament = session.get_one(TournamentRow, season.tournament_id)
        raise Damaged(f"{tournament.name}, season {season.number}: its manifest is missing")
    return Manifest(row.text)


def newest_match(session: Session, season_id: int) -> int:
    """Return the id of the match of a season that was stored last; 0 if there is none."""
    newest = select(func.max(MatchRow.id)).where(MatchRow.season_id == season_id)
    return session.scalar(newest) or 0


def season_locked(session: Session, season_id: int) -> SeasonRow:
    """A season's row, which nobody else can change before the transaction ends."""
    query = select(SeasonRow).where(SeasonRow.id == season_id).with_for_update()
    return session.execute(query).scalar_one()


def next_number(session: Session, owner: TournamentRow) -> int:
    newest = select(func.max(SeasonRow.number)).where(SeasonRow.tournament_id == owner.id)
    return (session.scalar(newest) or 0) + 1


def announced_seed(session: Session, owner: TournamentRow) -> bytes:
    """The seed of a tournament's next season; one that is made now is announced by its hash."""
    if owner.next_seed is None:
        owner.next_seed = secrets.token_bytes(32)
        announce_seed(session, owner, owner.next_seed)
    return owner.next_seed


def announce_seed(session: Session, owner: TournamentRow, seed: bytes) -> None:
    """Add the hash of the seed of a tournament's next season to the ledger."""
    number = next_number(session, owner)
    append(session, owner.id, "announce", number, sha256=commitment(seed))


def new_manifest(
    session: Session,
    owner: TournamentRow,
    terms: Terms,
    entrants: Sequence[Entrant],
    due: datetime,
    *,
    seed: bytes,
    given: bool,
) -> Manifest:
    """Make the manifest of a tournament's next season; `given` is as in `made_manifest`."""
    return made_manifest(
        terms,
        tournament=owner.name,
        season=next_number(session, owner),
        due=due,
        entrants=_listed(session, entrants),
        seed=seed,
        given=given,
        previous=head(session, owner.id)[1],
    )


def finish(session: Session, row: SeasonRow) -> None:
    """Tell how a season ended: how many matches it had, and the hash of its standings."""
    played = select(func.count()).where(MatchRow.season_id == row.id)
    append(
        session,
        row.tournament_id,
        "finish",
        row.number,
        matches=session.execute(played).scalar_one(),
        sha256=sha256(standings_of(session, row)),
    )


def standings_of(session: Session, row: SeasonRow) -> str:
    """Write the stored standings of a season, the best first, and the pictures of its format."""
    placings = [
        {
            "version": placing.version,
            "rank": placing.rank,
            "points": placing.points,
            "tie_breaks": [list(pair) for pair in placing.tie_breaks],
        }
        for placing in stored_standings(session, row.id)
    ]
    return canonical({"standings": placings, "panels": list(row.panels)})


def stored_standings(session: Session, season_id: int) -> tuple[Placing, ...]:
    """The stored placings of a season, the best first."""
    rows = session.scalars(
        select(EntrantRow)
        .where(EntrantRow.season_id == season_id, EntrantRow.points.is_not(None))
        .order_by(EntrantRow.rank, EntrantRow.place)
    )
    return tuple(
        Placing(
            row.version_id,
            row.rank or 0,
            row.points or 0.0,
            tuple((title, value) for title, value in row.tie_breaks),
            tuple((leg, value) for leg, value in row.legs),
        )
        for row in rows
    )


def _listed(session: Session, entrants: Sequence[Entrant]) -> list[Listed]:
    rows: Any = session.execute(
        select(VersionRow, BotRow)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(VersionRow.id.in_([entrant.version_id for entrant in entrants]))
    )
    versions = {version.id: (version, bot) for version, bot in rows}
    return [
        Listed(
            version=version.id,
            bot=bot.name,
            number=version.number,
            author=bot.author,
            digest=version.digest,
            submitted=utc(version.submitted),
            sits_out=storable(entrant.sits_out),
        )
        for entrant in entrants
        for version, bot in [versions[entrant.version_id]]
    ]
