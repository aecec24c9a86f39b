"""What was done to a season while it was played, or later, as the ledger tells of it."""

from collections import defaultdict

KINDS = ("expel", "annul", "admit", "probation", "unplayed")
LEAVES = ("expel", "probation")
FOLLOWED = ("league", "gauntlet", "contest")
"""Formats whose matches are drawn before any is played: none depends on what is done later."""


class Interventions:
    """The interventions of a season in order, and what follows from them.

    `annulled` are the keys of matches that count for nothing, `unplayed` those of matches that
    could not be played, `expelled` the versions that come last, `left` all that play no more, and
    `admitted` the entrants that came late. `over` says that the whole season counts for nothing.
    """

    def __init__(self, entries):
        """`entries` are those of the ledger that tell of this season."""
        self.entries = [entry for entry in entries if entry["kind"] in KINDS]
        self.ledger = entries
        self.annulled = {e["key"] for e in self.entries if e["kind"] == "annul" and "key" in e}
        self.unplayed = {e["key"] for e in self.entries if e["kind"] == "unplayed"}
        self.over = any(e["kind"] == "annul" and "key" not in e for e in self.entries)
        self.expelled = {e["version"] for e in self.entries if e["kind"] == "expel"}
        self.left = {e["version"] for e in self.entries if e["kind"] in LEAVES}
        self.admitted = [e["entrant"] for e in self.entries if e["kind"] == "admit"]

    def check(self, matches, players, on_probation):
        """Follow the ledger entry by entry; yields what can't have happened as it is told.

        `on_probation` says whether the season puts bots on probation. What may follow what is the
        business of ledger.py.
        """
        playing, lately, due = {*players}, defaultdict(list), []
        for entry in self.ledger:
            kind, where = entry["kind"], f"the ledger's entry {entry['number']}"
            if kind == "match":
                yield from (f"version {v} had to be put on probation, but was not" for v, _ in due)
                due, match = [], matches.get(entry["key"])
                if match and on_probation:
                    due = failing(match, lately)
            if kind not in KINDS:
                continue
            if kind == "probation":
                if due[:1] != [(entry["version"], entry["reason"])]:
                    yield f"{where} puts a bot on probation that had not to be"
                due = due[1:]
            if kind == "annul" and "key" in entry:
                for version in matches.get(entry["key"], {}).get("entrants", ()):
                    lately[version] = []
            elif kind == "admit":
                if entry["version"] in playing:
                    yield f"{where} admits a bot that was there"
                playing.add(entry["version"])
            elif kind in LEAVES and entry["version"] not in playing:
                yield f"{where} concerns a bot that does not play"
        yield from (f"version {v} had to be put on probation, but was not" for v, _ in due)

    def unfollowed(self, name, settings):
        """Why this program doesn't follow who met whom after that; empty if it does."""
        if not self.entries:
            return ""
        if self.over:
            return "the season was annulled"
        chips = settings["facts"]["carries"]
        if self.admitted or name not in FOLLOWED or (name == "contest" and chips):
            return "something was done to it while it was played, on which its rounds depend"
        return ""

    def ranked(self, placings):
        """The placings with those who were expelled below all others."""
        stayed = [each for each in placings if each[0] not in self.expelled]
        found = list(stayed)
        for each in placings:
            if each[0] in self.expelled:
                before = sum(o[0] in self.expelled and o[1] < each[1] for o in placings)
                found.append((each[0], len(stayed) + before + 1, *each[2:]))
        ranks = {each[0]: 1 + sum(o[1] < each[1] for o in stayed) for each in stayed}
        return [(each[0], ranks.get(each[0], each[1]), *each[2:]) for each in found]


def failing(match, lately):
    """Who has to be put on probation after a match, in the order of its entrants, and why.

    `lately` has how each version's last 50 answers ended, a word each, and is kept up.
    """
    for record, seating in zip(match["records"], match["seatings"], strict=True):
        turns = record["turns"]
        struck = {number: fault["kind"] for number, fault in turns["fault"] if fault["struck"]}
        for number, (seat, question) in enumerate(
            zip(turns["seat"], turns["question"], strict=True)
        ):
            if seat >= 0 and question:
                lately[match["entrants"][seating[seat]]].append(struck.get(number, ""))
    found = []
    for version in match["entrants"]:
        last = lately[version] = lately[version][-50:]
        faults = sum(map(bool, last))
        if len(last) >= 10 and last[-1] and {*last[-10:]} == {last[-1]}:
            found.append((version, f"its last 10 answers were faults of one kind: {last[-1]}"))
        elif len(last) == 50 and faults > 5:
            found.append((version, f"{faults} of its last 50 answers were faults"))
    return found
