"""What all pages share: the store, what was read from it lately, and the search for bots."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from functools import lru_cache, partial
from threading import Lock

from flask import Blueprint, current_app, g, request

from leaderboard import matches
from leaderboard.bots import bot_titles
from leaderboard.rules import LanguageShape
from leaderboard.seasons import match_annulled
from leaderboard.standings import Figures, Standings, season_figures
from leaderboard.standings import standings as read_standings
from leaderboard.tournaments import matches_so_far
from leaderboard.versus import AllGames, Versus, over_all_games
from leaderboard.versus import versus as read_versus
from leaderboard.web import replays
from leaderboard.web.caches import WAIT, ThrottledCache
from leaderboard.web.replays import seat_names
from leaderboard.web.season_files import SeasonFiles
from leaderboard.web.seen_by import Everybody
from results.store import Store
from tables.registry import GAMES, game

blueprint = Blueprint("pages", __name__)

ROWS = 15
"""How many bots or matches one page of a long list shows; it links to the others."""

LONG = 2_000
"""Matches from which on what a running season shows is worked out less often."""

CURTAINS = 16
"""For how many readers who see different results what was looked at lately is kept."""

LONGEST_SEARCH = 80
"""How many characters of a search are read."""


class Site:
    """What the pages share: the store, and the matches that were looked at lately.

    A stored match never changes, so it is read and replayed once for many readers. `languages` are
    those that bots may be written in: the site itself runs none, and has to be told. `zone` is
    the arena's time zone. One page of a long list shows so many `rows`. Those who
    don't see the same results have a site each (`seen`), whose store has less in it.
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
        self.seen_by = Everybody()
        self.season_files = SeasonFiles(store, store.database.place_beside("seasons"))
        self._behind: OrderedDict[Hashable, Site] = OrderedDict()
        self._lock = Lock()
        self._match = lru_cache(maxsize=64)(partial(matches.match, store))
        self.film = lru_cache(maxsize=16)(self._film)
        self._figures: dict[int, ThrottledCache[Figures]] = {}
        self._versus: dict[str, ThrottledCache[Versus]] = {}
        self._all_games: ThrottledCache[AllGames] = ThrottledCache(WAIT)

    def seen(self) -> Site:
        """The site as whoever asks now may see it."""
        policy = self.seen_by.policy()
        if not policy.hides:
            return self
        with self._lock:
            found = self._behind.pop(policy.key, None)
            found = found or Site(self.store.behind(policy), self.languages, self.zone, self.rows)
            self._behind[policy.key] = found
            while len(self._behind) > CURTAINS:
                self._behind.popitem(last=False)
            return found

    def standings(self, name: str, number: int | None = None) -> Standings:
        """A season's standings with their figures, which are computed again when they change.

        Points and ratings change together, every few seconds and not with every match; without
        ratings it is about all matches. Those of a long season may be a little older.
        """
        table = read_standings(self.store, name, number)
        season = table.season
        so_far = (
            tuple((line.version_id, line.points, line.rating) for line in table.standings),
            0 if season.rated else season.matches,
        )
        patience = WAIT if season.state == "running" and season.matches > LONG else 0.0
        kept = self._figures.setdefault(season.id, ThrottledCache())
        kept.patience = patience
        figures = kept.at(so_far, lambda: season_figures(self.store, table))
        return table.with_figures(figures)

    def versus(self, name: str) -> Versus:
        """A tournament over all its seasons, fitted anew when there are more matches."""
        kept = self._versus.get(name) or ThrottledCache(WAIT)
        so_far = matches_so_far(self.store, name)
        found = kept.at(so_far, lambda: read_versus(self.store, name))
        self._versus[name] = kept  # only now: there are more unknown names than tournaments
        return found

    def all_games(self) -> AllGames:
        """The order over all games, fitted anew when there are more matches."""
        so_far = matches_so_far(self.store)
        return self._all_games.at(so_far, lambda: over_all_games(self.store))

    def match(self, key: str) -> matches.MatchDetail:
        """Return a match; all of it is kept but whether it was annulled."""
        return self._match(key).model_copy(update={"annulled": match_annulled(self.store, key)})

    def _film(self, key: str, number: int) -> replays.Film:
        match = self._match(key)
        record = match.records[number]
        return replays.film(game(record.game), record, seat_names(match, number))


def site() -> Site:
    """The site that this request is for, as whoever asks may see it."""
    return whole_site().seen()


def whole_site() -> Site:
    """The site that this request is for, with all that there is."""
    found = current_app.extensions["arena"]
    assert isinstance(found, Site)
    return found


def game_title(name: str) -> str:
    return GAMES[name].title if name in GAMES else name


def bot_title(name: str) -> str:
    """The title that a bot's author has given it, empty if there is none."""
    if "bot_titles" not in g:
        g.bot_titles = bot_titles(site().store)
    return str(g.bot_titles.get(name, ""))


def searched_text() -> str:
    """What a reader searches the bots for; nothing where the whole list is wanted."""
    return " ".join(request.args.get("bot", "").split())[:LONGEST_SEARCH]


def matches_search(searched: str, *texts: str) -> bool:
    """Whether one of these texts holds what a reader searches for."""
    return any(searched.lower() in text.lower() for text in texts)
