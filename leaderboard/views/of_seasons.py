"""The facts of a season, without its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from common.moments import from_iso
from leaderboard.season_settings import SeasonSettings
from leaderboard.statistics.pace import Pace
from leaderboard.statistics.same_contest import Beginning, Contest, beginnings
from leaderboard.storage.counting import RATED
from leaderboard.storage.curtain import Curtain, curtain_of
from leaderboard.storage.database import Unknown
from leaderboard.storage.ledger import head
from leaderboard.storage.models import SeasonRow, TournamentRow
from leaderboard.storage.models_of_counts import LegRow
from leaderboard.storage.store import Store
from leaderboard.views.of_paces import paces
from tables.dealing import commitment

State = Literal["running", "finished", "annulled"]


class UnknownSeason(Unknown):
    """No tournament of this name has a season of this number; raised by every view of one."""


@dataclass(frozen=True, slots=True)
class Published:
    """What a season publishes to be checked by: its manifest's hash, and the ledger's head.

    `head` is the hash of the ledger's last entry until now, or of the one that ended the season,
    and `entries` its number, None where that would tell how much was played. `chosen` says that the
    seed was given by hand and is the key of the deals. `value_from` says where a public value comes
    from, None if there is none.
    """

    manifest: str
    head: str
    entries: int | None
    chosen: bool
    value_from: Mapping[str, Any] | None
    public_value: str | None


@dataclass(frozen=True, slots=True)
class SeasonFacts:
    """The facts of a season.

    `seed` is in hex and None until the season is finished; `commitment` is its SHA-256. `legs` are
    the legs that have matches; `seasons` are the numbers of all seasons of the tournament. `newest`
    is when the last match was stored. `settings` are those that it began with. `matches` counts
    those played so far out of `planned`: None if that number is not known, and an upper bound if
    `at_most` is set. `pace` is that of a running season. `panels` are the pictures that its format
    draws. `rules` is the version of the game's rules. `rated_since` is the season that its ratings
    began with, None if it has none. From `frozen` on its results are hidden from whoever looks, and
    `copied` says that its standings were kept as they were then. In a `masked` season not all bots
    are called by their names.
    """

    id: int
    tournament: str
    number: int
    state: State
    settings: SeasonSettings
    commitment: str
    seed: str | None
    due: datetime
    started: datetime
    finished: datetime | None
    newest: datetime | None
    matches: int
    planned: int | None
    at_most: bool
    legs: tuple[int, ...]
    seasons: tuple[int, ...]
    published: Published
    rules: int
    panels: tuple[Mapping[str, Any], ...] = ()
    pace: Pace | None = None
    rated_since: Beginning | None = None
    frozen: datetime | None = None
    copied: bool = False
    masked: bool = False

    @property
    def contest(self) -> Contest:
        return self.settings.contest(self.rules)

    @property
    def rated_anew(self) -> str:
        """What was changed when its ratings began, in words; empty if they always went on."""
        return "; ".join(map(str, self.rated_since.changes)) if self.rated_since else ""

    @property
    def game(self) -> str:
        return self.settings.game

    @property
    def rated(self) -> bool:
        """Whether its matches count for ratings."""
        return self.settings.facts.rated

    @property
    def points_title(self) -> str:
        return self.settings.facts.points_title

    @property
    def leg_title(self) -> str:
        """The word for its legs."""
        return self.settings.facts.leg_title

    @property
    def by_rating(self) -> bool:
        """Whether its standings are in the order of ratings, with points beside them."""
        return self.settings.by_rating

    @property
    def order_title(self) -> str:
        """The name of what its standings go by."""
        return "rating" if self.by_rating else self.points_title

    @property
    def carries(self) -> bool:
        """Whether bots carry their chips from one table to the next."""
        return self.settings.facts.carries


def season(store: Store, tournament: str, number: int | None = None) -> SeasonFacts:
    """A season of a tournament, by default the newest; raises `UnknownSeason`."""
    with store.database.reading() as session:
        return season_facts(session, tournament, number)


def season_facts(session: Session, tournament: str, number: int | None) -> SeasonFacts:
    """A season of a tournament, by default the newest; raises `UnknownSeason`."""
    seasons = session.execute(
        select(
            SeasonRow.id,
            SeasonRow.number,
            RATED.label("rated"),
            SeasonRow.settings,
            SeasonRow.rules,
        )
        .join(TournamentRow)
        .where(TournamentRow.name == tournament)
        .order_by(SeasonRow.number)
    ).all()
    chosen = next((each.id for each in reversed(seasons) if number in (None, each.number)), None)
    if chosen is None:
        what = f"season {number} of " if number is not None and seasons else ""
        raise UnknownSeason(f"nothing is stored of {what}the tournament {tournament[:80]!r}")
    row = session.get_one(SeasonRow, chosen)
    begun = beginnings(
        (each.number, each.settings.contest(each.rules)) for each in seasons if each.rated
    )
    legs = session.scalars(
        select(LegRow).where(LegRow.season_id == chosen).order_by(LegRow.leg)
    ).all()
    facts = SeasonFacts(
        id=row.id,
        tournament=tournament,
        number=row.number,
        state=state_of(row),
        settings=row.settings,
        commitment=commitment(row.seed),
        seed=row.seed.hex() if row.finished is not None else None,
        due=row.due,
        started=row.started,
        finished=row.finished,
        newest=max((leg.newest for leg in legs), default=None),
        matches=sum(leg.matches for leg in legs),
        planned=row.planned,
        at_most=row.at_most,
        legs=tuple(leg.leg for leg in legs),
        seasons=tuple(each.number for each in seasons),
        panels=tuple(row.panels),
        pace=paces(session, [row.id]).get(row.id) if row.finished is None else None,
        published=_published(session, row),
        rules=row.rules,
        rated_since=begun.get(row.number),
    )
    return as_seen(facts, curtain_of(session))


def _published(session: Session, row: SeasonRow) -> Published:
    entries, newest = head(session, row.tournament_id, row.number)
    return Published(
        manifest=row.manifest,
        head=newest,
        entries=entries,
        chosen=row.key_from == "seed",
        value_from=row.value_from,
        public_value=row.public_value,
    )


def as_seen(facts: SeasonFacts, curtain: Curtain) -> SeasonFacts:
    """The facts of a season as a curtain leaves them; what it has published to be checked stays."""
    if curtain.masks(facts.tournament):  # with the seed one could tell who was seated where
        facts = replace(facts, seed=None, masked=True)
    masked = curtain.masked.get(facts.id)
    top = masked is not None and masked.top is not None
    frozen = curtain.frozen.get(facts.id)
    if frozen is None:
        return replace(facts, panels=()) if top else facts  # which have all places
    board = frozen.board.data if frozen.board else {}
    newest = board.get("newest")
    return replace(
        facts,
        matches=board.get("matches", 0),
        planned=board.get("planned"),
        at_most=board.get("at_most", False),
        legs=tuple(board.get("legs", ())),
        newest=from_iso(newest) if newest else None,
        panels=() if top else tuple(board.get("panels", ())),
        pace=None,
        published=replace(facts.published, entries=None),
        frozen=frozen.since,
        copied=frozen.board is not None,
    )


def state_of(row: SeasonRow) -> State:
    """Describe the state of a season."""
    if row.annulled:
        return "annulled"
    return "running" if row.finished is None else "finished"
