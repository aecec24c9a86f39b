"""Checking a season from its seed: every pack, every action, every score, point and rating.

What the store keeps is the records and the seed. Everything else follows from them by published
rules, so it is recomputed here and compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from pydantic import ValidationError

from leaderboard.results import Result
from leaderboard.storage.database import Damaged
from leaderboard.storage.entries import Placing, Season
from leaderboard.storage.store import Checked, Store
from sandbox.bundles.bundle import BadBundle, Bundle
from sandbox.limits import LARGEST_BUNDLE
from tables.choices import Order
from tables.dealing import Packs
from tables.game import DEALER
from tables.record import Record
from tables.referee import BadRecord, Strikes, replay
from tables.registry import GAMES
from tables.seating import Seating, SeatingPlan, boards
from tournament.authors.submission import described
from tournament.formats.base import Pairing, Schedule
from tournament.play.season import schedule_of
from tournament.settings import Settings, thaw

LONGEST = 4
"""The most games of a match that a difference names."""


@dataclass(slots=True)
class Report:
    """What was checked in a season, and a sentence for every difference that was found."""

    season: Season
    matches: int = 0
    turns: int = 0
    packs: int = 0
    differences: list[str] = field(default_factory=list)


def verify_season(
    store: Store, season: Season, watch: Callable[[Report], None] = lambda _: None
) -> Report:
    """Check everything that the store says about a season; `watch` gets the report match by match.

    The points of a running season are not compared: they may be a second old. Raises `Damaged`.
    """
    report = Report(season)
    settings = _settings(season)
    played: dict[str, _Seated] = {}
    for match in store.checked(season.id):
        report.matches += 1
        report.differences += map(str, match.differences)
        if match.derived is not None:
            report.differences += _of_records(match, season, settings, report)
            played[match.key] = _Seated(
                match.derived.result(match.key, match.leg, match.round, match.versions),
                match.labels,
                SeatingPlan(match.sides, match.seatings),
                tuple(record.purses for record in match.records),
                tuple(record.shoe for record in match.records),
            )
        watch(report)
    if season.rated != settings.rated:
        report.differences.append(
            f"the season is stored as {_rated(season.rated)}, but its options make it"
            f" {_rated(settings.rated)}"
        )
    playing = tuple(e.version_id for e in store.entrants(season.id) if not e.sits_out)
    report.differences += _of_bundles(store, playing)
    schedule = schedule_of(store, season)
    misplaced = list(_of_seats(schedule, played, finished=season.finished is not None))
    report.differences += misplaced
    if season.finished is not None and not misplaced:
        report.differences += _of_standings(schedule, store.standings(season.id))
        report.differences += _of_panels(schedule, store.panels(season.id))
    return report


def verify_ratings(store: Store, tournament: str) -> list[str]:
    """Fold all results of a tournament again and name the ratings that differ."""
    return [str(difference) for difference in store.check_ratings(tournament)]


@dataclass(frozen=True, slots=True)
class _Seated:
    """A stored match: the result of its records, who sat where, and the seats' purses and shoes."""

    result: Result
    labels: tuple[str, ...]
    seating_plan: SeatingPlan
    brought: tuple[tuple[int, ...], ...]
    shoes: tuple[tuple[str, ...], ...]


def _settings(season: Season) -> Settings[Any]:
    """Read a season's frozen settings; raises `Damaged` if they are no longer valid."""
    where = f"{season.tournament}, season {season.number}"
    try:
        return thaw(season.settings)
    except ValidationError as error:
        raise Damaged(f"{where}: its settings can't be read any more: {error}") from error
    except (LookupError, TypeError) as error:  # no such game, or not even a mapping
        raise Damaged(f"{where}: its settings can't be read any more: {error!r}") from error


def _of_records(
    match: Checked, season: Season, settings: Settings[Any], report: Report
) -> Iterator[str]:
    """Replay a match's games by the rules, with the packs that the seed gives."""
    options = settings.options.model_dump(mode="json")
    for number, (record, board) in enumerate(
        zip(match.records, boards(match.seatings), strict=True)
    ):
        where = f"{match.key}, game {number + 1}"
        if record.game not in GAMES:
            yield f"{where}: there is no game {record.game!r}"
            continue
        if (record.game, _whole(record)) != (settings.game, options):
            yield f"{where}: it was played as {record.game} with other options than the season's"
        try:
            yield from _of_packs(where, record, Packs(season.seed, match.key, board), report)
            yield from _of_strikes(where, record, settings.strikes.strikes())
        except BadRecord as error:
            yield f"{where}: {error}"


def _whole(record: Record) -> Mapping[str, Any]:
    """A record's options, with defaults for those that its game has gained since."""
    return {**GAMES[record.game].options().model_dump(mode="json"), **record.options}


def _of_packs(where: str, record: Record, packs: Packs, report: Report) -> Iterator[str]:
    for step in replay(GAMES[record.game], record):
        report.turns += 1
        if step.turn.seat != DEALER:
            continue
        choice = step.before.legal_actions(DEALER)
        report.packs += isinstance(choice, Order)
        dealt = step.before.write(packs.deal(choice))
        if dealt != step.turn.action:
            yield (
                f"{where}, turn {step.number}: the dealer played {step.turn.action},"
                f" but the seed gives {dealt}"
            )


