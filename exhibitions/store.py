"""The exhibitions database: the one place that reads and writes it.

Everything that happens at a table is kept. Pages and terminals decide from the scene which part of
it a person may see.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from string import ascii_letters, digits
from typing import Any

from pydantic import ValidationError
from sqlalchemy import ColumnElement, and_, delete, func, or_, select, tuple_, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from card_arena.common.faults import read_fault
from card_arena.common.json import first_error
from card_arena.common.text import name_flaw, printable, storable
from card_arena.exhibitions.cards import Deal, deals
from card_arena.exhibitions.entries import (
    Board,
    Changes,
    Inbox,
    LimitReached,
    NewTable,
    NotAllowed,
    Position,
    Refused,
    SeatedBot,
    Table,
    TableSeat,
    UnknownTable,
)
from card_arena.exhibitions.migrations import HEAD
from card_arena.exhibitions.models import (
    AnswerRow,
    Base,
    HintRow,
    KeyRow,
    SeatRow,
    TableRow,
    TurnRow,
)
from card_arena.exhibitions.settings import PlaySettings
from card_arena.results.database import (
    Database,
    Repository,
    Tables,
    beside,
    retry_on_conflict,
    revision_of,
)
from card_arena.results.errors import Waits
from card_arena.results.models import from_row
from card_arena.tables.game import BadTable, Game, Phase, Seat, Terminal
from card_arena.tables.legal_actions import describe
from card_arena.tables.record import Record, Turn
from card_arena.tables.referee import Strikes, judged
from card_arena.tables.registry import GAMES

TABLES = Tables("card_arena.exhibitions:migrations", HEAD, Base.metadata, schema="exhibitions")

LETTERS = "ABCDEFGHJKLMNPQRTUVWXY"
"""The letters of codes: none that look like another letter or a digit (I, O, S, Z)."""

LONGEST_NAME = 40
LONGEST_LINE = 200
"""Characters of a person's name, and of an answer."""

UNBEGUN = timedelta(hours=1)
"""The time after which a table that nobody has begun is stopped."""

DAY = timedelta(days=1)
POSITIONS = 256
"""The most positions that are kept in memory."""

_OPEN = ("waiting", "playing")


