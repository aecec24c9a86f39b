"""A small arena with a past: real blackjack by scripted players, stored through the real store.

`friday` has a finished season and one that is running; `sunday` and `named` are announced and were
never played. `two-halls` has two groups of bots that never met. The public values of `cup` and
`ladder` were drawn; `awaited` waits for a beacon's. Every other game has
a season of its name with one duplicate match, and `mixed` one of partners who are different bots,
with open hands. One author writes whatever could hurt a page.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any

from sqlalchemy import update

from card_arena.common.faults import Facts
from card_arena.formats.field import MatchKey, Placing
from card_arena.ratings.match_results import Played, margins, scorecard
from card_arena.results.entries import Entrant, Season, Submission, Version
from card_arena.results.models import BotRow
from card_arena.results.proof.manifest import NO_PUBLIC_VALUE
from card_arena.results.store import Store
from card_arena.tables.dealing import Packs
from card_arena.tables.game import Game, Phase, Terminal
from card_arena.tables.record import Record
from card_arena.tables.referee import Step, play
from card_arena.tables.registry import GAMES, game
from card_arena.tables.seating import seating_plan
from card_arena.tests.leaderboard.web.pictures import cuts, queue
from card_arena.tests.results.made import labels, made_terms, ranked, save_match
from card_arena.tests.season_settings import season_settings

HOSTILE = (
    '<script>alert("&")</script>\x1b[31mred\x1b[0m \u202egnp.exe\u202c \u200b'
    "<img src=x onerror=alert(1)>"
)
"""Markup, a terminal's escapes, a direction override and a space of no width."""

DRAWN = {"source": "drawn", "how": f"six balls from an urn, on film {HOSTILE}"}
BEACON = {
    "source": "drand",
    "chain": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    "genesis": 1_692_803_367,
    "period": 3,
    "round": 45_000_000,
}
"""Where public values come from."""

AUTHORS = {"davey": "ada", "lim17": "grace", "chatty": "<b>eve</b> \u202elave", "silent": "ada"}


@dataclass(frozen=True)
class Said:
    line: str | None = None
    fault: str | None = None
    code: str = ""
    facts: Facts = field(default_factory=dict)
    stderr: str = ""
    wall: int = 840
    cpu: int = 500
    peak: int = 2**21


SILENT = Said(fault="timeout", code="no-answer", facts={"microseconds": 1_000_000})


@dataclass
class Scripted:
    """A player whose answer follows from the question alone."""

    answer: Callable[[int, str, int, int], Said]

    def ask(self, words: Sequence[str]) -> Said:
        return self.answer(int(words[0]), words[2], int(words[3]), int(words[4]))

    def tell(self, line: str) -> None:
        """News are not for this one."""


def limit(stop: int) -> Callable[[int, str, int, int], Said]:
    return lambda score, _, stake, chips: Said("H" if score < stop else "S")


def bold(score: int, visible: str, stake: int, chips: int) -> Said:
    if score >= 19 and stake == 10 and chips >= 15:
        return Said("B 15")
    return Said(
        "D" if score in (10, 11) and stake == 10 and chips >= 10 else "H" if score < 16 else "S"
    )


def chatty(score: int, visible: str, stake: int, chips: int) -> Said:
    if score in (12, 20):
        return Said(HOSTILE, stderr=f"{HOSTILE}\nTraceback: all wrong\n")
    return Said("H" if score < 14 else "S")


def silent(score: int, visible: str, stake: int, chips: int) -> Said:
    return replace(SILENT, stderr="thinking ...", wall=1_000_000)


PLAYERS: dict[str, Callable[[int, str, int, int], Said]] = {
    "davey": bold,
    "lim17": limit(17),
    "lim15": limit(15),
    "lim19": limit(19),
    "chatty": chatty,
    "silent": silent,
    "a-name-of-thirty-two-characters-": limit(13),
}

SEED = bytes(range(32))


def submitted(store: Store, name: str, digest: str = "1") -> Version:
    version, _ = store.submit(
        Submission(
            name=name,
            games=("blackjack",),
            protocol="argv",
            language="c" if name == "davey" else "python",
            about=HOSTILE if name == "chatty" else "Stands where it should.",
            tags=("house",),
            digest=digest * 64,
            archive=b"",
        ),
        "eve" if name == "chatty" else AUTHORS.get(name, "house"),
        ["house"],
    )
    if name == "chatty":
        # nobody can be called so now; whoever can write into the database can
        with store.database.writing() as session:
            session.execute(update(BotRow).where(BotRow.name == name).values(author=AUTHORS[name]))
    return version


def table(key: str, names: Sequence[str], purses: Sequence[int] = ()) -> Record:
    rules = game("blackjack")
    players = [Scripted(PLAYERS[name]) for name in names]
    return play(rules, rules.options(), players, Packs(SEED, key), purses=purses)


