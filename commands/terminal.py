"""What people see in a terminal: the standings, a table hand by hand, what bots are in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rich.box import SIMPLE
from rich.text import Text

from commands.printer import Printer, Rows
from common.escaping import one_line
from common.faults import Fault
from leaderboard.question_file import FiledAnswer, QuestionFile
from leaderboard.results import Tally
from leaderboard.statistics.certainty import Certainty, percent
from leaderboard.statistics.intervals import Estimate
from leaderboard.views import (
    Announcement,
    BotLine,
    Candidate,
    MatchLine,
    Page,
    SeasonFacts,
    SeasonTable,
    Standing,
    places,
)
from sandbox.languages.toolchains import Language
from sandbox.limits import MIB
from tables.dealing import commitment
from tables.drawing import show
from tables.encoding import quoted
from tables.game import Game
from tables.manual import option_values
from tables.referee import Step
from tables.seating import Seating, SeatingPlan, boards
from tournament.authors.duel import Form, Slip, points
from tournament.settings import UNRATED
from tournament.verify import Report

MOST_SHOWN = 10
"""How many differences are told one by one."""

LONGEST_LANGUAGE = 40

WIDE = 100
"""A terminal of so many columns has room for authors and languages in the standings."""


def standings_table(season: SeasonTable, width: int, sure: Certainty | None = None) -> Rows:
    """Draw a season's standings for a terminal of so many columns.

    Where there are groups of bots that never met, each line says which one it belongs to. Where it
    is known how sure the order is, each says which places are a statistical tie with its own.
    """
    facts = season.season
    several = season.groups > 1
    wide = width >= WIDE
    table = Rows(
        box=SIMPLE,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        title=f"{facts.tournament}, season {facts.number} ({_headway(facts)})",
        caption=_caption(season, sure),
    )
    table.add_column("", justify="right", no_wrap=True)
    tied = sure is not None and sure.best is not None
    if tied:
        table.add_column("tie", justify="right", no_wrap=True)
    for heading in ("bot", *(("author", "language") if wide else ())):
        table.add_column(heading, overflow="fold")
    ratings = ["rating", "mu", "sigma"] if facts.rated else []
    parted = next((line.tie_breaks for line in season.standings if line.tie_breaks), ())
    tie_breaks = [title for title, _ in parted]
    figures = [facts.points_title, *tie_breaks, *ratings, "tables", "won", "faults"]
    for heading in [*figures, *(["group"] if several else [])]:
        table.add_column(heading.replace(" ", "\n"), justify="right", no_wrap=True)
    for line in season.standings:
        name = f"{line.bot} v{line.version}"
        row = [
            _number(line.rank, "d"),
            *([_tie(line, sure)] if tied else []),
            name,
            *([line.author, _language(line.language)] * wide),
        ]
        row += ["sits out"] if line.sits_out else _figures(line, tie_breaks, facts.rated)
        table.add_row(*row, *([_number(line.group, "d")] if several and not line.sits_out else []))
    return table


def _headway(facts: SeasonFacts) -> str:
    """Say how far a season is: `finished`, or `running, 55 of 192 matches`."""
    if facts.state == "finished":
        return facts.state
    if facts.planned is None:
        return f"{facts.state}, {facts.matches} matches"
    bound = "at most " if facts.at_most else ""
    return f"{facts.state}, {facts.matches} of {bound}{facts.planned} matches"


def _tie(line: Standing, sure: Certainty | None) -> str:
    """Which places a bot may have, where that is more than one."""
    if sure is None or line.version_id not in sure.values:
        return ""
    first, last = sure.places(line.version_id)
    return f"{first}-{last}" if first < last else ""


def _caption(season: SeasonTable, sure: Certainty | None) -> str | None:
    said = []
    if not season.season.rated:
        said.append(UNRATED)
    elif season.groups > 1:
        said.append("ratings of different groups can't be compared")
    if sure is not None and sure.best is not None:
        first = [line for line in season.standings if line.rank == 1]
        if len(first) == 1:
            chance = percent(sure.best[first[0].version_id])
            said.append(f"{first[0].bot} is {chance} sure to be the best of {len(sure.values)}")
        said.append("tie: with other cards a bot may as well have any of these places (95 %)")
    return "\n".join(said) or None


def _figures(line: Standing, tie_breaks: Sequence[str], rated: bool) -> list[str]:
    said = dict(line.tie_breaks)
    known = line.rating
    ratings = (known.low, known.mu, known.sigma) if known else (None,) * 3
    return [
        _number(line.points, f"z.{places(line.points or 0)}f"),
        *(_number(said.get(title), "z.6g") for title in tie_breaks),
        *(_number(rating, "z.2f") for rating in (ratings if rated else ())),
        str(line.matches),
        f"{line.won / line.hands:.0%}" if line.hands else "-",
        f"{line.faults / line.decisions:.1%}" if line.decisions else "-",
    ]


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


SUIT_COLOURS = {"♥": "red", "♦": "blue", "♣": "green", "★": "magenta"}
"""Suits in colours of their own, and trumps that are no suit; the fourth keeps the terminal's."""


