"""What a format may use: the players, the tables, lots, and the results of the matches."""

from collections import Counter

from basics import Unknown, must, shuffled


class Field:
    """The players of a season or of one stage, and what they played.

    `players` are the entrants of the manifest that play, in its order. `tables` are the sides of
    the entrants at every possible table, the fullest first. `results` are by key, `earlier` those
    of earlier seasons at the same table. If they are `ranked`, the players are in the order of the
    stage before. Matches that are `annulled` count for nothing, those with a version that has
    `left` may not have been played, and those that are `unplayed` were not.
    """

    def __init__(self, place, key, players, tables, results, settings, *, apart, earlier):
        """`place` begins every match's key; `apart` keeps an author's bots from one table."""
        self.place, self.key, self.players, self.tables = place, key, players, tables
        self.results, self.settings, self.apart, self._earlier = results, settings, apart, earlier
        self.versions = [player["version"] for player in players]
        self.authors = {player["version"]: player["author"] for player in players}
        self.ranked, self.seen, self.notes, self.wrong = False, set(), [], []
        self.annulled, self.left, self.unplayed = set(), set(), set()

    def stage(self, place, versions, *, ranked):
        """The same season's stage at this place, with these of its players."""
        players = {player["version"]: player for player in self.players}
        its = Field(
            f"{self.place}/{place}",
            self.key,
            [players[version] for version in versions],
            self.tables,
            self.results,
            self.settings,
            apart=self.apart,
            earlier=self._earlier,
        )
        its.ranked, its.seen, its.notes, its.wrong = ranked, self.seen, self.notes, self.wrong
        return its

    def lots(self, versions, place):
        """Versions in an order drawn by lot for a place."""
        return shuffled(versions, self.key, f"{self.place}/{place}")

    def authors_at(self, sides):
        """The author of each version, if an author's bots don't meet at a table of these sides."""
        return self.authors if self.apart and len({*sides}) > 2 else {}

    def fullest(self):
        """The sides of the fullest table that can be filled, of two at least; None if none can."""
        for sides in self.tables:
            if len({*sides}) > 1 and most_tables(self.versions, len(sides), self.authors_at(sides)):
                return sides
        return None

    def table(self, players):
        """The sides of the fullest table that so many players can fill; None if there is none."""
        fits = (sides for sides in self.tables if len(sides) <= players and len({*sides}) > 1)
        return next(fits, None)

    @property
    def boards(self):
        """How many boards a match has."""
        return self.settings["boards"]

    def match(self, place, versions=None):
        """The result of the match at a place; raises `Wrong` if others than these sat there.

        Without `versions` whoever sat there is taken for right.
        """
        key = f"{self.place}/{place}"
        must(key in self.results, f"{key}: the season is finished without this match")
        self.seen.add(key)
        found = self.results[key]
        right = versions is None or found.versions == list(versions)
        must(right, f"{key}: {found.versions} sat there, not {versions and list(versions)}")
        return found

    def counted(self, place, versions):
        """The result of a match in a list of its own; an empty one if there is none that counts."""
        key = f"{self.place}/{place}"
        if key not in self.results and (key in self.unplayed or self.left & {*versions}):
            return []
        found = self.match(place, versions)
        return [] if key in self.annulled else [found]

    def earlier(self):
        """The results of earlier seasons at the same table, in the order in which they were played.

        Of a stage only those of the same stage. Raises `Unknown` if a file is missing.
        """
        found = self._earlier()
        if isinstance(found, str):
            raise Unknown(found)
        stage = self.place.split("/")[2:]
        return [each for each in found if each.key.split("/")[2 : 2 + len(stage)] == stage]


def author(version, authors):
    """Whose bots must not meet this one; whoever is not in `authors` may meet anybody."""
    return authors.get(version, (version,))


def most_tables(versions, size, authors):
    """How many tables can be filled at once: of an author no more bots play than there are."""
    bots, tables = Counter(author(version, authors) for version in versions), len(versions) // size
    while sum(min(many, tables) for many in bots.values()) < tables * size:
        tables -= 1
    return tables


def place_of(number, most, letter="", least=1):
    """A part of a key: a letter and a number, filled up with zeros to the length of the most."""
    return f"{letter}{number:0{max(least, len(str(most)))}}"


def table_name(table, most):
    """The last part of a key: a letter, or a number where there may be more than 26 tables."""
    return chr(ord("a") + table) if most <= 26 else place_of(table + 1, most)


def pair(one, other):
    """Two versions, whichever comes first."""
    return min(one, other), max(one, other)


def placed(points, tie_breaks=None):
    """The placings, the best first: version, rank, points, and each tie-break with its title.

    Equals in points go by the tie-breaks in turn. Equals in everything share a rank, in the order
    of `points`.
    """
    breaks, found = tie_breaks or {}, []
    order = {v: (n, *(values[v] for values in breaks.values())) for v, n in points.items()}
    for place, version in enumerate(sorted(order, key=order.get, reverse=True), 1):
        shares = found and order[found[-1][0]] == order[version]
        rank = found[-1][1] if shares else place
        own = [[title, values[version]] for title, values in breaks.items()]
        found.append((version, rank, points[version], own))
    return found
