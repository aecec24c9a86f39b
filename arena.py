"""The arena's command line: what a person types, handed to the parts that do it."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console

from leaderboard import views
from leaderboard.results import sheet
from leaderboard.store import Store
from sandbox.backends import BACKENDS, backend
from sandbox.builds import default_cache
from sandbox.check import NOT_REACHED
from sandbox.check import check as examine
from sandbox.language_image import ImageNotBuilt, build_image, language_image, older_images
from sandbox.languages import LANGUAGES
from sandbox.limits import Clock, Limits
from sandbox.proof import prove
from tables.referee import replay as steps_of
from tables.registry import GAMES
from tables.registry import game as game_of
from tables.seating import LineUp
from tournament import diagnosis, terminal
from tournament.blackbox import chosen_game, find, put, written
from tournament.crews import Crew
from tournament.duel import Duel, play_boards
from tournament.exam import exam, question_of_each_phase
from tournament.experiments import Experiment, experiments, load_measure, measured
from tournament.experiments import experiment as experiment_of
from tournament.experiments import play as play_experiment
from tournament.friendly import guest, house_rules, ticket, told_apart
from tournament.lock import alone
from tournament.manners import INTERRUPTED, Arena, Stop, end_on_signals
from tournament.match import play_match
from tournament.progress import Counter, Screen
from tournament.report import experiments_table, findings_table, spoken, write_report
from tournament.requirements import demand
from tournament.runner import NO_WALLS, run_once
from tournament.runner import run as run_tournaments
from tournament.settings import UNRATED, Settings, read_folder
from tournament.submission import Refused, first_game, read_bot, take
from tournament.verify import verify_ratings, verify_season

__version__ = "0.1.0"

DATABASE = "sqlite:///var/arena.db"

STARTERS = Path(__file__).parent / "bots" / "starters"

DAMAGE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What reading values raises that nobody of us has written."""

Function = TypeVar("Function", bound=Callable[..., Any])


def with_store(function: Function) -> Function:
    """Give a command the store that `--database` names, made where it is not there."""
    return _with_database(function, lambda url: Store(url))


def with_stored(function: Function) -> Function:
    """Give a command the store that `--database` names, which must be there."""

    def found(url: str) -> Store:
        path = url.removeprefix("sqlite:///")
        if path != url and not Path(path).exists():
            raise Stop(f"there is no database {path}: `arena submit` or `arena run` makes one")
        return Store(url)

    return _with_database(function, found)


def _with_database(function: Function, open_store: Callable[[str], Store]) -> Function:
    def opened(context: click.Context, _: click.Parameter, url: str) -> Store:
        return context.with_resource(closing(open_store(url)))

    return click.option(
        "--database",
        "store",
        envvar="ARENA_DATABASE",
        default=DATABASE,
        show_default=True,
        metavar="URL",
        callback=opened,
        help="Where everything is kept; the variable ARENA_DATABASE says it too.",
    )(function)


def with_tournaments(function: Function) -> Function:
    """Give a command the tournament files that it is about."""
    for option in (
        click.option(
            "--only",
            metavar="NAME",
            multiple=True,
            help="Only the tournament of this name; can be said more than once.",
        ),
        click.option(
            "--folder",
            type=click.Path(path_type=Path),
            default="tournaments",
            show_default=True,
            help="Where the tournament files are.",
        ),
    ):
        function = option(function)
    return function


def _chosen(folder: Path, names: tuple[str, ...]) -> tuple[Settings[Any], ...]:
    """Read the tournaments of these names in the order in which they are said, or all there are."""
    chosen = [settings for name in names for settings in read_folder(folder, name)]
    return tuple(chosen) or read_folder(folder)


def _box(context: click.Context, parameter: click.Parameter, name: str) -> str:  # noqa: ARG001
    if name == "bare":
        click.echo(f"without boxes: {NO_WALLS}", err=True)
    return name


box_option = click.option(
    "--box",
    type=click.Choice(list(BACKENDS)),
    default="bubblewrap",
    show_default=True,
    callback=_box,
    help="What bots are kept in; `bare` keeps nothing out.",
)


