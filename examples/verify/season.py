"""A season's file: its ledger, its manifest, its matches and its standings."""

import hmac
import json
import re
import zipfile
from collections import Counter
from datetime import datetime
from functools import partial

from basics import Unknown, Wrong, sha256
from games import SEATS, sides_of
from interventions import Interventions
from ledger import Told, read
from matches import Match, result_of
from schedules import FORMATS
from schedules.field import Field

ZEROS = "0" * 64
MEMBERS = ("season.json", "manifest.json", "ledger.jsonl", "matches.jsonl", "standings.json")
LARGEST = 2**31
"""The most bytes of the members together."""
FACTS = {"format", "tournament", "season", "finished", "seed", "public_value", "key"}
FACTS |= {"manifest", "head"}
PLACING = {"version", "rank", "points", "tie_breaks"}
"""The fields of season.json, and of a place in the standings."""
SAME_TABLE = ("game", "options", "seats", "duplicate", "partners", "clock")
"""The settings that must be alike for boards of two seasons to be counted together."""


CLOCK_SET = 60
"""Seconds by which the clock of the ledger may have been set back during a season."""


def questions(match):
    """For every question of a match the number of the game, the entrant, and the fault or None."""
    for game, (record, seating) in enumerate(zip(match["records"], match["seatings"], strict=True)):
        turns, faults = record["turns"], dict(record["turns"]["fault"])
        for number, (seat, question) in enumerate(zip(turns["seat"], turns["question"])):
            if question:
                yield game, seating[seat], faults.get(number)