def watcher(
    game: Game,
    names: Sequence[str],
    seating_plan: SeatingPlan,
    console: Printer,
    *,
    reveal: bool = False,
    questions: bool = False,
    key: str = "",
) -> Callable[[int, Step], None]:
    """Make something that shows every step of a match's games as it happens.

    `names` are the entrants' of the line-up. `reveal` shows what only some at the table can see;
    `questions` what each bot is asked, word by word. `key` is the address of a match that is
    stored: its questions are numbered, and beside a fault stands how to put it again.
    """
    seatings = seating_plan.seatings
    board = boards(seatings)

    def watch(number: int, step: Step) -> None:
        if step.number == 0 and len(seatings) > 1:
            title = f"game {number + 1} of {len(seatings)}"
            again = board[number] in board[:number]
            console.print(f"{title}, the same cards with the seats turned" if again else title)
        sitting = _chairs(names, seating_plan, seatings[number])
        if questions and step.turn.question:
            label = f"turn {step.number}" if key else "asked"
            console.print(Text(f"    {label:9} {step.turn.question}"), soft_wrap=True)
        for line in show(game, step, sitting, reveal=reveal, width=console.width):
            text = Text(plain(line))
            for sign, colour in SUIT_COLOURS.items():
                text.highlight_regex(rf"[^\s-]*{sign}", colour)
            text.highlight_regex(rf"\(({'|'.join(Fault)}), .*", "yellow")
            text.highlight_regex(r"^>.*", "bold")
            console.print(text, soft_wrap=True)
            if line.startswith("    answered") and key:
                command = f"arena repro {key} {number + 1} {step.number} ./my_bot"
                console.print(Text(f"    again     {command}"), soft_wrap=True)

    return watch


def _chairs(names: Sequence[str], seating_plan: SeatingPlan, seating: Seating) -> list[str]:
    """Name every seat of a game, with its number where there are partners or namesakes."""
    sitting = [names[entrant] for entrant in seating]
    partners = len({*seating_plan.sides}) < len(seating)
    if not partners and len({*sitting}) == len(sitting):
        return sitting
    return [f"{name} (seat {seat})" for seat, name in enumerate(sitting)]


def repeated(name: str, question: QuestionFile, again: FiledAnswer) -> Rows:
    """Draw what came of a question the first time and now, side by side."""
    table = Rows(box=SIMPLE, pad_edge=False)
    for heading in ("", f"then: {question.bot}", f"now: {name}"):
        table.add_column(heading, overflow="fold")
    answers = (question.then, again)
    table.add_row("answer", *(quoted(one.line or "") or "(nothing)" for one in answers))
    table.add_row("verdict", *(_verdict(one) for one in answers))
    table.add_row("took", *(f"{one.wall / 1000:.2f} ms" for one in answers))
    table.add_row("computing", *(f"{one.cpu / 1000:.2f} ms" for one in answers))
    table.add_row(
        "memory", *(f"{one.peak / MIB:.1f} MiB" if one.peak else "not seen" for one in answers)
    )
    return table


def _verdict(answer: FiledAnswer) -> str:
    fault = answer.fault
    return "ok" if fault is None else f"{fault.kind}: {fault.detail}"


def heard_before(question: QuestionFile, heard: int) -> str:
    """Say what a process had been told before it was asked again."""
    if not heard:
        return "It was asked in a fresh process, as then: it had heard nothing before."
    lines = "one line" if heard == 1 else f"{heard} lines"
    before = f", the last of {heard + question.left_out}" if question.left_out else ""
    return f"Its process was told first what the seat had heard until then, {lines}{before}."


def duel_table(forms: Sequence[Form], boards: int) -> Rows:
    """Draw how the bots of a duel do after so many boards, with intervals of 95 %."""
    table = Rows(box=SIMPLE, caption=f"after {boards} boards; intervals of 95 %")
    table.add_column("bot")
    for heading in ("boards won", "lead a game", "faults", "slowest answer"):
        table.add_column(heading, justify="right")
    for form in forms:
        table.add_row(
            form.name,
            _estimate(form.won, "{:.1%}".format),
            _estimate(form.lead, points),
            str(form.faults),
            f"{form.slowest / 1000:.1f} ms",
        )
    return table


def slipped(name: str, slip: Slip) -> str:
    """Tell a bot's first fault of a duel: the question, the answer, and what it wrote."""
    place, fault = slip.place, slip.fault
    lines = [
        f"{name}'s first fault, on board {slip.board}: {fault.kind}: {fault.detail}",
        f"  asked:    {place.question}",
        f"  answered: {place.answer or '(nothing)'}",
    ]
    if slip.stderr:
        lines += ["  on standard error in that game:", *slip.stderr.rstrip().split("\n")]
    return "\n".join(map(plain, lines)) + "\n"