def play_tables(
    store: Store, season: Season, legs: Iterable[int], tables: Sequence[Sequence[Version]]
) -> list[Played]:
    """Two rounds a leg at fixed tables, chips carried from the first to the second."""
    stored = []
    for leg in legs:
        for letter, versions in zip(ascii_lowercase, tables, strict=False):
            purses: tuple[int, ...] = ()
            for number in (1, 2):
                place = (f"t{leg:02}", f"r{number}", letter)
                key = str(MatchKey(season.tournament, season.number, place))
                record = table(key, [version.bot for version in versions], purses)
                purses = record.over.purses
                ids = tuple(version.id for version in versions)
                everybody = tuple(range(len(ids)))
                match = Played(
                    key, leg, number, labels(key), ids, everybody, (everybody,), (record,), 0.1
                )
                assert save_match(store, season.id, match)
                stored.append(match)
    return stored


def placed(played: Sequence[Played]) -> tuple[Placing, ...]:
    """The placings by mean chips after the second round of every leg."""
    finals: dict[int, list[tuple[int, int]]] = {}
    for match in played:
        if match.round == 2:
            for version, purse in zip(match.versions, match.records[-1].over.purses, strict=True):
                finals.setdefault(version, []).append((match.leg, purse))
    means = {v: sum(chips for _, chips in legs) / len(legs) for v, legs in finals.items()}
    return tuple(
        replace(placing, legs=tuple(sorted(finals[placing.version]))) for placing in ranked(means)
    )


SETTINGS = {
    "name": "friday",
    "game": "blackjack",
    "options": {"dealer_stands_at": 17},
    "format": {"contest": {"legs": 6, "rounds": 2}},
    "same_author": "together",
    "clock": {"question": "1s", "start": "5s"},
    "schedule": {"cron": "0 20 * * FRI", "zone": "Asia/Yerevan", "missed": "run_once"},
}


@dataclass
class Chance:
    """A player who takes any legal action: it looks at the table and not at its question."""

    rng: random.Random
    phase: Phase | Terminal

    def ask(self, words: Sequence[str]) -> Said:
        assert not isinstance(self.phase, Terminal)
        action = self.phase.legal_actions(self.phase.to_act).sample(self.rng)
        return Said(self.phase.write(action))

    def tell(self, line: str) -> None:
        """News are not for this one."""


class Mute(Chance):
    """A player who never answers."""

    def ask(self, words: Sequence[str]) -> Said:
        return SILENT


def by_chance(
    rules: Game, options: Any, seats: int, packs: Packs, seed: int, mute: Sequence[int] = ()
) -> Record:
    """A game of players who take any legal action, but for seats that are mute."""
    start = rules.start(options, seats)
    players = [
        (Mute if seat in mute else Chance)(random.Random(f"{seed}/{seat}"), start)
        for seat in range(seats)
    ]

    def watch(step: Step) -> None:
        for player in players:
            player.phase = step.after

    return play(rules, options, players, packs, watch=watch)


def play_duplicate(
    store: Store,
    name: str,
    rules: Game,
    versions: Sequence[Version],
    *,
    mute: int | None = None,
    **options: Any,
) -> None:
    """One season of one match: a board of the game's own short example, with the seats rotated.

    The entrant that is `mute` never answers.
    """
    seats = 2 if rules.name == "durak" else rules.example.seats
    table = rules.example.options.model_copy(update=options)
    line = seating_plan(rules.sides(table, seats), apart=name == "mixed", duplicate=True)
    chosen = versions[: len(line.sides)]
    of_table = {"seats": seats, "duplicate": True, "options": options}
    settings = {"name": name, "game": rules.name, **of_table}
    settings["format"] = {"contest": {"legs": 1, "rounds": 2}}
    season = store.begin_season(
        name,
        made_terms(SETTINGS | settings, points_title="mean margin"),
        SEED,
        [Entrant(version.id) for version in chosen],
        datetime(2026, 3, 6, 16, 0, tzinfo=UTC),
    )
    key = f"{name}/0001/t01/r1/a"
    records = tuple(
        by_chance(
            rules,
            table,
            seats,
            Packs(SEED, key),
            turn,
            [seat for seat, sitting in enumerate(seating) if sitting == mute],
        )
        for turn, seating in enumerate(line.seatings)
    )
    ids = tuple(version.id for version in chosen)
    match = Played(key, 1, 1, labels(key, legs=1), ids, line.sides, line.seatings, records, 0.1)
    assert save_match(store, season.id, match)
    found = margins(scorecard(records, line.seatings, line.sides))
    means = {
        version: float(margin / len(records)) for version, margin in zip(ids, found, strict=True)
    }
    store.save_standings(season.id, ranked(means))
    store.finish_season(season.id)
    store.refresh_ratings(name)


