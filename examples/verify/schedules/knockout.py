"""A knockout: the better half of every tie goes on, until one bot is left."""

from collections import Counter, defaultdict
from itertools import combinations
from math import copysign, inf, sqrt

from matches import mean_of

from schedules.field import place_of, placed
from schedules.fit import Fit


def knockout(field, options):
    """Follow the tree tie by tie; placings by rounds survived, then by the last tie's margin."""
    order = seeded(field, options["seeds"])
    sides = field.table(len(order))
    if sides is None:
        return []
    seeds, survived, last = {v: n for n, v in enumerate(order)}, Counter(), {}
    rounds = draws(len(order), len(sides))
    for number, (byes, ties, places, best_next) in enumerate(rounds, 1):
        playing, played = order[byes:], []
        for tie in range(ties):
            rows = [playing[row * ties : (row + 1) * ties] for row in range(len(sides))]
            players = [row[-1 - tie if turn % 2 else tie] for turn, row in enumerate(rows)]
            place = f"{place_of(number, len(rounds), 'r')}/{place_of(tie + 1, ties, 't')}"
            players = sorted(players, key=seeds.get)
            played.append(Tie(field, place, players, places))
            played[-1].play(options, stops=options["until"] == "sure" and not best_next)
            last |= dict.fromkeys(players, played[-1])
        order = order[:byes]
        for place in range(places):
            order += [tie.going_on[place] for tie in played]
        next_ones = [(tie.order()[places], tie) for tie in played] if best_next else []
        next_ones = sorted(next_ones, key=lambda each: each[1].margin(each[0]), reverse=True)
        order += [version for version, _ in next_ones[:best_next]]
        survived.update(order)
    margin = {v: float(last[v].margin(v)) if v in last else 0.0 for v in seeds}
    return placed({v: float(survived[v]) for v in seeds}, {"margin in the last tie": margin})


def seeded(field, seeds):
    """The players, the best seed first; of those who must not meet only the best."""
    lots = field.lots(field.versions, "lots")
    order = lots
    if seeds == "entrants" or (seeds == "standings" and field.ranked):
        order = field.versions
    elif seeds == "standings":
        strengths = Fit(field.earlier()).strengths()
        order = sorted(lots, key=lambda v: -strengths.get(v, -inf))
    sides = field.table(len(order))
    authors = field.authors_at(sides or ())
    if not authors:
        return list(order)
    chosen = []
    for version in order:
        sitting = {authors[other] for other in chosen}
        chosen += [version] if authors[version] not in sitting else []
    return chosen


def draws(players, seats):
    """The rounds: byes, ties, how many of every tie go on, and how many of those next in order."""
    full, found = seats, []
    if players < seats:
        return found
    while 2 * full <= players:
        full *= 2
    if too_many := players - full:
        ties = min(-(-too_many // (seats - seats // 2)), players // seats)
        places, best_next = divmod(ties * seats - too_many, ties)
        found.append((players - ties * seats, ties, places, best_next))
    while full > seats:
        ties, full = full // seats, full // 2
        found.append((0, ties, *divmod(full, ties)))
    return [*found, (0, 1, 1, 0)]


class Tie:
    """Some bots that play board after board; `going_on` are those who go on, the best first."""

    def __init__(self, field, place, players, places):
        """`players` are in the order of their seeds, and `places` of them go on."""
        self.field, self.place, self.players, self.places = field, place, players, places
        self.own, self.over = defaultdict(list), defaultdict(list)
        self.games, self.going_on = 1, []

    def play(self, options, *, stops):
        """Look at the tie after every batch of matches, if it stops as soon as it is sure."""
        most = -(-options["boards"] // self.field.boards)
        batch = -(-options["batch"] // self.field.boards) if options["until"] == "sure" else most
        for match in range(1, most + 1):
            name = f"{self.place}/{place_of(match, most)}"
            self.tell(self.field.match(name, self.field.lots(self.players, f"{name}/seats")))
            if match == most or match % batch == 0:
                self.decide(over=match == most, stops=stops)
                if self.going_on:
                    break

    def tell(self, result):
        """Count a match's boards: margins over all opponents, and of each seed over a lower one."""
        self.games = max(1, result.games // len(result.boards))
        at = {version: place for place, version in enumerate(result.versions)}
        for board, lost, ahead in zip(result.boards, result.penalties, result.board_margins()):
            for version, margin in zip(result.versions, ahead):
                self.own[version].append(margin)
            net = [score - cost for score, cost in zip(board, lost)]
            for one, other in combinations(self.players, 2):
                if result.sides[at[one]] != result.sides[at[other]]:
                    self.over[one, other].append(net[at[one]] - net[at[other]])

    def margin(self, version):
        """The mean margin in points a game."""
        return mean_of(self.own[version]) / self.games

    def order(self):
        """The players by their margins, equals by their seeds."""
        return sorted(self.players, key=lambda version: -self.margin(version))

    def decide(self, *, over, stops):
        """Say who goes on, if that is sure or all boards are played."""
        order, better, worse = self.order(), Counter(), Counter()
        if not stops:
            self.going_on = order[: self.places] if over else []
            return
        for (one, other), its in self.over.items():
            if verdict := sign(its):
                worse[one if verdict > 0 else other] += 1
                better[other if verdict > 0 else one] += 1
        stay = [v for v in order if worse[v] >= len(order) - self.places]
        out = [v for v in order if better[v] >= self.places]
        doubt = [v for v in self.players if v not in (*stay, *out)]
        if len(stay) < self.places == len(stay) + len(doubt):
            stay = [v for v in order if v not in out]
        if len(stay) >= self.places:
            self.going_on = stay[: self.places]
        elif over:
            self.going_on = [*stay, *doubt, *out][: self.places]


EDGE, SURE, BEGIN = 0.1, (0.95 / 0.05) ** 2, 30


def sign(its):
    """The test of docs/ratings.md, section m: 1 or -1 if one of two is surely better, else 0."""
    n, total = len(its), sum(its)
    if n < BEGIN:
        return 0
    squares, cubes = sum(x * x for x in its), sum(x**3 for x in its)
    spread = n * squares - total * total
    third = n * n * cubes - 3 * n * total * squares + 2 * total**3
    if spread:
        effect = float(total) / sqrt(float(spread))
        skewness = float(third) / (float(spread) * sqrt(float(spread)))
    else:
        effect, skewness = copysign(inf, total) if total else 0.0, 0.0
    plain, skewed = ratio(effect, 0.0), ratio(effect, skewness)
    odds = 1.0
    if (plain > 1) == (skewed > 1) and (plain < 1) == (skewed < 1):
        odds = min(plain, skewed) if plain > 1 else max(plain, skewed)
    chances = 1.0
    while n:  # to the power of n, by multiplication
        chances, odds, n = chances * odds if n % 2 else chances, odds * odds, n // 2
    return (chances >= SURE) - (chances * SURE <= 1)


def ratio(effect, skewness):
    """The square of a board's likelihood ratio, of EDGE better to EDGE worse."""
    reach = sqrt(1 + EDGE * EDGE)
    effect = max(-reach, min(reach, effect))
    worse, better = (
        (effect - bound)
        * (effect - bound)
        * (1 + max(-0.5, min(0.5, skewness * (bound + 2 * effect) / 3)))
        for bound in (-EDGE, EDGE)
    )
    return (1 + worse) / (1 + better)
