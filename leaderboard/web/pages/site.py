"""The common parts of all pages: the store, cached results, and the search for bots."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from functools import lru_cache, partial
from threading import Lock

from flask import Blueprint, current_app, g, request

from card_arena.leaderboard import matches
from card_arena.leaderboard.bots import bot_titles
from card_arena.leaderboard.reviews import MatchReview, stored_review
from card_arena.leaderboard.rules import LanguageShape
from card_arena.leaderboard.seasons import match_annulled
from card_arena.leaderboard.standings import Figures, Standings, season_figures
from card_arena.leaderboard.standings import standings as read_standings
from card_arena.leaderboard.tournaments import matches_so_far
from card_arena.leaderboard.versus import AllGames, Versus, over_all_games
from card_arena.leaderboard.versus import versus as read_versus
from card_arena.leaderboard.web import replays
from card_arena.leaderboard.web.caches import WAIT, ThrottledCache
from card_arena.leaderboard.web.replays import seat_names
from card_arena.leaderboard.web.season_files import SeasonFiles
from card_arena.results.store import Store
from card_arena.results.visibility import OPEN, VisibilityPolicy
from card_arena.tables.registry import GAMES, game

blueprint = Blueprint("pages", __name__)

ROWS = 15
"""How many bots or matches one page of a long list shows; it links to the others."""

LONG = 2_000
"""From so many matches on, the figures of a running season are computed less often."""

MOST_POLICIES = 16
"""The most visibility policies that have a site of their own in memory."""

LONGEST_SEARCH = 80
"""The most characters of a search."""


class Readers:
    """Decides the visibility policy of the reader of this request; here, everybody sees everything.

    A site with accounts has a subclass of it.
    """

    def policy(self) -> VisibilityPolicy:
        return OPEN

    def is_restricted(self) -> bool:
        """Whether anything is hidden from anybody, so that answers differ between readers."""
        return False

    def state(self) -> Hashable:
        """A value that changes whenever this reader is to see something else."""
        return None

    def is_somebody(self) -> bool:
        """Whether this reader sees more than a visitor."""
        return False

    def person(self) -> tuple[int, str] | None:
        """The number and the name of this reader in accounts; None for a guest."""
        return None

    def hidden_from_others(self, tournament: str) -> str:  # noqa: ARG002
        """The results of a tournament that only this reader sees, in words."""
        return ""


class Site:
    """The store of the pages, with caches of matches, replays and fits.

    `languages` are those of bots; the site runs none. `zone` is the arena's time zone. One page of
    a long list shows so many `rows`. Each visibility policy has a site of its own (`seen`), whose
    store hides rows.
    """

    def __init__(
        self,
        store: Store,
        languages: Sequence[LanguageShape] = (),
        zone: str = "UTC",
        rows: int = ROWS,
    ) -> None:
        self.store = store
        self.languages = languages
        self.zone = zone
        self.rows = rows
        self.readers = Readers()
        self.season_files = SeasonFiles(store, store.database.place_beside("seasons"))
        self._restricted: OrderedDict[Hashable, Site] = OrderedDict()
        self._lock = Lock()
        self._match = lru_cache(maxsize=64)(partial(matches.match, store))
        self.replay = lru_cache(maxsize=16)(self._replay)
        self.paired = lru_cache(maxsize=4)(self._paired)
        self._review = lru_cache(maxsize=64)(lambda _: ThrottledCache[MatchReview | None]())
        self._figures: dict[int, ThrottledCache[Figures]] = {}
        self._versus: dict[str, ThrottledCache[Versus]] = {}
        self._all_games: ThrottledCache[AllGames] = ThrottledCache(WAIT)

    def seen(self) -> Site:
        """The site with the visibility policy of this reader."""
        policy = self.readers.policy()
        if not policy.hides:
            return self
        with self._lock:
            site = self._restricted.pop(policy.key, None)
            site = site or Site(self.store.filtered(policy), self.languages, self.zone, self.rows)
            site.readers = self.readers
            self._restricted[policy.key] = site
            while len(self._restricted) > MOST_POLICIES:
                self._restricted.popitem(last=False)
            return site

    def standings(self, name: str, number: int | None = None) -> Standings:
        """A season's standings with their figures, which are computed again when points change.

        Points and ratings change together, every few seconds and not with every match; an unrated
        season is computed again with every match. The figures of a long season may be older.
        """
        table = read_standings(self.store, name, number)
        season = table.season
        so_far = (
            tuple((line.version_id, line.points, line.rating) for line in table.standings),
            0 if season.rated else season.matches,
        )
        patience = WAIT if season.state == "running" and season.matches > LONG else 0.0
        cache = self._figures.setdefault(season.id, ThrottledCache())
        cache.patience = patience
        figures = cache.at(so_far, lambda: season_figures(self.store, table))
        return table.with_figures(figures)

    def versus(self, name: str) -> Versus:
        """A tournament over all its seasons, fitted again when there are more matches."""
        cache = self._versus.get(name) or ThrottledCache(WAIT)
        so_far = matches_so_far(self.store, name)
        result = cache.at(so_far, lambda: read_versus(self.store, name))
        self._versus[name] = cache  # after the read, so that unknown names are not kept
        return result

    def all_games(self) -> AllGames:
        """The ranking over all games, fitted again when there are more matches."""
        so_far = matches_so_far(self.store)
        return self._all_games.at(so_far, lambda: over_all_games(self.store))

    def match(self, key: str) -> matches.MatchDetail:
        """Return a match; all of it is cached but whether it was annulled."""
        return self._match(key).model_copy(update={"annulled": match_annulled(self.store, key)})

    def review(self, key: str) -> MatchReview | None:
        """Return the review of a match as far as it is done; None if it has not begun.

        It is computed again while evaluations come in. Raises `BadRecord` and `UnknownGame`.
        """
        asked = self.store.review(key)
        if asked is None:
            return None
        cache = self._review(key)
        cache.patience = 0.0 if asked.finished else WAIT
        state = asked if asked.finished else time.monotonic()
        return cache.at(state, lambda: stored_review(self.store, self._match(key)))

    def _replay(self, key: str, number: int) -> replays.Replay:
        match = self._match(key)
        record = match.records[number]
        return replays.replay_of(game(record.game), record, seat_names(match, number))

    def _paired(self, key: str, number: int, beside: int) -> replays.PairedTables:
        return replays.paired(self.replay(key, number), self.replay(key, beside))


def site() -> Site:
    """The site of this request, with the visibility policy of its reader."""
    return whole_site().seen()


def whole_site() -> Site:
    """The site of this request, without a visibility policy."""
    site = current_app.extensions["arena"]
    assert isinstance(site, Site)
    return site


def game_title(name: str) -> str:
    return GAMES[name].title if name in GAMES else name


def bot_title(name: str) -> str:
    """The title that a bot's author has given it, empty if there is none."""
    if "bot_titles" not in g:
        g.bot_titles = bot_titles(site().store)
    return str(g.bot_titles.get(name, ""))


def searched_text() -> str:
    """The search text of this request; empty for the whole list."""
    return " ".join(request.args.get("bot", "").split())[:LONGEST_SEARCH]


def matches_search(searched: str, *texts: str) -> bool:
    return any(searched.lower() in text.lower() for text in texts)