def _of_strikes(where: str, record: Record, strikes: Strikes) -> Iterator[str]:
    """Recount a game's strikes: which faults count as strikes, and who was struck out."""
    struck: Counter[int] = Counter()
    for number, seat, fault in record.faults:
        if fault.struck == (fault.kind in strikes.forgiven):
            yield (
                f"{where}, turn {number}: whether the fault {fault.kind!r} is a strike is recorded"
                f" as {fault.struck}, but the season's settings say otherwise"
            )
        struck[seat] += fault.struck
    out = tuple(seat for seat in range(record.seats) if struck[seat] >= strikes.limit)
    if out != record.struck_out:
        yield (
            f"{where}: seats struck out are recorded as {_listed(record.struck_out)},"
            f" but {strikes.limit} strikes give {_listed(out)}"
        )


def _of_bundles(store: Store, versions: tuple[int, ...]) -> Iterator[str]:
    """Compare what is stored about every playing bot with the bot's own files."""
    kept = store.versions(versions)
    for number in versions:
        version = kept[number]
        try:
            found = described(Bundle.from_archive(store.archive(number), LARGEST_BUNDLE))
        except BadBundle as error:
            yield f"version {number}: its files can't be read: {error}"
            continue
        for what, stored, said in (
            ("name", version.bot, found.name),
            ("digest", version.digest, found.digest),
            ("list of games", version.games, found.games),
            ("protocol", version.protocol, found.protocol),
            ("language", version.language, found.language),
            ("line about it", version.about, found.about),
            ("tags", version.tags, found.tags),
        ):
            if stored != said:
                yield f"version {number}: its {what} is stored as {stored}, but is {said}"


def _of_seats(
    schedule: Schedule, played: Mapping[str, _Seated], *, finished: bool
) -> Iterator[str]:
    """Follow the season from its first round: who should have sat where, and with which purse."""
    found: set[str] = set()
    wave: Sequence[Pairing] = schedule.ready
    while wave := [pairing for pairing in wave if pairing.key in played]:
        for pairing in wave:
            yield from _of_match(pairing, played[pairing.key])
        found.update(pairing.key for pairing in wave)
        if any(played[pairing.key].result.versions != pairing.versions for pairing in wave):
            return  # later rounds' seats depend on these
        wave = [new for each in wave for new in schedule.tell(played[each.key].result)]
    for key in sorted(played.keys() - found):
        yield f"{key}: the season has no such match"
    missing = schedule.ready
    if finished and missing:
        yield f"{missing[0].key}: the season is finished without this match"


def _of_match(pairing: Pairing, seated: _Seated) -> Iterator[str]:
    """Compare who sat at a table, where, and with which purse, with what follows from the seed."""
    result = seated.result
    if result.versions != pairing.versions:
        yield (
            f"{pairing.key}: versions {_listed(result.versions)} sat down,"
            f" but the seed gives {_listed(pairing.versions)}"
        )
    for brought in sorted({*seated.brought} - {pairing.purses}):
        yield (
            f"{pairing.key}: the seats brought {_listed(brought)},"
            f" but the rounds before left them {_listed(pairing.purses)}"
        )
    for shoe in sorted({*seated.shoes} - {pairing.shoe}):
        yield (
            f"{pairing.key}: the shoe began with {','.join(shoe) or 'a new pack'},"
            f" but the round before left {','.join(pairing.shoe) or 'nothing'}"
        )
    yield from _of_seating_plan(pairing, seated.seating_plan)
    if (result.leg, result.round) != (pairing.leg, pairing.round):
        yield (
            f"{pairing.key}: stored as leg {result.leg}, round {result.round},"
            f" but is leg {pairing.leg}, round {pairing.round}"
        )
    if seated.labels != pairing.labels:
        yield (
            f"{pairing.key}: it is labelled {', '.join(seated.labels) or 'nothing'},"
            f" but is {', '.join(pairing.labels)}"
        )


def _of_seating_plan(pairing: Pairing, stored: SeatingPlan) -> Iterator[str]:
    if stored.sides != pairing.seating_plan.sides:
        yield (
            f"{pairing.key}: its entrants are stored on sides {_listed(stored.sides)},"
            f" but the settings give {_listed(pairing.seating_plan.sides)}"
        )
    if stored.seatings != pairing.seating_plan.seatings:
        yield (
            f"{pairing.key}: entrants sat in {_seats(stored.seatings)},"
            f" but the settings give {_seats(pairing.seating_plan.seatings)}"
        )


def _of_standings(schedule: Schedule, stored: Sequence[Placing]) -> Iterator[str]:
    derived = {placing.version: placing for placing in schedule.standings}
    kept = {placing.version: placing for placing in stored}
    for version in sorted({*kept, *derived}):
        ours, theirs = kept.get(version), derived.get(version)
        for what, of in (("points", "points"), ("rank", "rank"), ("tie-breaks", "tie_breaks")):
            value, right = getattr(ours, of, None), getattr(theirs, of, None)
            if value != right:
                verb = "is" if what == "rank" else "are"
                yield (
                    f"the {what} of version {version} {verb} stored as {value}, but {verb} {right}"
                )


def _of_panels(schedule: Schedule, stored: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    derived = [panel.to_data() for panel in schedule.panels]
    for number, (kept, right) in enumerate(zip_longest(stored, derived), start=1):
        if kept != right:
            kind = (right or kept)["kind"]
            yield f"picture {number} of the season, a {kind}, is stored with other figures"


def _rated(rated: bool) -> str:
    return "rated" if rated else "unrated"


def _seats(seatings: Sequence[Seating]) -> str:
    """Name the entrants of every game, seat by seat."""
    games = " and ".join(f"({_listed(seating)})" for seating in seatings[:LONGEST])
    return f"{games} and so on" if len(seatings) > LONGEST else games


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers)) or "nothing"