class Season:
    """A season's file, and what is found in it.

    `found` is what is wrong, `notes` what isn't checked, and `remarks` what isn't wrong but may be
    asked about, in sentences; `count` is how much was followed, and `points` says whether the
    standings were.
    """

    def __init__(self, path):
        """Read the five members; hashes are made of the bytes that are there."""
        with zipfile.ZipFile(path) as archive:
            if sorted(archive.namelist()) != sorted(MEMBERS):
                raise ValueError(f"expected the members {', '.join(MEMBERS)}, each once")
            if sum(archive.getinfo(name).file_size for name in MEMBERS) > LARGEST:
                raise ValueError(f"it holds more than {LARGEST} bytes")
            parts = {name: archive.read(name) for name in MEMBERS}
        self.facts, self.manifest, self.stored = (
            json.loads(parts[name]) for name in ("season.json", "manifest.json", "standings.json")
        )
        self.hashes = {name: sha256(data) for name, data in parts.items()}
        self.ledger_lines = parts["ledger.jsonl"].splitlines()
        self.ledger = [json.loads(line) for line in self.ledger_lines]
        self.match_lines = lines = parts["matches.jsonl"].splitlines()
        self.matches = {match["key"]: match for match in map(json.loads, lines)}
        self.match_hashes = dict(zip(self.matches, map(sha256, lines), strict=True))
        self.name, self.number = self.facts["tournament"], self.facts["season"]
        self.settings, self.found, self.notes = self.manifest["settings"], [], []
        self.remarks, self.entries = [], None
        self.players = [each for each in self.manifest["entrants"] if not each["sits_out"]]
        self.seed, self.key, self.count = self.facts["seed"], None, Counter()
        self.points = "not followed"
        if {*self.facts} != FACTS or self.facts["format"] != self.manifest["format"]:
            self.found.append("season.json has other fields, or is of another format")
        for name in ("tournament", "season", "key"):
            if self.facts[name] != self.manifest[name]:
                self.found.append(f"season.json names another {name} than the manifest")
        if self.seed is not None and not re.fullmatch("[0-9a-f]{64}", self.seed):
            raise ValueError("the seed is not 64 hexadecimal digits")

    def check(self, head, earlier):
        """Everything, in the order of docs/verifying.md; `earlier` are seasons by their numbers."""
        self.check_ledger(head, earlier)
        self.check_manifest()
        self.check_matches()
        self.results = {key: result_of(match) for key, match in self.matches.items()}
        self.check_standings(earlier)

    def check_ledger(self, head, earlier):
        """The chain of hashes; what it tells of this season is what the file holds."""
        hashes, previous = [*map(sha256, self.ledger_lines)], ZEROS
        for place, (entry, own) in enumerate(zip(self.ledger, hashes, strict=True), 1):
            if (entry["number"], entry["previous"]) != (place, previous):
                self.found.append(f"the ledger was rewritten: its entry {place} doesn't follow")
            previous = own
        if self.facts["head"] != hashes[-1] or (head and head not in hashes):
            self.found.append(f"the ledger was rewritten: no entry has the head {head or 'of old'}")
        for number, season in earlier.items():
            if season.ledger_lines != self.ledger_lines[: len(season.ledger_lines)]:
                self.found.append(f"the ledger was rewritten: season {number}'s file has another")
        wrong, seasons = read(self.name, self.ledger_lines)
        self.found += wrong
        self.entries = seasons.get(self.number) or Told(self.name, self.number)
        self.remarks = [*self.entries.attempts()]
        for number, season in sorted(seasons.items()):
            if number < self.number and season.state == "left":
                self.remarks.append(f"season {number} was begun and never finished")
        here = [entry for entry in self.ledger if entry["season"] == self.number]
        told = {entry["key"]: entry for entry in here if entry["kind"] == "match"}
        for key in sorted({*told} | {*self.matches}):
            if key not in self.matches:
                self.found.append(f"{key}: the match was dropped, the ledger tells of it")
            elif key not in told:
                self.found.append(f"{key}: the ledger tells of no such match")
            elif (told[key]["sha256"], told[key]["entrants"]) != (
                self.match_hashes[key],
                self.matches[key]["entrants"],
            ):
                self.found.append(f"{key}: the match was changed after it was played")
        self.told = {entry["kind"]: entry for entry in here}
        self.done = Interventions(here)
        players = [player["version"] for player in self.players]
        watched = bool(self.settings.get("probation"))
        self.found += self.done.check(self.matches, players, watched)
        end, anew = self.told.get("finish"), [e for e in here if "standings" in e]
        standings = anew[-1]["standings"] if anew else end and end["sha256"]
        if (end is not None) != self.facts["finished"] or (
            end and (end["matches"], standings) != (len(told), self.hashes["standings.json"])
        ):
            self.found.append("the end of the season, or its standings, were changed")

    def check_manifest(self):
        """The manifest is the one that was published, and so are seed and public value."""
        manifest, value = self.manifest, self.facts["public_value"]
        own, begin = self.hashes["manifest.json"], self.told["begin"]
        if not own == begin["sha256"] == self.facts["manifest"]:
            self.found.append(
                "the manifest was changed after the season had begun: a setting, an entrant's"
                " bundle, or who sits out"
            )
        self.check_facts()
        if manifest["previous"] != begin["previous"]:
            self.found.append("the manifest follows another entry of the ledger: one was left out")
        if (value is not None, value) != (
            "value" in self.told,
            self.told.get("value", {}).get("value"),
        ) or (value is not None and manifest["public_value"]["source"] == "none"):
            self.found.append("the public value is not the one that the ledger tells of")
        if manifest["public_value"]["source"] != "none" and value is None and self.entries.tries:
            self.found.append("the season was played before its public value was told")
        if manifest["public_value"]["source"] == "nonces":
            if value is not None:
                self.check_nonces(manifest["public_value"], value)
        elif {"nonce", "unshown"} & {*self.told}:
            self.found.append("the ledger tells of nonces, but the manifest wants none")
        promised, announced = manifest["seed"]["sha256"], self.told.get("announce", {})
        if manifest["seed"]["source"] != "given by hand" and announced.get("sha256") != promised:
            self.found.append("the seed of the manifest is not the one that was announced")
        if not self.seed and self.facts["finished"]:
            self.found.append("the season is finished, but its seed is not there")
        elif not self.seed:
            self.notes.append("the seed is still secret: packs and seats aren't checked")
        if not self.seed:
            return
        seed = bytes.fromhex(self.seed)
        if sha256(seed) != promised:
            self.found.append("the seed is not the one that was announced")
        text = f"{own}/{value or ''}".encode()
        self.key = hmac.digest(seed, text, "sha256") if manifest["key"] == "manifest" else seed

    def check_facts(self):
        """What follows from the settings of a game that this program knows."""
        settings, facts = self.settings, self.settings["facts"]
        if settings["game"] not in SEATS:
            return
        for name, right in (
            ("carries", settings["game"] == "blackjack" and not settings["duplicate"]),
            ("rated", not settings["options"].get("open_hands", False)),
        ):
            if facts[name] != right:
                self.found.append(f"the fact {name} does not follow from the settings")

    def check_nonces(self, source, value):
        """Nonces are those that were handed in, all that could be are there, and give the value."""
        here = [entry for entry in self.ledger if entry["season"] == self.facts["season"]]
        shown = {entry["bot"]: entry["nonce"] for entry in here if entry["kind"] == "nonce"}
        left_out = {bot for entry in here if entry["kind"] == "unshown" for bot in entry["bots"]}
        for bot, text in shown.items():
            if sha256(text.encode()) != source["hashes"].get(bot):
                self.found.append(f"the nonce of {bot} was swapped: another hash was handed in")
        if {*source["hashes"]} - {*shown} != left_out or (
            left_out and self.told["value"]["time"] < source["until"]
        ):
            self.found.append("a nonce was dropped, or left out before the time for it was over")
        if sha256("".join(f"{bot} {shown[bot]}\n" for bot in sorted(shown)).encode()) != value:
            self.found.append("the public value is not the one that the nonces give")

    def check_matches(self):
        """Every match by itself: how it is written, who sat where, its games, and its times."""
        playing = {player["version"] for player in [*self.players, *self.done.admitted]}
        lines = zip(self.matches.items(), self.match_lines, strict=True)
        if [*self.matches] != sorted(self.matches):
            self.found.append("the matches are not in the order of their keys")
        for (key, data), line in lines:
            if json.dumps(data, sort_keys=True, separators=(",", ":")).encode() != line:
                self.found.append(f"{key}: the match is not written as canonical JSON")
            match = Match(data, self.manifest, self.key)
            match.check()
            if out := {*data["entrants"]} - playing:
                self.found.append(f"{key}: version {min(out)} played, but is said to sit out")
            self.found += match.found
            if not match.found:
                self.check_times(key, data)
                self.check_sandboxes(key, data)
            self.notes += match.unknown
            self.count += match.count
        if self.count["packs"] and self.count["packs"] == self.count["wrong packs"]:
            self.found.append(
                "no pack is the one that the key gives: manifest, seed or public value are others"
                " than those with which the season was played (a bundle, a setting, who sat out)"
            )

    def check_times(self, key, data):
        """A match's answers took no longer than it can have lasted, by the times of the ledger."""
        ends = [e["time"] for e in self.ledger if (e["kind"], e.get("key")) == ("match", key)]
        began, took = datetime.fromisoformat(self.told["begin"]["time"]), 0
        for record in data["records"]:
            took += sum(record["turns"]["wall"]) / 1e6
        beside = {
            (game, entrant): fault["facts"]["microseconds"]
            for game, entrant, fault in questions(data)
            if fault and fault["code"] == "sandbox-time"
        }
        took += sum(beside.values()) / 1e6
        for lasted in [(datetime.fromisoformat(end) - began).total_seconds() for end in ends]:
            if took > lasted + CLOCK_SET:
                text = (
                    f"its answers took {took:.0f} s, but {lasted:.0f} s after the season had begun"
                )
                self.found.append(f"{key}: {text} it was over")

    def check_sandboxes(self, key, data):
        """Who got no sandbox got none in the whole match, and the ledger tells why."""
        told, outcomes = self.entries.refused.get(key, ()), {}
        for _, entrant, fault in questions(data):
            facts = fault["facts"] if fault and fault["code"] == "no-sandbox" else {}
            outcomes.setdefault(entrant, set()).add(tuple(sorted(facts.items())))
        for entrant, refusals in outcomes.items():
            if len(refusals) > 1:
                self.found.append(f"{key}: entrant {entrant} has a sandbox in a part of the match")
            for facts in map(dict, refusals - {()}):
                where, version = "" if facts["bots"] == 0 else key, data["entrants"][entrant]
                if (where, version) not in told:
                    text = f"version {version} got no sandbox, and the ledger does not tell why"
                    self.found.append(f"{key}: {text}")

    def check_standings(self, earlier):
        """Who met whom, and all placings, as the format gives them."""
        ((name, options),) = self.settings["format"].items()
        game = self.settings["game"]
        if name not in FORMATS:
            self.notes.append(f"who met whom, and the standings: the format is {name}")
        elif game not in SEATS:
            self.notes.append(f"who met whom, and the standings: the game is {game}")
        elif why := self.done.unfollowed(name, self.settings):
            self.notes.append(f"who met whom, and the standings: {why}")
        elif not self.facts["finished"] or not self.seed:
            self.notes.append("who met whom, and the standings, of a season that isn't finished")
        elif not self.count["packs"] or self.count["packs"] > self.count["wrong packs"]:
            field = self.field(earlier)
            try:
                self.compare(self.done.ranked(FORMATS[name](field, options)))
                self.points = f"by the format {name}"
                for key in sorted({*self.matches} - field.seen):
                    self.found.append(f"{key}: the season has no such match")
            except Wrong as error:
                self.found.append(str(error))
            except Unknown as error:
                self.notes.append(f"who met whom, and the standings: {error}")
            self.found += field.wrong
            self.notes += field.notes
            if self.stored["panels"]:
                self.notes.append("the pictures beside the standings")

    def compare(self, placings):
        """Compare the stored standings with these; equals stand in the order of the manifest."""
        listed = [player["version"] for player in self.players]
        placings = sorted(placings, key=lambda each: (each[1], listed.index(each[0])))
        if {*self.stored} != {"standings", "panels"} or any(
            {*each} != PLACING or type(each["rank"]) is not int for each in self.stored["standings"]
        ):
            self.found.append("the standings have other fields than those that are published")
        stored = [
            (each["version"], each["rank"], each["points"], each["tie_breaks"])
            for each in self.stored["standings"]
        ]
        for place, (was, gives) in enumerate(zip(stored, placings), 1):
            for what, one, other in zip(("bot", "rank", "points", "tie-breaks"), was, gives):
                if one != other:
                    where = f"place {place} of the standings was changed"
                    self.found.append(f"{where}: {what} {one}, the matches give {other}")
                    return
        if len(stored) != len(placings):
            self.found.append(f"the standings have {len(stored)} places, not {len(placings)}")

    def field(self, earlier):
        """What the season's format may use."""
        settings, tables = self.settings, []
        for seats in range(settings["seats"], 0, -1):
            if seats in SEATS[settings["game"]]:
                sides = sides_of(settings["game"], settings["options"], seats)
                entrants = sides if settings["partners"] == "different" else sorted({*sides})
                tables.append(entrants)
        found = Field(
            f"{self.name}/{self.number:04}",
            self.key,
            self.players,
            tables,
            self.results,
            settings,
            apart=settings["facts"]["rated"] and settings["same_author"] == "apart",
            earlier=partial(self.before, earlier),
        )
        found.annulled, found.left = self.done.annulled, self.done.left
        found.unplayed = self.done.unplayed
        return found

    def before(self, earlier):
        """The results of seasons before at the same table; a sentence if a file is missing."""
        numbers = {entry["season"] for entry in self.ledger if entry["kind"] == "begin"}
        numbers = sorted(number for number in numbers if number < self.number)
        if missing := [number for number in numbers if number not in earlier]:
            text = ", ".join(map(str, missing))
            return f"they go by earlier seasons, whose files are needed too: {text}"
        seasons = [earlier[number] for number in numbers]
        same = [s for s in seasons if all(s.settings[n] == self.settings[n] for n in SAME_TABLE)]
        began = self.told["begin"]["number"]
        out = {
            (entry["season"], entry.get("key"))
            for entry in self.ledger[:began]
            if entry["kind"] == "annul"
        }
        return [
            result
            for season in same
            if (season.number, None) not in out
            for result in season.results.values()
            if (season.number, result.key) not in out
        ]
