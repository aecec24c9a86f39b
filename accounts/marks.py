"""Marks: what each person's bot reached, by the version that counts for them.

A version counts if it was submitted until the person's deadline: that of the team, or a later one
of an excuse. Late ones, within the grace, count only where nothing came in time. Among those that
count, `last` is the one that was submitted last, and `best` the one with the most points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from card_arena.accounts.entries import Person, Quota, Student, Team, Upload
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.leaderboard.bots import all_versions
from card_arena.leaderboard.seasons import Season
from card_arena.leaderboard.seasons import season as read_season
from card_arena.leaderboard.sheets import Row
from card_arena.leaderboard.standings import standings, standings_with_figures
from card_arena.ratings.same_contest import same_table
from card_arena.results.entries import Version
from card_arena.results.store import Store

Counts = Literal["last", "best"]

NOTHING = "nothing was submitted until the deadline"
NOT_PLAYED = "the version that counts has not played"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A version that may count for a person; `late` is one that came within the grace."""

    version_id: int
    bot: str
    number: int
    sha256: str
    team: Team
    received: datetime
    deadline: datetime | None
    late: bool


@dataclass(frozen=True, slots=True)
class Figures:
    """What a version has in a season: its points, and the thresholds that it reached.

    `boards` is None where the format doesn't say how many boards the points are from.
    """

    season: Season
    points: float
    low: float | None
    high: float | None
    boards: int | None
    reached: tuple[str, ...] = ()
    perhaps: tuple[str, ...] = ()


class Marks:
    """The marks of a tournament's season; raises `UnknownSeason`.

    `usual` is what may be submitted where organisers have set nothing else.
    """

    def __init__(
        self,
        store: Store,
        accounts: AccountStore,
        usual: Quota,
        tournament: str,
        season: int,
        counts: Counts,
    ) -> None:
        self._store, self._accounts, self._usual, self._counts = store, accounts, usual, counts
        self._season = read_season(store, tournament, season)
        self._figures: dict[int, Figures] = {}
        self._titles = self._thresholds()
        if _panel(self._season):
            for number in sorted(self._season.seasons):
                if number < season:
                    self._add(read_season(store, tournament, number))
        self._add(self._season)
        self._versions = self._by_author()
        self._uploads: dict[int | None, list[Upload]] = {}
        for upload in accounts.each_upload():
            if upload.state == "accepted":
                self._uploads.setdefault(upload.version_id, []).append(upload)
        self._students = accounts.students()
        _, self._limits = accounts.limits()

    @property
    def grades(self) -> Mapping[str, float]:
        """What each threshold is worth; nothing where the tournament's file doesn't say."""
        gauntlet = self._season.settings.format.get("gauntlet", {})
        return dict(gauntlet.get("grades") or {})

    def rows(self) -> Iterator[Row]:
        for person in self._accounts.people():
            if not person.organises:
                yield self._row(person)

    def _row(self, person: Person) -> Row:
        student = self._students.get(person.id, Student())
        found = [each for team in person.teams for each in self._candidates(team, student)]
        counting = self._counting(found)
        figures = None if counting is None else self._figures.get(counting.version_id)
        teams = [counting.team] if counting else [*person.teams]
        season = figures.season if figures else self._season
        mark = figures.reached[-1] if figures and figures.reached else None
        return {
            "name": person.name,
            "email": person.email,
            "number": student.number or None,
            "team": "; ".join(team.name for team in teams) or None,
            "mark": mark,
            "grade": self._grade(figures),
            "perhaps": "; ".join(figures.perhaps) if figures and figures.perhaps else None,
            "points": figures.points if figures else None,
            "points_low": figures.low if figures else None,
            "points_high": figures.high if figures else None,
            "late": counting.late if counting else None,
            "deadline": self._deadline(counting, person, student),
            "excuse": self._excuse(teams, student),
            "bot": counting.bot if counting else None,
            "version": counting.number if counting else None,
            "received": counting.received if counting else None,
            "sha256": counting.sha256 if counting else None,
            "season": season.number,
            "boards": figures.boards if figures else None,
            "thresholds": "; ".join(f"{title}: {asks}" for title, asks in self._titles) or None,
            "manifest": season.manifest,
            "head": season.head,
            "counts": self._counts,
            "note": self._note(counting, figures),
        }

    def _grade(self, figures: Figures | None) -> float | None:
        if figures is None or not self.grades:
            return None
        return max((self.grades.get(title, 0.0) for title in figures.reached), default=0.0)

    def _note(self, counting: Candidate | None, figures: Figures | None) -> str | None:
        if counting is None:
            return NOTHING
        if figures is None:
            return NOT_PLAYED
        if figures.season.state == "running":
            return f"season {figures.season.number} is still being played"
        return None

    def _deadline(
        self, counting: Candidate | None, person: Person, student: Student
    ) -> datetime | None:
        if counting is not None:
            return counting.deadline
        quotas = [self._quota(team, student) for team in person.teams]
        return max((each.deadline for each in quotas if each.deadline), default=None)

    def _excuse(self, teams: Sequence[Team], student: Student) -> str | None:
        of_teams = [self._limits[team].reason for team in teams if team in self._limits]
        return "; ".join(each for each in (student.reason, *of_teams) if each) or None

    def _quota(self, team: Team, student: Student) -> Quota:
        return self._accounts.quota(team.id, self._usual).excused(student)

    def _candidates(self, team: Team, student: Student) -> Iterator[Candidate]:
        """The versions of a team that came until the end of the grace."""
        quota = self._quota(team, student)
        for version in self._versions.get(team.author or "", ()):
            for received in self._times(version):
                if quota.last is None or received <= quota.last:
                    late = quota.deadline is not None and received > quota.deadline
                    yield Candidate(
                        version.id,
                        version.bot,
                        version.number,
                        version.digest,
                        team,
                        received,
                        quota.deadline,
                        late,
                    )

    def _times(self, version: Version) -> Sequence[datetime]:
        """When a version was uploaded, or submitted from the shell."""
        uploads = self._uploads.get(version.id, ())
        return [each.received for each in uploads if each.became(version)] or [version.submitted]

    def _counting(self, found: Sequence[Candidate]) -> Candidate | None:
        """The candidate that counts; None if there is none."""
        considered = [each for each in found if not each.late] or found
        if self._counts == "best":
            played = [each for each in considered if each.version_id in self._figures]
            considered = played or considered
        return max(considered, key=self._order, default=None)

    def _order(self, each: Candidate) -> tuple[Any, ...]:
        figures = self._figures.get(each.version_id)
        points = figures.points if figures and self._counts == "best" else 0.0
        return points, each.received, each.version_id

    def _by_author(self) -> Mapping[str, Sequence[Version]]:
        """The versions that play the tournament's game, by their author."""
        found: dict[str, list[Version]] = {}
        for version in all_versions(self._store):
            if self._season.game in version.games:
                found.setdefault(version.author, []).append(version)
        return found

    def _thresholds(self) -> Sequence[tuple[str, str]]:
        """What each threshold asks, in words, by its name."""
        panel = _panel(self._season)
        names = {
            line.version_id: f"{line.bot} v{line.version}"
            for line in standings(
                self._store, self._season.tournament, self._season.number
            ).standings
        }
        marks = panel["marks"] if panel else ()
        return [
            (
                mark["title"],
                f"{mark['value']:g}"
                if mark["reference"] is None
                else names.get(mark["reference"], "a reference bot"),
            )
            for mark in marks
        ]

    def _add(self, season: Season) -> None:
        """Count a season's figures, where they mean the same as those of the chosen season.

        That is so of a gauntlet against the same bots at the same table, with the same thresholds.
        """
        mine, panel = _panel(self._season), _panel(season)
        if season.number != self._season.number:
            alike = mine and panel and same_table(season.contest, self._season.contest)
            keys = ("references", "marks")
            if not alike or season.state == "annulled" or not panel or not mine:
                return
            if any(mine[key] != panel[key] for key in keys):
                return
        if panel:
            self._figures.update(_of_panel(season, panel))
            return
        table = standings_with_figures(self._store, season.tournament, season.number)
        for line in table.standings:
            if line.points is not None:
                low, high = (
                    (line.interval.low, line.interval.high) if line.interval else (None,) * 2
                )
                self._figures[line.version_id] = Figures(season, line.points, low, high, None)