def _estimate(figure: Estimate, written: Callable[[float], str]) -> str:
    if figure.low is None or figure.high is None:
        return written(figure.value)
    return f"{written(figure.value)} ({written(figure.low)} to {written(figure.high)})"


def outcome(names: Sequence[str], tallies: Sequence[Tally]) -> Rows:
    """Draw what a match came to, bot by bot."""
    table = Rows(box=SIMPLE)
    table.add_column("", justify="right")
    table.add_column("bot")
    for heading in ("score", "hands", "won", "faults"):
        table.add_column(heading, justify="right")
    for tally, name in sorted(zip(tallies, names, strict=True), key=lambda pair: pair[0].rank):
        figures = (tally.score, tally.hands, tally.won, tally.faults)
        struck = " (struck out)" if tally.struck_out else ""
        table.add_row(str(tally.rank + 1), name + struck, *map(str, figures))
    return table


def matches_table(page: Page[MatchLine]) -> Rows:
    """Draw a list of matches: their addresses, and who scored what."""
    shown = f"the last {len(page.items)} of {page.total} matches"
    table = Rows(box=SIMPLE, caption=None if page.pages == 1 else shown)
    table.add_column("match", no_wrap=True)
    for heading in ("scores", "faults"):
        table.add_column(heading)
    for line in page.items:
        best = sorted(line.seats, key=lambda seat: seat.rank)
        scores = ", ".join(f"{seat.bot} v{seat.version} {seat.score:+}" for seat in best)
        faults = ", ".join(f"{seat.bot} {seat.faults}" for seat in best if seat.faults)
        table.add_row(line.key, scores, faults)
    return table


def bots_table(lines: Sequence[BotLine]) -> Rows:
    """Draw the list of bots."""
    table = Rows(box=SIMPLE)
    for heading in ("bot", "author", "games", "language", "protocol", "tags", "built"):
        table.add_column(heading)
    for line in lines:
        table.add_row(
            f"{line.label}{' (withdrawn)' if line.withdrawn else ''}",
            line.author,
            ", ".join(line.games),
            _language(line.language),
            line.protocol,
            ", ".join(line.organiser_tags),
            {True: "yes", False: "no", None: "not yet"}[line.built],
        )
    return table


def _language(name: str) -> str:
    """A language's name; where a bot names none, that of a program of its author's choice."""
    return name[:LONGEST_LANGUAGE]


def announced(announcement: Announcement, candidates: Sequence[Candidate], begins: str) -> str:
    """Tell what is known of a season that has not begun, line by line."""
    playing = [one for one in candidates if not one.sits_out]
    lines = [
        f"{announcement.name}, season {announcement.seasons + 1} (not begun)",
        f"  game     {announcement.game}",
        f"  begins   {begins}; until then bots can be entered",
        f"  entered  {', '.join(f'{one.bot} v{one.version}' for one in playing) or 'nobody yet'}",
        *(f"  sits out {one.bot}: {one.sits_out}" for one in candidates if one.sits_out),
        "  enter    arena submit my_bot/ --author you",
    ]
    return "\n".join(map(plain, lines))


def game_table(game: Game) -> Rows:
    """Draw a game's options with their values."""
    table = Rows(
        box=SIMPLE,
        title=f"{game.name}: {game.seats_text} seats, rules version {game.version}",
        caption=f"presets: {', '.join(game.presets)}",
    )
    for heading in ("option", "default", "others", "meaning"):
        table.add_column(heading)
    for name, option in game.options.model_fields.items():
        default, others = option_values(option)
        table.add_row(name, default, ", ".join(others), option.description or "")
    return table


def languages_table(languages: Iterable[Language], has: Callable[[str], bool]) -> Rows:
    """Draw the list of languages; `has` tells whether boxes have a tool."""
    table = Rows(box=SIMPLE)
    for heading in ("language", "files", "here"):
        table.add_column(heading)
    for language in languages:
        how = language.way(has).how_run
        here = language.missing() or (f"yes: {how}" if how else "yes")
        table.add_row(language.name, " ".join(language.suffixes), here)
    return table


def verified(report: Report) -> str:
    """Say what was checked of a season."""
    season = report.season
    found = f"{len(report.differences)} differences" if report.differences else "no difference"
    seed = season.seed.hex() if season.finished else "secret until the season is finished"
    return (
        f"{season.tournament}, season {season.number}: {report.matches} matches replayed,"
        f" {report.turns} turns, {report.packs} packs dealt from the seed, points: {found}\n"
        f"  seed    {seed}\n"
        f"  sha256  {commitment(season.seed)} (compare with what was published)"
    )


def first_few(differences: Sequence[str]) -> str:
    """Say the first differences, and how many more there are."""
    shown = [plain(difference) for difference in differences[:MOST_SHOWN]]
    more = len(differences) - len(shown)
    return "\n".join([*shown, *([f"and {more} more differences"] if more else [])])


def plain(text: str) -> str:
    """Make one line of a stranger's text, safe for a terminal."""
    return one_line(text)