class ExhibitionStore(Repository):
    """The tables beside the results in the database at `url`.

    For `sqlite:///var/arena.db` they are in the file `var/arena.exhibitions.db`, on PostgreSQL in
    the schema `exhibitions` of the same database. It is created if missing. Every method raises
    `StoreError` when the database can't be used, and a `Refused` or `UnknownTable` where a table
    doesn't do what was asked.
    """

    def __init__(self, url: str, waits: Waits | None = None) -> None:
        super().__init__(Database(beside(url, TABLES), waits, tables=TABLES))
        self._positions: dict[str, Position] = {}

    @classmethod
    def is_there(cls, url: str) -> bool:
        """Whether the arena at `url` has tables already; none are made."""
        return revision_of(url, TABLES) is not None

    def close(self) -> None:
        self.database.close()

    # What people do.

    def create(self, new: NewTable, limits: PlaySettings | None = None) -> tuple[Table, str]:
        """Make a table; return it and the secret of its creator's seat, which is not kept.

        It is played as soon as the host has room, or with `free_seats` once it is started. The
        `limits` are the organiser's; without them there are none.
        """
        game, options = _checked(new)
        secret = secrets.token_urlsafe(24)
        return retry_on_conflict(lambda: self._create(new, game, options, secret, limits)), secret

    def _create(
        self, new: NewTable, game: Game, options: Any, secret: str, limits: PlaySettings | None
    ) -> Table:
        now = datetime.now(UTC)
        with self.database.writing() as session:
            address = hmac.new(_key(session), new.address.encode(), "sha256").hexdigest()
            if limits is not None:
                _check_quotas(session, new, address, limits, now)
            waits = bool(new.free_seats)
            row = TableRow(
                key="".join(secrets.choice(ascii_letters + digits) for _ in range(12)),
                game=game.name,
                version=game.version,
                options=options.model_dump(mode="json"),
                conditions=dict(new.conditions),
                played_by=new.played_by,
                state="waiting",
                reason="",
                created=now,
                queued=None if waits else now,
                code="".join(secrets.choice(LETTERS) for _ in range(4)) if waits else None,
                creator=new.creator,
                address=address if new.address else "",
                seed=secrets.token_bytes(32),
                source=asdict(new.board) if new.board else None,
                hints=new.hints._asdict() if new.hints else None,
            )
            session.add(row)
            session.flush()
            for number, bot in enumerate(new.bots):
                own = number == new.seat
                session.add(
                    SeatRow(
                        table_id=row.id,
                        number=number,
                        kind="person" if own or number in new.free_seats else "bot",
                        bot=bot.label,
                        version_id=bot.version_id,
                        path=bot.path,
                        name=_checked_name(new.name) if own else "",
                        secret=_hashed(secret) if own else None,
                        prefixed=False,
                    )
                )
            session.flush()
            return _tables(session, TableRow.id == row.id)[0]

    def join(self, code: str, name: str) -> tuple[Table, Seat, str]:
        """Take a free seat at the table with this code; return it, the seat and its secret."""
        secret, name = secrets.token_urlsafe(24), _checked_name(name)
        with self.database.writing() as session:
            key = select(TableRow.key).where(TableRow.code == code.strip().upper())
            if (table := session.scalar(key)) is None:
                raise UnknownTable(
                    f"No table has the code {code[:20]!r}. Check its four letters, or ask whether"
                    " the game has begun."
                )
            row = _row(session, table, lock=True)
            free = select(SeatRow).where(
                SeatRow.table_id == row.id, SeatRow.kind == "person", SeatRow.secret.is_(None)
            )
            seat = session.scalars(free.order_by(SeatRow.number)).first()
            if seat is None or row.code is None:
                raise Refused("All seats of this table are taken. Ask for a new table.")
            seat.name, seat.secret = name, _hashed(secret)
            session.flush()
            return _tables(session, TableRow.id == row.id)[0], seat.number, secret

    def start(self, key: str, secret: str) -> None:
        """Begin the game of a table that waits for people; bots take the free seats."""
        with self.database.writing() as session:
            row = _row(session, key, lock=True)
            _seat(session, row, secret)
            if row.state != "waiting" or row.queued is not None:
                raise Refused("The game of this table has begun already.")
            empty = (SeatRow.table_id == row.id, SeatRow.secret.is_(None))
            session.execute(update(SeatRow).where(*empty).values(kind="bot"))
            row.queued, row.code = datetime.now(UTC), None

    def leave(self, key: str, secret: str) -> None:
        """Leave a table for good: the seat is free again, or the seat's bot plays on.

        Once the last person has left, the table is stopped.
        """
        with self.database.writing() as session:
            row = _row(session, key, lock=True)
            seat = _seat(session, row, secret)
            seat.secret = None
            if row.code is not None:
                seat.name = ""
            else:
                seat.kind = "bot"
            session.flush()
            sits = select(func.count()).where(
                SeatRow.table_id == row.id, SeatRow.secret.is_not(None)
            )
            if row.state in _OPEN and session.scalars(sits).one() == 0:
                _stop(row, "everybody has left the table")

    def seat_of(self, key: str, secret: str) -> Seat:
        """The seat with this secret; raises `NotAllowed`."""
        with self.database.reading() as session:
            return _seat(session, _row(session, key), secret).number

    def answer(self, key: str, secret: str, turn: int, line: str) -> None:
        """Give a person's answer in a turn. Nothing is stored unless it is allowed now.

        A person who was away is back with it.
        """
        table, seat, phase = self._asked(key, secret, turn)
        line = line.strip()
        if len(line) > LONGEST_LINE or storable(line) != line:
            raise Refused(f"The answer is too long, or no text: {_allowed(phase)}")
        action, fault = judged(phase, phase.legal_actions(seat), line)
        if fault is not None:
            raise Refused(f"{printable(line, '')[:40]!r} is not allowed: {_allowed(phase)}")
        del action
        if self.settle(table.id, turn, line) is not None:
            raise Refused("This turn has been answered. Wait for the next one.")

    def back(self, key: str, secret: str) -> None:
        """Note that a person who was away is back."""
        with self.database.writing() as session:
            _seat(session, _row(session, key), secret).away_since = None

    def hint(self, key: str, secret: str, turn: int) -> str | None:
        """Ask what the table's champion would answer in a turn; None until it has answered."""
        table, seat, _ = self._asked(key, secret, turn)
        if table.hints is None:
            raise Refused("No bot gives hints at this table.")
        with self.database.writing() as session:
            row = session.get(HintRow, (table.id, turn, seat))
            if row is None:
                now = datetime.now(UTC)
                session.add(HintRow(table_id=table.id, turn=turn, seat=seat, at=now))
                return None
            return row.answer

    def _asked(self, key: str, secret: str, turn: int) -> tuple[Table, Seat, Phase]:
        """Return the table, seat and phase of a turn that waits for this person."""
        with self.database.reading() as session:
            row = _row(session, key)
            seat = _seat(session, row, secret)
            number, away, state = seat.number, seat.away_since, row.state
        if away is not None:
            self.back(key, secret)
        if state != "playing":
            raise Refused("The game has not begun." if state == "waiting" else "The game is over.")
        position = self.position(key)
        phase = position.phase
        if isinstance(phase, Terminal):
            raise Refused("The game is over.")
        if turn < position.number:
            raise Refused(f"Turn {turn} has been played. Load the table again.")
        if turn > position.number or phase.to_act != number:
            raise Refused("It is not your turn. Wait until you are asked.")
        return self.table(key), number, phase

    # What there is to see.

    def table(self, key: str) -> Table:
        """Return a table; raises `UnknownTable`."""
        with self.database.reading() as session:
            return _tables(session, TableRow.id == _row(session, key).id)[0]

    def tables_with(self, keys: Collection[str]) -> tuple[Table, ...]:
        """Return the tables with these keys; unknown ones lack."""
        if not keys:
            return ()
        with self.database.reading() as session:
            return _tables(session, TableRow.key.in_(keys))

    def changes(self, after: Mapping[str, int]) -> Mapping[str, Changes]:
        """The state of each of these tables, and its turns from a number on; unknown ones lack."""
        if not after:
            return {}
        with self.database.reading() as session:
            rows = session.execute(
                select(TableRow.id, TableRow.key, TableRow.state, TableRow.reason).where(
                    TableRow.key.in_(after)
                )
            ).all()
            ids = [row.id for row in rows]
            away: defaultdict[int, set[Seat]] = defaultdict(set)
            gone = select(SeatRow.table_id, SeatRow.number).where(
                SeatRow.table_id.in_(ids), SeatRow.away_since.is_not(None)
            )
            for table_id, number in session.execute(gone):
                away[table_id].add(number)
            later = [
                and_(TurnRow.table_id == row.id, TurnRow.number >= after[row.key]) for row in rows
            ]
            turns: defaultdict[int, list[Turn]] = defaultdict(list)
            query = select(TurnRow).where(or_(False, *later))
            for turn in session.scalars(query.order_by(TurnRow.table_id, TurnRow.number)):
                turns[turn.table_id].append(_turn(turn))
        return {
            row.key: Changes(row.state, row.reason, frozenset(away[row.id]), tuple(turns[row.id]))
            for row in rows
        }

    def turns(self, key: str, after: int = 0) -> tuple[Turn, ...]:
        """The turns of a table from a number on."""
        with self.database.reading() as session:
            query = select(TurnRow).where(
                TurnRow.table_id == _row(session, key).id, TurnRow.number >= after
            )
            return tuple(map(_turn, session.scalars(query.order_by(TurnRow.number))))

    def position(self, key: str) -> Position:
        """The position of a table after its stored turns.

        It is kept in memory, so that only later turns are read and played.
        """
        position = self._positions.get(key)
        if position is None:
            table = self.table(key)
            game = GAMES[table.game]
            options = game.options(**table.options)
            position = Position(0, game.resume(options, len(table.seats)))
        number, phase = position.number, position.phase
        for turn in self.turns(key, number):
            assert not isinstance(phase, Terminal), f"table {key} has turns after its end"
            phase, _ = phase.apply(phase.read(turn.action))
            number += 1
        position = Position(number, phase)
        if len(self._positions) >= POSITIONS:
            self._positions.clear()
        self._positions[key] = position
        return position

    def record_of(self, key: str) -> Record:
        """The record of a table's game, as far as it was played.

        The end of a game that is not over is empty; `referee.replay` then raises `BadRecord` after
        its last turn.
        """
        table, turns = self.table(key), self.turns(key)
        position = self.position(key)
        limit = table.conditions.get("strikes", {}).get("limit", Strikes().limit)
        struck = Counter(turn.seat for turn in turns if turn.fault and turn.fault.struck)
        game, end = GAMES[table.game], position.phase
        return Record(
            game=table.game,
            version=table.version,
            options=table.options,
            seats=len(table.seats),
            purses=(),
            turns=turns,
            struck_out=tuple(sorted(seat for seat in struck if struck[seat] >= limit)),
            over=end if isinstance(end, Terminal) else Terminal((), (), ()),
            prefixed=tuple(s.number for s in table.seats if s.prefixed) if game.prefixed else (),
        )

    def deals(self, key: str) -> tuple[Deal, ...]:
        """The packs of a table with their commitments and, once a deal is over, keys and cards."""
        with self.database.reading() as session:
            table = _tables(session, TableRow.id == _row(session, key).id)[0]
            query = select(TurnRow.action).where(
                TurnRow.table_id == table.id, TurnRow.pack.is_not(None)
            )
            return deals(table, session.scalars(query.order_by(TurnRow.number)).all())

    # What the program does that plays the tables.

    def due(self, most: int, besides: Collection[int] = ()) -> tuple[Table, ...]:
        """The tables that the host plays now: those that it has begun, then waiting ones in order.

        `most` bounds their number; those with an id in `besides` count, but are not returned.
        """
        with self.database.reading() as session:
            ids = session.scalars(
                select(TableRow.id)
                .where(
                    TableRow.played_by == "host",
                    TableRow.state.in_(_OPEN),
                    TableRow.queued.is_not(None),
                )
                .order_by(TableRow.state != "playing", TableRow.queued, TableRow.id)
                .limit(most)
            ).all()
            new = [table_id for table_id in ids if table_id not in besides]
            tables = _tables(session, TableRow.id.in_(new)) if new else ()
        return tuple(sorted(tables, key=lambda table: new.index(table.id)))

    def begin(self, table_id: int, prefixed: Collection[Seat]) -> None:
        """Note that a game is played; `prefixed` are the seats with the common prefix."""
        with self.database.writing() as session:
            playing = (TableRow.id == table_id, TableRow.state == "waiting")
            values = {"state": "playing", "started": datetime.now(UTC)}
            session.execute(update(TableRow).where(*playing).values(values))
            seats = (SeatRow.table_id == table_id, SeatRow.number.in_(prefixed))
            session.execute(update(SeatRow).where(*seats).values(prefixed=True))

    def add_turn(self, table_id: int, number: int, turn: Turn, pack: int | None) -> bool:
        """Store a turn; False if the table is over or another program has stored this turn."""
        values = turn._asdict() | {
            "answer": None if turn.answer is None else storable(turn.answer),
            "fault": None if turn.fault is None else asdict(turn.fault),
        }
        now = datetime.now(UTC)
        try:
            with self.database.writing() as session:
                state = select(TableRow.state).where(TableRow.id == table_id)
                if session.scalar(state) != "playing":
                    return False
                session.add(TurnRow(table_id=table_id, number=number, pack=pack, at=now, **values))
        except IntegrityError:
            return False
        return True

    def settle(self, table_id: int, turn: int, line: str) -> str | None:
        """Store the answer of a turn; return the one that was there first, or None."""
        try:
            with self.database.writing() as session:
                now = datetime.now(UTC)
                session.add(AnswerRow(table_id=table_id, turn=turn, line=line, at=now))
        except IntegrityError:
            with self.database.reading() as session:
                row = session.get(AnswerRow, (table_id, turn))
                return None if row is None else row.line
        return None

    def inboxes(self, waiting: Collection[tuple[int, int, Seat]]) -> Mapping[int, Inbox]:
        """What has come in for tables whose turn waits for a seat: (table, turn, seat) of each."""
        turns = [(table_id, turn) for table_id, turn, _ in waiting]
        seats = [(table_id, seat) for table_id, _, seat in waiting]
        answered = and_(
            AnswerRow.table_id == TableRow.id,
            tuple_(AnswerRow.table_id, AnswerRow.turn).in_(turns),
        )
        asked = and_(
            HintRow.table_id == TableRow.id,
            tuple_(HintRow.table_id, HintRow.turn).in_(turns),
            HintRow.answer.is_(None),
        )
        query = (
            select(SeatRow, TableRow.state, AnswerRow.line, HintRow.turn)
            .join(TableRow, TableRow.id == SeatRow.table_id)
            .outerjoin(AnswerRow, answered)
            .outerjoin(HintRow, asked)
            .where(tuple_(SeatRow.table_id, SeatRow.number).in_(seats))
        )
        with self.database.reading() as session:
            return {
                seat.table_id: Inbox(
                    line,
                    hint is not None,
                    seat.away_since is not None,
                    seat.kind == "person",
                    state not in _OPEN,
                )
                for seat, state, line, hint in session.execute(query)
            }

    def set_away(self, table_id: int, seat: Seat) -> None:
        """Note that a person does not answer."""
        this = (SeatRow.table_id == table_id, SeatRow.number == seat, SeatRow.away_since.is_(None))
        with self.database.writing() as session:
            session.execute(update(SeatRow).where(*this).values(away_since=datetime.now(UTC)))

    def has_people(self, table_id: int) -> bool:
        """Whether somebody at a table is not away."""
        query = select(func.count()).where(
            SeatRow.table_id == table_id, SeatRow.kind == "person", SeatRow.away_since.is_(None)
        )
        with self.database.reading() as session:
            return session.scalars(query).one() > 0

    def answer_hint(self, table_id: int, turn: int, seat: Seat, answer: str) -> None:
        """Store a hint."""
        this = (HintRow.table_id == table_id, HintRow.turn == turn, HintRow.seat == seat)
        with self.database.writing() as session:
            session.execute(update(HintRow).where(*this).values(answer=answer))

    def finish(self, table_id: int, scores: Sequence[int]) -> None:
        """Note that a game has ended with these scores."""
        values = {"state": "finished", "finished": datetime.now(UTC), "scores": [*scores]}
        playing = (TableRow.id == table_id, TableRow.state == "playing")
        with self.database.writing() as session:
            session.execute(update(TableRow).where(*playing).values(values))

    def stop(self, table_id: int, reason: str) -> None:
        """Stop a table whose game can't be played on."""
        with self.database.writing() as session:
            row = session.get(TableRow, table_id)
            if row is not None and row.state in _OPEN:
                _stop(row, storable(reason)[:1000])

    def tidy(self, keep: timedelta) -> int:
        """Erase tables that were made longer ago than `keep`, if their game is over.

        Tables for which people wait in vain are stopped. Returns the number of erased tables.
        """
        now = datetime.now(UTC)
        with self.database.writing() as session:
            unbegun = and_(TableRow.queued.is_(None), TableRow.created < now - UNBEGUN)
            for row in session.scalars(
                select(TableRow).where(TableRow.state == "waiting", unbegun)
            ):
                _stop(row, "nobody began the game within an hour")
            over = TableRow.state.not_in(_OPEN) | (TableRow.played_by != "host")
            old = delete(TableRow).where(TableRow.created < now - keep, over).returning(TableRow.id)
            return len(session.scalars(old).all())