def marks(
    store: Store, accounts: AccountStore, usual: Quota, tournament: str, season: int, counts: Counts
) -> Iterator[Row]:
    """The marks of a season, person by person; raises `UnknownSeason`."""
    yield from Marks(store, accounts, usual, tournament, season, counts).rows()


def moodle(
    store: Store, accounts: AccountStore, usual: Quota, tournament: str, season: int, counts: Counts
) -> Iterator[Row]:
    """The same as Moodle imports it; raises `UnknownSeason`."""
    for row in marks(store, accounts, usual, tournament, season, counts):
        grade = row["mark"] if row["grade"] is None else f"{row['grade']:g}"
        yield {
            "Email address": row["email"],
            "ID number": row["number"],
            "Grade": grade,
            "Feedback": _feedback(row),
        }


def _feedback(row: Row) -> str:
    """A line of the marks in a sentence, without reasons that other people gave."""
    if row["points"] is None:
        return f"{row['note']}."
    said = [f"{row['bot']} v{row['version']} in season {row['season']}"]
    if row["thresholds"]:
        said.append(f"reached: {row['mark'] or 'no threshold'}")
    if row["perhaps"]:
        said.append(f"perhaps: {row['perhaps']}")
    points = f"{row['points']:.2f} points"
    if row["points_low"] is not None:
        points += f" (95 % interval {row['points_low']:.2f} to {row['points_high']:.2f})"
    said.append(points)
    if row["late"]:
        said.append("submitted late")
    if row["note"]:
        said.append(row["note"])
    return "; ".join(said) + "."


def _panel(season: Season) -> Mapping[str, Any] | None:
    """The thresholds that a season's format draws; None if it has none."""
    return next((each for each in season.panels if each["kind"] == "thresholds"), None)


def _of_panel(season: Season, panel: Mapping[str, Any]) -> Mapping[int, Figures]:
    titles = [mark["title"] for mark in panel["marks"]]
    found = {}
    for line in panel["lines"]:
        boards, mean, reach = line["margin"]
        told = dict(zip(titles, line["reached"], strict=True))
        reached = tuple(title for title in titles if told[title] == "surely")
        above = titles[titles.index(reached[-1]) + 1 :] if reached else titles
        found[line["version"]] = Figures(
            season,
            mean,
            None if reach is None else mean - reach,
            None if reach is None else mean + reach,
            boards,
            reached,
            tuple(title for title in above if told[title] == "perhaps"),
        )
    return found
