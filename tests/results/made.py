"""Small records and contests made by hand, for tests that don't want to play any cards.

The game is made up: every seat takes some turns, and the scores are whatever the test says. Where
a seat is struck out it is called blackjack, whose rules say what that costs: 200 chips.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from card_arena.common.faults import Fault, FaultEvent
from card_arena.formats.field import MatchKey, Placing
from card_arena.leaderboard.standings import Standing
from card_arena.ratings.match_results import Played, Result
from card_arena.ratings.trueskill_ratings import Rating
from card_arena.results.entries import Entrant, Season, Submission, Version
from card_arena.results.proof.manifest import NO_PUBLIC_VALUE, Terms
from card_arena.results.records import Finished, finished
from card_arena.results.store import Store
from card_arena.results.stored_match import Checked
from card_arena.tables.game import CHANCE, Terminal
from card_arena.tables.record import Record, Turn
from card_arena.tables.registry import GAMES
from card_arena.tests.season_settings import season_settings

DUE = datetime(2026, 1, 2, 20, 0, tzinfo=UTC)
SEED = bytes(range(32))
CODES = {
    Fault.TIMEOUT: ("no-answer", {"microseconds": 1_000_000}),
    Fault.CRASH: ("exit", {"exit": 1}),
    Fault.MALFORMED: ("no-line", {}),
    Fault.ILLEGAL: ("not-allowed", {"allowed": {"words": ["pass"]}}),
    Fault.FLOOD: ("output", {"bytes": 65536}),
    Fault.MEMORY: ("memory", {"bytes": 2**28}),
}
"""A fault of each kind, as code and facts."""


def checked_matches(store: Store, season_id: int) -> Iterator[Checked]:
    """Return the matches of a season in key order, compared with their records."""
    for chunk in store.chunks(season_id, until=2**31 - 1):
        for match in store.stored_matches(chunk):
            yield match.checked()


def save_match(store: Store, season_id: int, match: Played | Finished) -> Result:
    """Store a match as the runner does many; return the match in brief."""
    done = finished(match) if isinstance(match, Played) else match
    return store.save_matches(season_id, [done])[0]


def made_submission(name: str, digest: str = "d1", games: Sequence[str] = ("snap",)) -> Submission:
    return Submission(
        name=name,
        games=tuple(games),
        protocol="argv",
        language="python",
        about=f"{name} plays",
        tags=("house",),
        digest=digest,
        archive=f"files of {name} {digest}".encode(),
    )


def made_record(
    scores: Sequence[int],
    *,
    purses: Sequence[int] = (),
    faults: Mapping[int, Sequence[str]] | None = None,
    struck_out: Sequence[int] = (),
    forgiven: Sequence[str] = (),
    wall: int = 1000,
) -> Record:
    """A game of five hands in which every seat takes three turns.

    `faults` are the kinds of fault that a seat's first turns are, and those of the kinds in
    `forgiven` are no strikes. `purses` is what the seats hold afterwards. An answer of seat s takes
    `wall` + s microseconds.
    """
    turns = [Turn(CHANCE, "a b c")]
    for number in range(3):
        for seat in range(len(scores)):
            kinds = (faults or {}).get(seat, ())
            out = seat in struck_out and number >= len(kinds)
            fault = None
            if number < len(kinds):
                kind = Fault(kinds[number])
                fault = FaultEvent(kind, *CODES[kind], struck=kind not in forgiven)
            asked = Turn(seat, "pass", f"ask {seat} {number}", "?" if fault else "pass")
            taken = asked._replace(wall=wall + seat, cpu=7, peak=4096, fault=fault)
            turns.append(Turn(seat, "pass") if out else taken)
    return Record(
        game="blackjack" if struck_out else "snap",
        version=1,
        options={"hands": 5},
        seats=len(scores),
        purses=(),
        turns=tuple(turns),
        struck_out=tuple(struck_out),
        over=Terminal(
            scores=tuple(scores),
            hands=(5,) * len(scores),
            won=(1,) * len(scores),
            purses=tuple(purses),
        ),
    )


def made_match(key: str, versions: Sequence[int], *records: Record) -> Played:
    """A match of the key `<tournament>/<season>/t<leg>/r<round>/<table>`, each for itself."""
    everybody = tuple(range(len(versions)))
    return made_duplicate(key, versions, everybody, (everybody,) * len(records), *records)


def made_duplicate(
    key: str,
    versions: Sequence[int],
    sides: Sequence[int],
    seatings: Sequence[tuple[int, ...]],
    *records: Record,
) -> Played:
    """A match of several games, in which the entrants sit where `seatings` says."""
    leg, number, _ = MatchKey.parse(key).place
    return Played(
        key=key,
        leg=int(leg[1:]),
        round=int(number[1:]),
        labels=labels(key),
        versions=tuple(versions),
        sides=tuple(sides),
        seatings=tuple(seatings),
        records=records,
        seconds=0.5,
    )


def labels(key: str, *, legs: int = 2) -> tuple[str, ...]:
    """What the match of the key `<tournament>/<season>/t<leg>/r<round>/<table>` is called."""
    leg, number, table = MatchKey.parse(key).place
    named = f"round {int(number[1:])}", f"table {table.upper()}"
    return named if legs == 1 else (f"leg {int(leg[1:])}", *named)


def ranked(points: Mapping[int, float]) -> tuple[Placing, ...]:
    """The placings that these points of versions give, equals sharing a rank."""
    return tuple(
        Placing(version, 1 + sum(other > value for other in points.values()), value)
        for version, value in sorted(points.items(), key=lambda item: -item[1])
    )


def made_bots(store: Store, *names: str) -> list[Version]:
    return [store.submit(made_submission(name), "ada")[0] for name in names]


def made_terms(
    settings: Mapping[str, Any],
    *,
    public_value: Mapping[str, Any] = NO_PUBLIC_VALUE,
    **facts: Any,
) -> Terms:
    """What a season of these settings is played by, for its manifest; `facts` replace what follows.

    The settings are those that a file would have.
    """
    frozen = season_settings(settings, **facts)
    game = frozen.game
    rules = {"game": game, "version": GAMES[game].version if game in GAMES else 1}
    return Terms(frozen, rules, {"version": "1", "revision": None}, public_value)


def made_season(
    store: Store, versions: Sequence[Version], tournament: str = "friday", *, rated: bool = True
) -> Season:
    return store.begin_season(
        tournament,
        made_terms({"name": tournament}, rated=rated, points_title="mean final chips"),
        SEED,
        [Entrant(version.id) for version in versions],
        DUE,
    )


def shown_ratings(lines: Iterable[Standing]) -> Mapping[int, Rating]:
    """The ratings in standings by version, as a fold returns them."""
    return {
        line.version_id: Rating(line.rating.mu, line.rating.sigma) for line in lines if line.rating
    }