def _checked(new: NewTable) -> tuple[Game, Any]:
    """Return the game and options of a table; raises `Refused`."""
    game = GAMES.get(new.game)
    if game is None:
        raise Refused(f"No game {new.game[:40]!r}. Choose one of {', '.join(GAMES)}.")
    seats = len(new.bots)
    try:
        options = game.options(**new.options)
        game.check_table(options, seats)
    except (BadTable, ValidationError) as error:
        reason = first_error(error) if isinstance(error, ValidationError) else str(error)
        raise Refused(f"This table of {new.game} can't be played: {reason}") from error
    people = {*new.free_seats, *(() if new.seat is None else (new.seat,))}
    if not people <= {*range(seats)} or new.seat in new.free_seats:
        raise Refused(f"A seat is a number from 0 to {seats - 1}; yours is none of the free ones.")
    if new.free_seats and new.seat is None:
        raise Refused("People can join only a table at which its creator sits.")
    return game, options


def _checked_name(name: str) -> str:
    name = " ".join(name.split())
    flaw = name_flaw(name) if name else "is empty"
    if flaw or len(name) > LONGEST_NAME:
        raise Refused(
            f"The name {flaw or f'is longer than {LONGEST_NAME} characters'}. Choose another name."
        )
    return name


def _check_quotas(
    session: Session, new: NewTable, address: str, limits: PlaySettings, now: datetime
) -> None:
    """Compare the tables of a person or an address with the limits; raises `Refused`."""
    if limits.who == "nobody":
        raise NotAllowed("Nobody may play here. The organiser allows it by `play:` in arena.yaml.")
    if limits.who == "members" and new.creator is None:
        raise NotAllowed("Only members may play here. Sign in first.")
    if session.scalars(select(func.count(TableRow.id))).one() >= limits.most:
        raise LimitReached(
            f"{limits.most:,} tables are stored, and no more are allowed. The oldest are erased"
            f" after {limits.keep} days: try again later."
        )
    member = new.creator is not None
    own = TableRow.creator == new.creator if member else TableRow.address == address
    mine: ColumnElement[bool] = own if member else and_(own, TableRow.creator.is_(None))

    def count(*conditions: ColumnElement[bool]) -> int:
        return session.scalars(select(func.count(TableRow.id)).where(mine, *conditions)).one()

    most = limits.per_person if member else limits.per_address
    if count(TableRow.state.in_(_OPEN)) >= most:
        raise LimitReached(
            f"You have {most} open tables (limit {most}). Finish or leave one first."
        )
    if count(TableRow.created > now - DAY) >= limits.a_day:
        raise LimitReached(f"You have begun {limits.a_day} tables in 24 hours. Try again later.")


