"""Published seasons, and ways to forge them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from card_arena.results.entries import Entrant
from card_arena.tests.results.fresh import fresh_store
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.stage import Notes
from card_arena.tests.verify.forging import Forgery, Parts
from card_arena.tournament.play.schedules import begin
from card_arena.tournament.play.season import play_season
from card_arena.tournament.play.steps import finish

SETTINGS = stage.tournament(legs=1, rounds=3)


FIRST, _, LAST = KEYS = [f"small/0003/t01/r{number}/a" for number in (1, 2, 3)]


class Killed(Exception):
    """A season that went badly is stopped."""


class Impatient(Notes):
    def advances(self, headway: Any) -> None:
        raise Killed


@dataclass(frozen=True)
class Published:
    """Three seasons, of which the second was aborted; the file is of the third."""

    database: Path
    file: Path
    head: str


def three_seasons(folder: Path) -> Published:
    """Play three seasons in this folder, abort the second, and export the third."""
    store = fresh_store(folder / "arena.db")
    for limit in (12, 16, 20):
        stage.submit(store, stage.shell(f"sh{limit}", limit).write(folder / "bots"))
    line_up = [Entrant(number) for number in (1, 2, 3)]
    with stage.Here() as pool, pool.queue("small", 1, 2) as queue:
        for audience in (Notes(), Impatient(), Notes()):
            season = begin(store, SETTINGS, line_up, datetime.now(UTC))
            with suppress(Killed):
                finish(play_season(store, season, queue, audience))
    store.refresh_ratings("small")
    file = folder / "small-0003.zip"
    with file.open("wb") as target:
        head = store.export("small", 3, target).head
    store.close()
    return Published(folder / "arena.db", file, head)


def deal_another_pack(parts: Parts) -> None:
    actions = parts.matches[0]["records"][0]["turns"]["action"]
    top, second, *rest = actions[0].split(",")
    actions[0] = ",".join((second, top, *rest))


def sit_in_another_order(parts: Parts) -> None:
    parts.matches[0]["seatings"] = [seating[::-1] for seating in parts.matches[0]["seatings"]]


def change_a_score(parts: Parts) -> None:
    parts.matches[0]["records"][0]["over"]["scores"][0] += 10


def drop_a_match(parts: Parts) -> None:
    del parts.matches[1]


def play_fewer_rounds(parts: Parts) -> None:
    parts.manifest["settings"]["format"]["contest"]["rounds"] = 2
    parts.matches = [match for match in parts.matches if match["key"] != LAST]


def swap_a_bundle(parts: Parts) -> None:
    parts.manifest["entrants"][1]["digest"] = "0" * 64


def change_a_setting(parts: Parts) -> None:
    parts.manifest["settings"]["strikes"]["limit"] = 99


def change_a_fact(parts: Parts) -> None:
    parts.manifest["settings"]["facts"]["carries"] = False


def send_the_winner_off(parts: Parts) -> None:
    best = parts.standings["standings"][0]["version"]
    for entrant in parts.manifest["entrants"]:
        if entrant["version"] == best:
            entrant["sits_out"] = "it could not be built"


def leave_the_aborted_season_out(parts: Parts) -> None:
    told = ("begin", "match", "pause", "void", "resume")
    parts.ledger = [e for e in parts.ledger if e["season"] != 2 or e["kind"] not in told]


def change_the_public_value(parts: Parts) -> None:
    parts.facts["public_value"] = "7"


def crown_another_bot(parts: Parts) -> None:
    placings = parts.standings["standings"]
    placings.insert(0, {**placings[-1], "rank": 1, "points": 9.0})


def tell_the_winner_twice(parts: Parts) -> None:
    placings = parts.standings["standings"]
    placings.append(dict(placings[0]))


def turn_the_standings_around(parts: Parts) -> None:
    parts.standings["standings"].reverse()


def hide_the_seed(parts: Parts) -> None:
    parts.facts["seed"] = None
    first, *_, last = parts.standings["standings"]
    first["version"], last["version"] = last["version"], first["version"]


MATCH = rf"{FIRST}: the match was changed: its SHA-256 is \w+, but the ledger's entry \d+ says"


MANIFEST = "the manifest was changed after the season had begun: its SHA-256 is"


NO_PACK = "no pack is the one that the key gives: the season was dealt from another manifest"


FORGERIES: list[tuple[Forgery, str, str]] = [
    (deal_another_pack, MATCH, f"{FIRST}, game 1, turn 0: the dealer played .*, but the seed"),
    (sit_in_another_order, MATCH, f"{FIRST}: entrants sat in .*, but the settings give"),
    (change_a_score, MATCH, f"{FIRST}, game 1: .*score"),
    (drop_a_match, "the match was dropped: the ledger's entry", "finished without this match"),
    (play_fewer_rounds, f"{LAST}: the match was dropped", NO_PACK),
    (swap_a_bundle, MANIFEST, NO_PACK),
    (change_a_setting, MANIFEST, NO_PACK),
    (change_a_fact, MANIFEST, "the fact carries does not follow from the settings: it is stored"),
    (send_the_winner_off, MANIFEST, NO_PACK),
    (
        leave_the_aborted_season_out,
        "the ledger was rewritten: its entry",
        "is out of turn: season 2 comes next, and can't be left out",
    ),
    (
        change_the_public_value,
        "has a public value, but its manifest wants none",
        "has a public value, but its manifest wants none",
    ),
    (crown_another_bot, "the standings were changed", "the standings name a version twice"),
    (tell_the_winner_twice, "the standings were changed", "the standings name a version twice"),
    (turn_the_standings_around, "the standings were changed", "the standings are not in order"),
    (hide_the_seed, "the standings were changed", "is finished, but its seed is not there"),
]