game_option = click.option(
    "--game", "only", type=click.IntRange(1), help="One of its games, the first is 1."
)


def with_table(function: Function) -> Function:
    """Give a command the table that it is about: a game, bots, the game's options."""
    for option in (
        box_option,
        click.option("--seed", metavar="HEX", callback=lambda *given: _seed(given[2])),
        click.option("--preset", metavar="NAME", help="One of the game's sets of options."),
        click.option(
            *("--options", "--option", "options"),
            multiple=True,
            metavar="KEY=VALUE",
            help="One of the game's.",
        ),
        click.argument("bots", nargs=-1, required=True),
        click.argument("game"),
    ):
        function = option(function)
    return function


@click.group(cls=Arena)
@click.version_option(__version__, prog_name="Card Arena")
@click.option("--traceback", is_flag=True, help="Show where an error comes from, for developers.")
def main(traceback: bool) -> None:  # noqa: ARG001
    """Card Arena: where card-playing programs meet."""
    end_on_signals()


# For the author of a bot


@main.command()
@click.argument("bot", type=click.Path(exists=True, path_type=Path))
@click.option("--game", "game_name", help="The game to examine it in; its first one otherwise.")
@box_option
def check(bot: Path, game_name: str | None, box: str) -> None:
    """Try a bot out, step by step, as the arena will."""
    console = terminal.console()
    game = game_of(game_name or first_game(bot))
    questions = exam(game, game.options())
    good = True
    for step in examine(bot, backend(box), Clock(), Limits(), questions, cache=default_cache()):
        word = "passed" if step.passed else "skipped" if step.detail == NOT_REACHED else "FAILED"
        console.print(f"{step.number}  {word:7} {step.title}")
        for line in f"{step.detail}\n{'' if step.passed else step.output}".splitlines():
            if line:
                console.print(f"           {terminal.plain(line)}", soft_wrap=True)
        good &= step.passed
    if not good:
        sys.exit(1)


