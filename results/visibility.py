"""What readers may not see yet, or not by name: one policy before every reading of a store.

A visibility policy is applied to a session. From then on its queries find no match that is hidden
and no sum over hidden matches, for any reader and any query. What a frozen season looked like
when it was frozen is in its `Frozen.snapshot`, which is shown in place of its sums.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Table, event, not_, or_, select, true
from sqlalchemy.orm import ORMExecuteState, Session, with_loader_criteria
from sqlalchemy.sql.selectable import Select as AnySelect

from card_arena.results.models import (
    BotRow,
    EntrantRow,
    FaultRow,
    HeldSeatsRow,
    HeldSeatsSumRow,
    InterventionRow,
    LegRow,
    MatchRow,
    PlayedOnRow,
    RecordRow,
    SeasonHostRow,
    SeasonRow,
    SeatRow,
    StderrRow,
    TallyRow,
    TournamentRow,
    VersionRow,
)

OF_SEASONS: tuple[Any, ...] = (EntrantRow, LegRow, HeldSeatsSumRow, SeasonHostRow, TallyRow)
"""Sums over the matches of a season, and what follows from them."""

OF_MATCHES: tuple[Any, ...] = (SeatRow, HeldSeatsRow, RecordRow, StderrRow, FaultRow, PlayedOnRow)
"""What is stored of a match besides the match itself."""


@dataclass(frozen=True, slots=True)
class Frozen:
    """A season of which only the rows that were stored until `since` are shown.

    `snapshot` has its standings of that moment, as `leaderboard.standings.snapshot_of` made them;
    None if it began later, or if they were not copied in time.
    """

    since: datetime
    snapshot: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Masked:
    """A season whose bots are not all called by their names: the `aliases` of those that are not.

    Those in `named` keep their names. A bot in neither came later than the last decision about
    aliases, and is `SOMEBODY` until the next one. With `top`, only so many places are shown.
    """

    tournament: str
    aliases: Mapping[str, str]
    named: AbstractSet[str]
    top: int | None = None

    def name(self, bot: str) -> str:
        return self.aliases.get(bot, bot if bot in self.named else SOMEBODY)


SOMEBODY = "a bot"
"""The name of a bot that has no alias yet."""


NOT_TOLD = "the reason is told when all names are"
"""Shown in place of a reason that may name somebody."""


@dataclass(frozen=True)
class VisibilityPolicy:
    """What is hidden from a reader: `frozen` and `masked` seasons, by their ids.

    `unnamed` are the tournaments in which not all names are told. Matches of bots of the reader's
    `own` authors are not hidden by a freeze. `seasons` are all seasons of each tournament of which
    anything is hidden, or may be: one that began later is as good as not there until another
    policy knows it. `key` differs between any two policies that hide something else, and is None
    for the one that hides nothing.
    """

    frozen: Mapping[int, Frozen] = field(default_factory=dict)
    masked: Mapping[int, Masked] = field(default_factory=dict)
    unnamed: AbstractSet[str] = frozenset()
    own: AbstractSet[str] = frozenset()
    seasons: Mapping[str, AbstractSet[int]] = field(default_factory=dict)
    key: Hashable = None

    @property
    def hides(self) -> bool:
        """Whether it hides anything."""
        return bool(self.seasons)

    def apply(self, session: Session) -> None:
        if self.hides:
            session.info[POLICY] = self
            event.listen(session, "do_orm_execute", _filtered)

    def name(self, season_id: int, bot: str) -> str:
        masked = self.masked.get(season_id)
        return masked.name(bot) if masked else bot

    def hides_name(self, season_id: int, bot: str) -> bool:
        return self.name(season_id, bot) != bot

    def reason(self, season_id: int, reason: str, bot: str | None = None) -> str:
        """A reason that was given for something done to a season, to a match or to this bot in it.

        It may say in its own words who a bot is, so it is told only of bots whose names are, and
        where all names are.
        """
        is_public = season_id not in self.masked or (bot and not self.hides_name(season_id, bot))
        return reason if is_public else NOT_TOLD

    def tells_place(self, season_id: int, rank: int | None) -> bool:
        """Whether everybody may see who has this place in a season."""
        masked = self.masked.get(season_id)
        return masked is None or masked.top is None or (rank is not None and rank <= masked.top)

    def shortens(self, tournament: str) -> bool:
        """Whether only the first places of a tournament are told."""
        seasons = [masked for masked in self.masked.values() if masked.tournament == tournament]
        return any(season.top is not None for season in seasons)

    def masks(self, tournament: str) -> bool:
        """Whether not all names are told in a tournament."""
        return tournament in self.unnamed

    def alias(self, tournament: str, bot: str) -> str:
        """What a bot is called in a tournament, where no season is meant."""
        seasons = [masked for masked in self.masked.values() if masked.tournament == tournament]
        for season in seasons:
            if bot in season.aliases:
                return season.aliases[bot]
        hidden = self.masks(tournament) and not any(bot in season.named for season in seasons)
        return SOMEBODY if hidden else bot


OPEN = VisibilityPolicy()
"""The visibility policy of those who see everything."""

POLICY = "policy"
LEFT_OUT = "left out"


def policy_of(session: Session) -> VisibilityPolicy:
    """The visibility policy that is drawn before a session."""
    policy: VisibilityPolicy = session.info.get(POLICY, OPEN)
    return policy


def leave_out(session: Session, bot: str) -> None:
    """Hide the seasons in which a bot has another name, on a page that is about this bot."""
    policy = policy_of(session)
    names = {season for season in policy.masked if policy.hides_name(season, bot)}
    if names:
        session.info[LEFT_OUT] = frozenset(names)


def _filtered(state: ORMExecuteState) -> None:
    """Have a query find nothing that is hidden, neither in itself nor in its subqueries."""
    if not state.is_select:
        return
    policy = policy_of(state.session)
    left_out: AbstractSet[int] = state.session.info.get(LEFT_OUT, frozenset())
    matches = _hidden(policy, left_out)
    seasons = sorted({*policy.frozen, *left_out})
    newer = _newer(policy)
    criteria: list[tuple[Any, Any]] = [
        (SeasonRow, SeasonRow.id.not_in(newer)),
        (MatchRow, MatchRow.id.not_in(matches)),
    ]
    criteria += [(row, row.match_id.not_in(matches)) for row in OF_MATCHES]
    for row in OF_SEASONS:
        criteria.append((row, row.season_id.not_in(seasons) & row.season_id.not_in(newer)))
    criteria.append((InterventionRow, _shown_interventions(policy)))
    options = [with_loader_criteria(row, hidden, include_aliases=True) for row, hidden in criteria]
    state.statement = state.statement.options(*options)


def _newer(policy: VisibilityPolicy) -> AnySelect[Any]:
    """The ids of the seasons that began after the visibility policy was made."""
    seasons, tournaments = _table(SeasonRow), _table(TournamentRow)
    known = sorted(number for season in policy.seasons.values() for number in season)
    return (
        select(seasons.c.id)
        .join(tournaments, tournaments.c.id == seasons.c.tournament_id)
        .where(tournaments.c.name.in_(sorted(policy.seasons)), seasons.c.id.not_in(known))
    )


def _hidden(policy: VisibilityPolicy, left_out: AbstractSet[int]) -> AnySelect[Any]:
    """The ids of all hidden matches.

    They are looked up in plain tables, where the criteria of the rows don't apply once more.
    """
    matches, seats = _table(MatchRow), _table(SeatRow)
    late = [
        (matches.c.season_id == season) & (matches.c.stored > frozen.since)
        for season, frozen in policy.frozen.items()
    ]
    frozen = or_(*late) if late else matches.c.id.is_(None)
    if policy.own and late:
        versions, bots = _table(VersionRow), _table(BotRow)
        own = (
            select(seats.c.match_id)
            .join(versions, versions.c.id == seats.c.version_id)
            .join(bots, bots.c.id == versions.c.bot_id)
            .where(bots.c.author.in_(sorted(policy.own)))
        )
        frozen &= matches.c.id.not_in(own)
    newer = matches.c.season_id.in_(_newer(policy))
    hidden = or_(frozen, matches.c.season_id.in_(sorted(left_out)), newer)
    return select(matches.c.id).where(hidden)


def _shown_interventions(policy: VisibilityPolicy) -> ColumnElement[bool]:
    """What was not done to a frozen season since; it would tell of results, as a probation does."""
    late = [
        (InterventionRow.season_id == season)
        & (InterventionRow.made >= frozen.since.replace(microsecond=0))
        for season, frozen in policy.frozen.items()
    ]
    return not_(or_(*late)) if late else true()


def _table(row: Any) -> Table:
    table = row.__table__
    assert isinstance(table, Table)
    return table