def _key(session: Session) -> bytes:
    """The key of addresses, whose row is locked until the transaction ends."""
    row = session.get(KeyRow, 1, with_for_update=True)
    if row is None:
        row = KeyRow(id=1, key=secrets.token_bytes(32))
        session.add(row)
        session.flush()
    return row.key


def _row(session: Session, key: str, *, lock: bool = False) -> TableRow:
    query = select(TableRow).where(TableRow.key == key)
    row = session.scalar(query.with_for_update() if lock else query)
    if row is None:
        raise UnknownTable(f"No table {key[:40]!r}. It may have been erased by its age.")
    return row


def _seat(session: Session, row: TableRow, secret: str) -> SeatRow:
    this = (SeatRow.table_id == row.id, SeatRow.secret == _hashed(secret))
    seat = session.scalar(select(SeatRow).where(*this))
    if seat is None:
        raise NotAllowed("You have no seat at this table. Join it by its code, or watch.")
    return seat


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _stop(row: TableRow, reason: str) -> None:
    row.state, row.reason, row.code = "stopped", reason, None
    row.finished = datetime.now(UTC)


def _allowed(phase: Phase) -> str:
    return f"expected {describe(phase.legal_actions(phase.to_act).outline(phase.write))}."


def _tables(session: Session, which: ColumnElement[bool]) -> tuple[Table, ...]:
    """The tables that meet a condition with their seats, in the order of their making."""
    rows = select(TableRow).where(which).order_by(TableRow.id)
    return tuple(map(_table, session.scalars(rows.execution_options(populate_existing=True))))


def _table(row: TableRow) -> Table:
    board = row.source
    return from_row(
        Table,
        row,
        board=Board(**{**board, "packs": tuple(board["packs"])}) if board else None,
        hints=SeatedBot(**row.hints) if row.hints else None,
        scores=None if row.scores is None else tuple(row.scores),
        seats=tuple(
            from_row(TableSeat, seat, bot=SeatedBot(seat.bot, seat.version_id, seat.path))
            for seat in row.seats
        ),
    )


def _turn(row: TurnRow) -> Turn:
    values = {name: getattr(row, name) for name in Turn._fields}
    if fault := row.fault:
        values["fault"] = read_fault(fault)
    return Turn(**values)