@main.command()
@click.argument("bots", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--author", required=True, help="Whose bots they are.")
@box_option
@with_store
def submit(bots: Sequence[Path], author: str, box: str, store: Store) -> None:
    """Take bots into the store: folders, or zip or tar.gz archives."""
    refused = []
    for path in bots:
        try:
            taken = take(store, path, author, box)
        except Refused as error:
            refused.append(str(error))
            continue
        news = "is in" if taken.new else "is in already, unchanged"
        waits = f"; it sits out until this machine has what it needs: {taken.waits_for}"
        click.echo(f"{taken.version.label} {news}{waits if taken.waits_for else ''}")
    if refused:
        raise Refused("\n".join(refused))


@main.command()
@with_table
@click.option("--duplicate", is_flag=True, help="Play the same cards again with the seats turned.")
@click.option("--open", "open_", is_flag=True, help="Show all hands while the game goes on.")
@click.option("--questions", is_flag=True, help="Show every question, word by word.")
@with_store
def play(
    game: str,
    bots: Sequence[str],
    options: Sequence[str],
    preset: str | None,
    duplicate: bool,
    open_: bool,
    questions: bool,
    seed: bytes | None,
    box: str,
    store: Store,
) -> None:
    """Play one table now and show it hand by hand; it is not kept.

    BOTS are folders, or names in the store such as davey or davey@3. In a game of partners two
    bots hold two chairs each, and of four the first and the third play together.
    """
    console = terminal.console()
    rules = house_rules(game, len(bots), options, box, preset=preset, duplicate=duplicate)
    guests = [guest(store, name) for name in bots]
    seed = seed or secrets.token_bytes(32)
    names = told_apart(guests, bots)
    match = ticket(guests, rules, seed)
    line_up = match.pairing.line_up
    if not rules.rated:
        console.print(UNRATED)
    watch = terminal.watcher(
        game_of(game), names, line_up, console, reveal=open_, questions=questions
    )
    played = play_match(match, watch)
    tallies = sheet(played.records, line_up.seatings, played.sides).tallies
    console.print(terminal.outcome(names, tallies))
    console.print(f"the same cards again: --seed {seed.hex()}", soft_wrap=True)


@main.command()
@with_table
@click.option("--boards", type=click.IntRange(1), default=100, show_default=True)
@with_store
def duel(
    game: str,
    bots: Sequence[str],
    options: Sequence[str],
    preset: str | None,
    boards: int,
    seed: bytes | None,
    box: str,
    store: Store,
) -> None:
    """Say whether the first bot is better than the others, and how sure that is; nothing is kept.

    Each board is played with the seats turned, on all cores. BOTS are as for `play`: a version
    against the one before, or one bot against two of another (`tarot mine points points`).
    """
    console = terminal.console()
    rules = house_rules(game, len(bots), options, box, preset=preset, duplicate=True)
    guests = [guest(store, name) for name in bots]
    seed = seed or secrets.token_bytes(32)
    match = ticket(guests, rules, seed)
    so_far = Duel(told_apart(guests, bots))
    try:
        with Crew(rules.workers) as crew, Counter(console, "boards", boards) as counter:
            for played in play_boards(match, crew, boards):
                so_far.take_in(played)
                counter.count(so_far.boards)
    except KeyboardInterrupt:
        if not so_far.boards:
            raise
    console.print(terminal.duel_table(so_far.forms(), so_far.boards))
    console.print(so_far.verdict(), soft_wrap=True)
    console.print(f"the same cards again: --seed {seed.hex()}", soft_wrap=True)
    if so_far.boards < boards:
        raise Stop(f"stopped after {so_far.boards} of {boards} boards", INTERRUPTED)


@main.command()
@click.argument("key", metavar="MATCH")
@game_option
@click.option("--questions", is_flag=True, help="Show every question with the number of its turn.")
@with_stored
def replay(key: str, only: int | None, questions: bool, store: Store) -> None:
    """Show a stored match hand by hand, with its faults.

    MATCH is its address; the name of a tournament lists the last matches there.
    """
    console = terminal.console()
    if "/" not in key:
        season = views.standings(store, key).season.number
        console.print(terminal.matches_table(views.matches(store, key, season)))
        return
    match = views.match(store, key)
    if only is not None:
        chosen_game(match, only)
    names = [f"{seat.bot} v{seat.version}" for seat in match.seats]
    line_up = LineUp(tuple(seat.side for seat in match.seats), match.seatings)
    for number, record in enumerate(match.records):
        if only in (None, number + 1):
            game = game_of(record.game)
            watch = terminal.watcher(
                game, names, line_up, console, reveal=True, questions=questions, key=key
            )
            for step in steps_of(game, record):
                watch(number, step)
    tallies = sheet(match.records, line_up.seatings, line_up.sides).tallies
    console.print(terminal.outcome(names, tallies))


@main.command()
@click.argument("key", metavar="MATCH")
@click.argument("game", type=int)
@click.argument("turn", metavar="QUESTION", type=int)
@click.argument("bot", type=click.Path(exists=True, path_type=Path))
@box_option
@with_stored
def repro(key: str, game: int, turn: int, bot: Path, box: str, store: Store) -> None:
    """Put a stored question to a bot of yours, and compare.

    QUESTION is the number of its turn: match pages show it, and `arena replay --questions`. BOT is
    a folder or an archive.
    """
    console = terminal.console()
    bundle = read_bot(bot)
    question = find(store, key, game, turn)
    again, errors = put(question, bundle, box)
    console.print(f"asked: {question.step.turn.question}", soft_wrap=True)
    console.print(terminal.repeated(bundle.manifest.name, question, again))
    if bundle.manifest.protocol == "stdin":
        console.print("It was asked in a fresh process, which knows no more than the question.")
    if errors:
        console.print(f"now on standard error:\n{errors.rstrip()}", soft_wrap=True)


@main.command()
@click.argument("key", metavar="MATCH")
@click.argument("bot")
@game_option
@with_stored
def stderr(key: str, bot: str, only: int | None, store: Store) -> None:
    """Show what a bot wrote on standard error in a stored match.

    It is for the bot's author: no page shows it. BOT is a name such as davey or davey@3.
    """
    found = list(written(store, key, bot, only))
    click.echo("\n".join(found) or f"{bot} wrote nothing on standard error there")


# For whoever runs tournaments


@main.command()
@with_tournaments
@click.option("--once", metavar="NAME", help="Play a new season of this tournament now, then end.")
@click.option("--until-idle", is_flag=True, help="End when nothing is due now.")
@click.option(
    "--seed",
    metavar="HEX",
    callback=lambda *given: _seed(given[2]),
    help="With --once: the season's secret, 64 hexadecimal digits. Otherwise it is drawn.",
)
@with_store
def run(
    folder: Path,
    only: tuple[str, ...],
    once: str | None,
    until_idle: bool,
    seed: bytes | None,
    store: Store,
) -> None:
    """Play what is due, and wait for what comes next."""
    if seed is not None and once is None:
        raise click.UsageError("--seed needs --once: every season has a secret of its own")
    tournaments = _chosen(folder, (once,) if once else only)
    with alone(store.database), Screen(store, terminal.console()) as screen:
        if once is not None:
            run_once(store, tournaments[0], screen, seed)
        else:
            _complain(run_tournaments(store, tournaments, screen, wait=not until_idle))


@main.command()
@with_tournaments
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@with_store
def up(folder: Path, only: tuple[str, ...], host: str, port: int, store: Store) -> None:
    """Run the tournaments and serve the leaderboard, both until Ctrl-C."""
    tournaments = _chosen(folder, only)
    demand(tournaments)
    with alone(store.database), _site(store, host, port):
        with Screen(store, terminal.console()) as screen:
            screen.say(f"the leaderboard: http://{host}:{port}")
            _complain(run_tournaments(store, tournaments, screen))
            screen.say(f"nothing more is due; the leaderboard stays: http://{host}:{port}")
        signal.pause()


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option("--until-eof", is_flag=True, help="End when standard input does; say nothing.")
@with_store
def serve(host: str, port: int, until_eof: bool, store: Store) -> None:
    """Serve the leaderboard; nothing is played."""
    from leaderboard.web import serve as site

    if until_eof:
        threading.Thread(target=_end_with_input, daemon=True).start()
    else:
        click.echo(f"the leaderboard: http://{host}:{port}")
    try:
        site.serve(store.database.url.render_as_string(hide_password=False), host, port)
    except site.PortInUse as error:
        raise Stop(str(error)) from error


@main.command()
@click.argument("tournament", required=False)
@click.option("--season", type=int, help="An earlier season than the newest.")
@with_stored
def standings(tournament: str | None, season: int | None, store: Store) -> None:
    """Show who leads: one tournament, or all of them."""
    console = terminal.console()
    names = [tournament] if tournament else [line.name for line in views.tournaments(store)]
    for name in names:
        console.print(terminal.standings_table(views.standings(store, name, season), console.width))
    if not names:
        click.echo("nothing was played yet")


@main.command()
@click.argument("tournament", required=False)
@with_stored
def verify(tournament: str | None, store: Store) -> None:
    """Deal, play and rate everything again from the seeds, and compare."""
    names = [tournament] if tournament else [line.name for line in views.tournaments(store)]
    wrong: list[str] = []
    if not names:
        click.echo("nothing to verify: no season was played yet")
        return
    for name in names:
        try:
            wrong += _verified(store, name)
        except DAMAGE as error:
            wrong.append(f"{name}: what is stored of it can't be read any more: {error!r:.300}")
    if wrong:
        raise Stop(terminal.first_few(wrong), 1)
    click.echo("everything is as it was stored")


def _verified(store: Store, name: str) -> Iterator[str]:
    """Verify a tournament, saying so season by season; gives what is wrong."""
    views.standings(store, name)  # raises where there is no such tournament
    seasons = store.seasons(name)
    for season in seasons:
        report = verify_season(store, season)
        click.echo(terminal.verified(report))
        yield from report.differences
        if season.finished is None:
            click.echo(f"  not finished: its points and {name}'s ratings are not compared")
    if all(season.finished for season in seasons):
        yield from verify_ratings(store, name)
        click.echo(f"{name}: ratings folded anew from the first season on")


@main.command()
@click.argument("name", required=False)
@click.option("--all", "every", is_flag=True, help="All experiments, one after the other.")
@click.option("--quick", is_flag=True, help="Only so much that everything is tried once.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default="experiments",
    show_default=True,
    help="Where the experiments are.",
)
@click.option(
    "--into",
    type=click.Path(path_type=Path),
    default="var/experiments",
    show_default=True,
    help="Where each is played, in a database of its own, and reported.",
)
def experiment(name: str | None, every: bool, quick: bool, folder: Path, into: Path) -> None:
    """Repeat published results: play an experiment and report it beside the published figures.

    Without a name, list what there is. Stopped at any moment and started again, it plays only what
    is missing. Where nothing is to be played, it computes.
    """
    console = terminal.console()
    if every and name is not None:
        raise click.UsageError("say NAME or --all, not both")
    if not every and name is None:
        console.print(experiments_table(experiments(folder)))
        return
    chosen = (
        experiments(folder, quick=quick)
        if every
        else (experiment_of(folder, name or "", quick=quick),)
    )
    if not quick:
        seconds = sum(one.description.duration for one in chosen)
        click.echo(f"a full run takes about {spoken(seconds)} on 2 cores")
    with Crew() as crew:
        for one in chosen:
            _experiment(one, into / one.name / ("quick" if quick else ""), console, crew)


def _experiment(wanted: Experiment, place: Path, console: Console, crew: Crew) -> None:
    """Play what is missing of an experiment, report it, and show the table."""
    load_measure(wanted)  # whatever is wrong there is better known before hours of play
    if not wanted.tournaments:
        _report(wanted, place, console)
        return
    with (
        closing(Store(f"sqlite:///{place / 'arena.db'}")) as store,
        alone(store.database),
        Screen(store, console) as screen,
    ):
        play_experiment(store, wanted, place, screen, crew)
        _report(wanted, place, console, store)


def _report(wanted: Experiment, place: Path, console: Console, store: Store | None = None) -> None:
    """Measure an experiment, show the table, and write the report."""
    findings = measured(wanted, store)
    console.print(findings_table(wanted, findings))
    click.echo(write_report(wanted, findings, place / "report", __version__, store))


# What there is


@main.command()
@with_stored
def bots(store: Store) -> None:
    """List the bots in the store."""
    terminal.console().print(terminal.bots_table(views.bots(store)))


@main.command()
def games() -> None:
    """List the games and the options of their tables."""
    for game in GAMES.values():
        terminal.console().print(terminal.game_table(game))


@main.command()
def languages() -> None:
    """List the languages that bots may be written in, and what this machine lacks."""
    terminal.console().print(terminal.languages_table(LANGUAGES.values()))


@main.command()
@click.option("--box", "only", type=click.Choice(list(BACKENDS)), help="Only this kind of box.")
@click.option("--json", "as_json", is_flag=True, help="Print the same for programs.")
def doctor(only: str | None, as_json: bool) -> None:
    """Say what the boxes of this machine can and can't promise.

    Ends with 0 where bots of strangers can be let into the default box, or the one named; with 1
    where a wall is missing, with 2 where there is no such box.
    """
    console = terminal.console()
    found = []
    for name in [only] if only else list(BACKENDS):
        found.append(diagnosis.diagnose(name))
        if not as_json:
            for part in diagnosis.drawn(found[-1]):
                whole = isinstance(part, str) and part.startswith("  ")  # a command to be copied
                console.print(part, soft_wrap=whole)
    if as_json:
        click.echo(json.dumps(diagnosis.plain_data(found), indent=2))
    sys.exit(diagnosis.exit_code(found))


@main.group()
def image() -> None:
    """Make and try the image with every language that Docker's boxes are made of."""


@image.command("build")
@click.option("--network", metavar="NAME", help="The one to fetch packages over, such as host.")
def image_build(network: str | None) -> None:
    """Build the image; what Docker has built before is not built again."""
    console = terminal.console()
    said: deque[str] = deque(maxlen=20)
    try:
        with console.status("asking Docker") as status:
            for line in build_image(network):
                said.append(line)
                if line.startswith("Step"):
                    console.print(terminal.plain(line), soft_wrap=True)
                status.update(terminal.plain(line[: console.width - 4]))
    except ImageNotBuilt as error:
        raise Stop("\n".join([*said, str(error)]), 1) from error
    console.print(f"there is {language_image()}")
    if older := older_images():
        console.print(f"older ones can go: docker rmi {' '.join(older)}", soft_wrap=True)


@image.command("check")
@click.argument("languages", nargs=-1, type=click.Choice(list(LANGUAGES)), metavar="[LANGUAGE]...")
def image_check(languages: Sequence[str]) -> None:
    """Build the starter bot of every language in the image, and ask it every game's questions."""
    if not STARTERS.is_dir():
        raise Stop(f"the starter bots, which come with the source code, are not in {STARTERS}")
    questions = [asked for game in GAMES.values() for asked in question_of_each_phase(game)]
    console = terminal.console()
    good = True
    for name in languages or LANGUAGES:
        begun = time.monotonic()
        wrong = prove(STARTERS / name, backend("docker"), default_cache(), questions)
        word = "FAILED" if wrong else "works"
        console.print(f"{name:12} {word:7} {time.monotonic() - begun:5.1f} s")
        for line in (wrong or "").splitlines():
            console.print(f"             {terminal.plain(line)}", soft_wrap=True)
        good &= wrong is None
    if not good:
        sys.exit(1)


# Parts of the above


def _complain(kept: Mapping[str, Exception]) -> None:
    """End with what kept the first of the tournaments that could not be played."""
    for error in kept.values():
        raise error


def _seed(text: str | None) -> bytes | None:
    try:
        seed = bytes.fromhex(text) if text is not None else None
    except ValueError:
        seed = b""
    if seed is not None and len(seed) != 32:
        raise click.BadParameter("expected 64 hexadecimal digits")
    return seed


@contextmanager
def _site(store: Store, host: str, port: int) -> Iterator[None]:
    """Serve the leaderboard from a process of its own, which ends with this one in any case.

    Where it ends by itself, this program is stopped as by Ctrl-C and says why.
    """
    from leaderboard.web import serve as site

    try:
        site.listen(host, port).close()
    except site.PortInUse as error:
        raise Stop(str(error)) from error
    here = str(Path(__file__).parent)
    url = store.database.url.render_as_string(hide_password=False)
    path = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
    server = subprocess.Popen(
        [
            *(sys.executable, "-P", "-c", "import arena; arena.main()"),
            *("serve", "--host", host, "--port", str(port), "--until-eof"),
        ],
        stdin=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path, "ARENA_DATABASE": url},
        process_group=0,
    )
    assert server.stdin is not None
    leaving = threading.Event()
    threading.Thread(target=_stop_without, args=(server, leaving), daemon=True).start()
    try:
        yield
    except KeyboardInterrupt:
        if server.poll() is not None:
            code = server.returncode
            raise Stop(f"the leaderboard's server ended by itself (code {code})", 1) from None
        raise
    finally:
        leaving.set()
        server.stdin.close()
        server.wait()


def _stop_without(server: subprocess.Popen[bytes], leaving: threading.Event) -> None:
    """Stop the program as by Ctrl-C when its server ends before it does."""
    server.wait()
    if not leaving.is_set():
        os.kill(os.getpid(), signal.SIGINT)


def _end_with_input() -> None:
    """Wait for the end of standard input, then end the program as by Ctrl-C."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    main()
