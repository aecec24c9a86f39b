"""The ledger's entries: what each must say, and which may follow which."""

import json
import re
from collections import Counter
from datetime import datetime

FIELDS = {
    "announce": "sha256",
    "begin": "sha256",
    "nonce": "bot nonce",
    "unshown": "bots",
    "value": "value",
    "attempt": "keys",
    "match": "key entrants sha256 host? host_sha256?",
    "void": "key reason",
    "trial": "key version",
    "no sandbox": "version reason key?",
    "pause": "reason",
    "resume": "",
    "finish": "matches sha256",
    "expel": "intervention version reason",
    "probation": "intervention version reason",
    "admit": "intervention version entrant reason",
    "annul": "intervention reason key? standings?",
    "unplayed": "intervention key reason",
    "move": "bot author to_bot to_author reason",
}
"""What every kind of entry says besides COMMON; a question mark says that it may be missing."""

COMMON = "kind number previous season time"
HASHES = ("previous", "sha256", "host_sha256", "standings")
NUMBERS = ("number", "season", "version", "intervention", "matches")
LISTS = {"bots": str, "keys": str, "entrants": int}
ENTRANT = "version bot number author digest submitted sits_out"

AFTER = {
    "announce": "announced",
    "begin": "begun",
    "unshown": "unshown",
    "value": "valued",
    "attempt": "played",
    "finish": "over",
}
"""The state of a season after an entry of a kind that changes it."""
EARLY = ("nonce", "unshown", "value")
PLAY = ("match", "void", "trial", "no sandbox", "unplayed", "probation")
LATER = ("pause", "resume", "move", "annul")
"""Kinds that may come before the first attempt, after it, and even after the end."""
VOIDS = 5
"""The void attempts after which a match may be left out as one that can't be played."""


def form(line):
    """What is wrong with an entry by itself, as a word or two; empty if nothing is."""
    entry = json.loads(line)
    plain = json.dumps(entry, sort_keys=True, separators=(",", ":")).encode()
    if plain != line or not isinstance(entry, dict):
        return "canonical JSON"
    if type(entry.get("kind")) is not str or entry["kind"] not in FIELDS:
        return "kind"
    wanted = f"{COMMON} {FIELDS[entry['kind']]}".split()
    if {name for name in wanted if name[-1] != "?"} - {*entry}:
        return "missing fields"
    if {*entry} - {name.strip("?") for name in wanted}:
        return "more fields than it may have"
    for name, value in entry.items():
        if name in LISTS:
            holds = isinstance(value, list) and all(type(each) is LISTS[name] for each in value)
        elif name in NUMBERS:
            holds = type(value) is int and value >= (name != "matches")
        elif name in HASHES:
            holds = isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value)
        elif name == "entrant":
            holds = isinstance(value, dict) and {*value} == {*ENTRANT.split()}
            holds = holds and (value["version"], value["sits_out"]) == (entry["version"], "")
        else:
            holds = isinstance(value, str)
        if not holds:
            return name
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", entry["time"], re.ASCII):
        return "time"
    try:
        datetime.fromisoformat(entry["time"])
    except ValueError:
        return "time"
    return "host" if ("host" in entry) != ("host_sha256" in entry) else ""