def begin(
    store: Store,
    name: str,
    versions: Sequence[Version],
    absent: Sequence[Entrant] = (),
    *,
    settings: Mapping[str, Any] = MappingProxyType({}),
    public_value: Mapping[str, Any] = NO_PUBLIC_VALUE,
    seed: bytes | None = SEED,
) -> Season:
    entrants = [Entrant(version.id) for version in versions]
    wanted = SETTINGS | {"name": name, **settings}
    return store.begin_season(
        name,
        made_terms(wanted, public_value=public_value, points_title="mean chips"),
        seed,
        [*entrants, *absent],
        datetime(2026, 3, 6, 16, 0, tzinfo=UTC),
    )


def furnish(store: Store) -> None:
    """Fill a store with everything that a page may have to show."""
    names = (
        "davey",
        "lim17",
        "chatty",
        "silent",
        "lim15",
        "lim19",
        "a-name-of-thirty-two-characters-",
    )
    bots = {name: submitted(store, name) for name in names}
    absent = Entrant(
        submitted(store, "homeless").id, "its language, Common Lisp, is not installed here"
    )

    def seated(*names: str) -> list[list[Version]]:
        """Those at the first table, and everybody else at the second."""
        rest = [name for name in bots if name not in names]
        return [[bots[name] for name in table] for table in (names, rest)]

    def play_friday(season: Season, legs: Sequence[int]) -> None:
        """Change who meets whom from leg to leg, so that all are linked."""
        played = play_tables(
            store, season, legs[::2], seated("davey", "lim17", "chatty", "silent")
        ) + play_tables(store, season, legs[1::2], seated("davey", "lim15", "chatty", "silent"))
        store.save_standings(season.id, placed(played))

    first = list(bots.values())
    second = [[bots[n] for n in ("davey", "lim17")], [bots[n] for n in ("lim15", "lim19")]]

    season = begin(store, "friday", list(bots.values()), [absent])
    play_friday(season, range(1, 7))
    store.finish_season(season.id)
    bots["davey"] = submitted(store, "davey", "2")
    season = begin(store, "friday", list(bots.values()), [absent])
    play_friday(season, range(1, 3))
    store.plan_season(season.id, 24)
    store.refresh_ratings("friday")

    both = [version for hall in second for version in hall]
    season = begin(store, "two-halls", both)
    store.save_standings(season.id, placed(play_tables(store, season, range(1, 4), second)))
    store.finish_season(season.id)
    store.refresh_ratings("two-halls")

    for name, draw in (("cup", cuts), ("ladder", queue)):
        season = begin(store, name, first, public_value=DRAWN, seed=None)
        store.reveal(name, "17 42 3 <b>5</b>")
        played = play_tables(store, season, range(1, 3), [first[:4], first[4:]])
        drawn = draw([version.id for version in first])
        store.save_standings(season.id, placed(played), [drawn.to_data()])
        store.refresh_ratings(name)

    begin(store, "awaited", first, public_value=BEACON, seed=None)

    versions = list(bots.values())
    for rules in (rules for rules in GAMES.values() if not rules.carries):
        play_duplicate(store, rules.name, rules, versions)
    play_duplicate(store, "mixed", game("spades"), versions, open_hands=True)
    store.note_build(bots["silent"].id, False, f"it lacks {HOSTILE}", "")
    store.announce(
        {
            "friday": season_settings(SETTINGS),
            "sunday": season_settings(
                SETTINGS
                | {
                    "name": "sunday",
                    "options": {"dealer_stands_at": 18, "push": "return", "hands": 5},
                    "entrants": {"tags": ["house"]},
                    "schedule": {"cron": "30 9 * * SUN", "zone": "America/New_York"},
                }
            ),
            "named": season_settings(
                SETTINGS
                | {"name": "named", "entrants": ["davey@1", "lim17", "ghost"], "schedule": None}
            ),
        },
        all_there_are=True,
    )


def crowd(store: Store, bots: int, legs: int) -> Season:
    """A finished season of many bots, four at a table, in an order of its own every leg."""
    versions = []
    for number in range(bots):
        name = f"crowd-{number:03}"
        PLAYERS.setdefault(name, limit(10 + number % 10))
        versions.append(submitted(store, name))
    season = begin(store, "crowd", versions)
    played: list[Played] = []
    rng = random.Random(2011)
    for leg in range(1, legs + 1):
        order = rng.sample(versions, len(versions))
        tables = [order[at : at + 4] for at in range(0, len(order), 4)]
        played += play_tables(store, season, [leg], tables)
    store.save_standings(season.id, placed(played))
    store.finish_season(season.id)
    store.refresh_ratings("crowd")
    return season
