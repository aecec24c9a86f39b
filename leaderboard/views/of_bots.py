"""Bots: all of them in a list, and one with its versions, ratings, results and faults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import exists, func, select

from leaderboard.storage.curation import UnknownBot
from leaderboard.storage.curtain import leave_out
from leaderboard.storage.entries import Build, Version
from leaderboard.storage.models import BotRow, BuildRow, EntrantRow, VersionRow
from leaderboard.storage.store import Store
from leaderboard.storage.versions import build_of, facts, is_newest, version_of, versions
from leaderboard.views.bot_chairs import BotChairs, bot_chairs
from leaderboard.views.bot_faults import BotFault, bot_faults, fault_counts
from leaderboard.views.bot_ratings import RatingPoint, bot_ratings
from leaderboard.views.bot_results import BotResult, bot_results
from leaderboard.views.bot_seasons import BotSeason, bot_seasons
from leaderboard.views.paging import PAGE, Page


@dataclass(frozen=True, slots=True, kw_only=True)
class BotLine(Version):
    """A bot in the list of all, by its newest version; `built` is None before the first try."""

    built: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionLine(Version):
    """One version of a bot; `build` is None before the first try."""

    build: Build | None


@dataclass(frozen=True, slots=True)
class BotPage:
    """The content of a bot's page.

    `withdrawn` is the time since which it enters no new season; `organiser_tags` are those that
    tournaments choose by. `versions` and `seasons` are newest first, and `results` is one page of
    all results, newest first. `ratings` holds a line for each tournament, in playing order and
    thinned to a hundred points. `chairs` is how its newest version in each tournament does in
    each chair. `faults` are the newest ones; `fault_counts` counts all faults by kind, out of all
    `decisions`, and `forgiven_counts` those of them that the tournaments forgive.
    """

    name: str
    author: str
    withdrawn: datetime | None
    organiser_tags: tuple[str, ...]
    versions: tuple[VersionLine, ...]
    seasons: tuple[BotSeason, ...]
    ratings: Mapping[str, tuple[RatingPoint, ...]]
    chairs: tuple[BotChairs, ...]
    results: Page[BotResult]
    decisions: int
    fault_counts: Mapping[str, int]
    forgiven_counts: Mapping[str, int]
    faults: tuple[BotFault, ...]


def bots(store: Store) -> tuple[BotLine, ...]:
    """Every bot with its newest version, in order of name."""
    query = (
        versions()
        .add_columns(BuildRow.ok)
        .outerjoin(BuildRow, BuildRow.version_id == VersionRow.id)
        .where(is_newest())
        .order_by(BotRow.name)
    )
    with store.database.reading() as session:
        return tuple(
            BotLine(**facts(row, owner), built=built)
            for row, owner, built in session.execute(query)
        )


def all_versions(store: Store) -> tuple[Version, ...]:
    """Every version of every bot, in order of the bots' names and of their numbers."""
    query = versions().order_by(BotRow.name, VersionRow.number)
    with store.database.reading() as session:
        return tuple(version_of(row, owner) for row, owner in session.execute(query))


def versions_of_author(store: Store, author: str) -> Mapping[int, Version]:
    """Every version of an author's bots, by its id."""
    with store.database.reading() as session:
        rows = session.execute(versions().where(BotRow.author == author))
        return {row.id: version_of(row, owner) for row, owner in rows}


def bots_playing_for(store: Store, author: str) -> frozenset[str]:
    """The bots that count among those an author may have, by name: all that are not withdrawn."""
    has_version = exists().where(VersionRow.bot_id == BotRow.id)
    query = select(BotRow.name).where(
        BotRow.author == author, BotRow.withdrawn.is_(None), has_version
    )
    with store.database.reading() as session:
        return frozenset(session.scalars(query))


def bot_titles(store: Store) -> Mapping[str, str]:
    """The title of each bot that has one, by name."""
    query = select(BotRow.name, BotRow.title).where(BotRow.title.is_not(None))
    with store.database.reading() as session:
        return {name: title for name, title in session.execute(query) if title}


def bot(store: Store, name: str, page: int = 1, size: int = PAGE) -> BotPage:
    """The page of one bot, with this page of its results; raises `UnknownBot`."""
    with store.database.reading() as session:
        owner = session.scalar(select(BotRow).where(BotRow.name == name))
        if owner is None:
            raise UnknownBot(f"no bot is called {name[:80]!r}")
        leave_out(session, name)
        rows = session.execute(
            versions()
            .add_columns(BuildRow)
            .outerjoin(BuildRow, BuildRow.version_id == VersionRow.id)
            .where(VersionRow.bot_id == owner.id)
            .order_by(VersionRow.number.desc())
        ).all()
        numbers = {row.id: row.number for row, _, _ in rows}
        counts, forgiven = fault_counts(session, numbers)
        decisions = select(func.sum(EntrantRow.decisions)).where(EntrantRow.version_id.in_(numbers))
        return BotPage(
            name=owner.name,
            author=owner.author,
            withdrawn=owner.withdrawn,
            organiser_tags=tuple(owner.tags),
            versions=tuple(
                VersionLine(**facts(row, owner), build=build_of(build) if build else None)
                for row, _, build in rows
            ),
            seasons=tuple(bot_seasons(session, numbers)),
            ratings=bot_ratings(session, numbers),
            chairs=bot_chairs(session, numbers),
            results=bot_results(session, numbers, page, size),
            decisions=session.scalar(decisions) or 0,
            fault_counts=counts,
            forgiven_counts=forgiven,
            faults=tuple(bot_faults(session, numbers)),
        )