class Told:
    """What the ledger tells of one season, followed entry by entry."""

    def __init__(self, name, number):
        """`name` is the tournament's, `number` the season's."""
        self.prefix, self.state, self.count = f"{name}/{number:04}/", "new", Counter()
        self.open, self.played, self.out, self.nonces = set(), set(), set(), set()
        self.gone, self.tried, self.without_sandbox = {}, set(), set()
        self.refused = {}
        """Those without a sandbox when a match was over, by its key: where, and the version."""
        self.tries, self.voids = Counter(), Counter()
        """Attempts and void ones, by the keys of matches."""

    def may(self, kind):
        """Whether an entry of this kind may come now."""
        state = self.state
        if kind in ("announce", "begin"):
            return state == "new" or (kind, state) == ("begin", "announced")
        if kind in LATER:
            return state not in ("new", "announced", "unshown", "annulled") and (
                kind != "annul" or "" not in self.out
            )
        if kind == "finish":
            return state in ("begun", "valued", "played", "annulled")
        if kind in EARLY:
            return state == "begun" or (kind, state) == ("value", "unshown")
        return state == "played" or (kind not in PLAY and state in ("begun", "valued"))

    def follow(self, entry, paused):  # noqa: C901
        """Take an entry; yields what is wrong with it. `paused` says if the tournament is."""
        kind, key = entry["kind"], entry.get("key", "")
        if not self.may(kind):
            yield f"can't come in a season that is {self.state}"
            return
        if paused and kind in (*PLAY, "attempt"):
            yield "comes during a pause"
        was_over = self.state == "over"
        self.count[kind] += 1
        self.state = AFTER.get(kind, self.state)
        if "intervention" in entry:
            self.count["interventions"] += 1
            if entry["intervention"] != self.count["interventions"]:
                yield f"is not intervention {self.count['interventions']}, which is next"
        if kind == "attempt":
            for each in entry["keys"]:
                self.tries[each] += 1
                known = any(each in keys for keys in (self.open, self.played, self.out))
                if known or not each.startswith(self.prefix):
                    yield f"is no new attempt: {each}"
                self.open.add(each)
            if not entry["keys"]:
                yield "names no match"
        elif kind in ("match", "void"):
            if key not in self.open:
                yield f"ends no attempt: {key}"
            if gone := self.gone.keys() & {*entry.get("entrants", ())}:
                yield f"has version {min(gone)}, which had left"
            self.open.discard(key)
            if kind == "match":
                self.played.add(key)
                self.refused[key] = frozenset(self.without_sandbox)
            else:
                self.voids[key] += 1
        elif kind in ("trial", "no sandbox"):
            if not (self.voids[key] if key else self.voids.total()):
                yield "follows no void attempt"
            if kind == "trial":
                self.tried.add(entry["version"])
            else:
                self.without_sandbox.add((key, entry["version"]))
                if not key and entry["version"] not in self.tried:
                    yield f"follows no trial of version {entry['version']}"
        elif kind == "resume":
            if self.state in ("left", "over") and not paused:
                yield "ends no pause"
            self.open.clear()
        elif kind in ("nonce", "unshown"):
            bots = entry.get("bots", [entry.get("bot")])
            if not bots or bots != sorted({*bots} - self.nonces):
                yield "names a bot twice, in another order, or none"
            self.nonces.update(bots)
        elif kind == "finish":
            if entry["matches"] != len(self.played):
                yield "has another number of matches"
            if self.open and "" not in self.out:
                yield f"comes while a match is played: {min(self.open)}"
        elif kind in ("annul", "unplayed"):
            if key in self.out or (kind == "annul" and key and key not in self.played):
                yield f"is about what is no match that counts: {key or 'the season'}"
            if kind == "annul" and was_over != ("standings" in entry):
                yield "has new standings if the season was over, and not else"
            known = key in self.played or key in self.open
            if kind == "unplayed" and (known or self.voids[key] < VOIDS):
                yield f"leaves a match out that was played or tried too rarely: {key}"
            self.out.add(key)
            if not key and not was_over:
                self.state = "annulled"
        elif kind in ("expel", "probation"):
            before = self.gone.get(entry["version"])
            if before and (before, kind) != ("probation", "expel"):
                yield "is about a bot that had left"
            self.gone[entry["version"]] = kind

    def attempts(self):
        """Sentences about matches that were attempted more than once or not played to their end."""
        for key, number in sorted(self.tries.items()):
            void, lost = self.voids[key], number - self.voids[key] - (key in self.open)
            if key in self.played and number > 1:
                yield f"{key} was attempted {number} times: {void} void, {lost - 1} interrupted"
            elif key not in self.played and (key not in self.open or number > 1):
                yield (
                    f"{key} was begun {number} times and not played to its end: {void} void,"
                    f" {lost} interrupted, {int(key in self.open)} under way"
                )


def read(name, lines):
    """Follow a whole ledger; returns what is wrong, and what is told of each season."""
    wrong, seasons, newest, due, paused, authors = [], {}, None, None, False, {}
    for number, line in enumerate(lines, 1):
        if why := form(line):
            wrong.append(f"the ledger's entry {number} is none of an arena: {why}")
            continue
        entry = json.loads(line)
        kind, of = entry["kind"], entry["season"]
        where = f"the ledger's entry {number} ({kind}, season {of})"
        told = seasons.setdefault(of, Told(name, of))
        wrong += [f"{where} {why}" for why in told.follow(entry, paused)]
        if kind in ("announce", "begin"):
            due = of if due is None else due
            if of != due:
                wrong.append(f"{where} is out of turn: season {due} comes next")
        if kind == "begin":
            if newest and seasons[newest].state in ("begun", "valued", "played"):
                seasons[newest].state = "left"
            newest, due, paused = of, of + 1, False
        if kind in ("pause", "resume"):
            told.count["interruption"] += not paused and told.state in ("begun", "valued", "played")
            paused = kind == "pause"
        if kind == "move":
            if authors.get(entry["bot"], entry["author"]) != entry["author"] or (
                (entry["bot"], entry["author"]) == (entry["to_bot"], entry["to_author"])
            ):
                wrong.append(f"{where} is about a bot that there was not")
            authors |= {entry["bot"]: None, entry["to_bot"]: entry["to_author"]}
    return wrong, seasons
