"""Commands for whoever runs tournaments."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from commands import terminal
from commands.cli_errors import Stop
from commands.cli_options import (
    seed_option,
    with_listener,
    with_store,
    with_stored,
    with_tournaments,
)
from commands.printer import Printer, say
from commands.progress import Screen
from commands.site import end_with_input, serving
from leaderboard import views
from leaderboard.storage.store import Store
from tournament.play.lock import alone
from tournament.play.runner import run as run_tournaments
from tournament.play.runner import run_once
from tournament.requirements import demand
from tournament.settings import Settings, read_folder
from tournament.verify import verify_ratings, verify_season

DAMAGE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What reading values raises that nobody of us has written."""


@click.command()
@with_tournaments
@click.option(
    "--once",
    metavar="NAME",
    help="Play this tournament now, then end: the season that was interrupted, or a new one.",
)
@click.option("--until-idle", is_flag=True, help="End when nothing is due now.")
@seed_option("With --once: the season's secret, 64 hexadecimal digits. Otherwise it is drawn.")
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
    with alone(store.database), Screen(store, Printer()) as screen:
        if once is not None:
            run_once(store, tournaments[0], screen, seed)
        else:
            _complain(
                run_tournaments(
                    store, tournaments, screen, wait=not until_idle, all_there_are=not only
                )
            )


@click.command()
@with_tournaments
@with_listener
@with_store
def up(
    folder: Path, only: tuple[str, ...], host: str, port: int, public: str | None, store: Store
) -> None:
    """Run the tournaments and serve the leaderboard, both until Ctrl-C."""
    tournaments = _chosen(folder, only)
    demand(tournaments)
    with alone(store.database), serving(store, host, port, public):
        with Screen(store, Printer()) as screen:
            screen.say(f"the leaderboard: {public or f'http://{host}:{port}'}")
            _complain(run_tournaments(store, tournaments, screen, all_there_are=not only))
            screen.say("nothing more is due; the leaderboard stays")
        signal.pause()


@click.command()
@with_listener
@click.option("--until-eof", is_flag=True, help="End when standard input does; say nothing.")
@with_store
def serve(host: str, port: int, public: str | None, until_eof: bool, store: Store) -> None:
    """Serve the leaderboard; nothing is played."""
    from leaderboard.web import serve as site
    from leaderboard.web.public_address import public_address

    def listening() -> None:
        if not until_eof:
            say(f"the leaderboard: {public or f'http://{host}:{port}'}")

    if until_eof:
        threading.Thread(target=end_with_input, daemon=True).start()
    url = store.database.url.render_as_string(hide_password=False)
    try:
        address = public_address(public) if public else None
        site.serve(url, host, port, listening, address)
    except site.PortInUse as error:
        raise Stop(str(error)) from error


@click.command()
@click.argument("bot")
@click.option("--undo", is_flag=True, help="Let it play again.")
@with_stored
def withdraw(bot: str, undo: bool, store: Store) -> None:
    """Enter a bot, with all its versions, in no new season.

    What it played stays, and a season that has begun goes on with it. A newer version does not
    bring it back.
    """
    if undo:
        was_withdrawn = store.readmit(bot)
        say(f"{bot} {'plays again' if was_withdrawn else 'was not withdrawn'}")
    else:
        say(f"{bot} is withdrawn since {store.withdraw(bot):%Y-%m-%d %H:%M} UTC")


@click.command()
@click.argument("bot")
@click.argument("tags", nargs=-1)
@click.option("--remove", is_flag=True, help="Take these tags away.")
@with_stored
def tag(bot: str, tags: Sequence[str], remove: bool, store: Store) -> None:
    """Tag a bot, with all its versions, for tournaments to choose by; without TAGS show its tags.

    `entrants: {tags: [house]}` in a tournament's file enters the bots that bear one of the tags.
    What an author writes under `tags:` in bot.yaml is shown on the bot's page and enters nothing.
    """
    if remove and not tags:
        raise click.UsageError("--remove needs the tags that are to go")
    borne = store.untag(bot, tags) if remove else store.tag(bot, tags)
    say(f"{bot} is tagged {', '.join(borne)}" if borne else f"{bot} has no tags")


@click.command()
@click.argument("tournament", required=False)
@click.option("--season", type=int, help="An earlier season than the newest.")
@with_stored
def standings(tournament: str | None, season: int | None, store: Store) -> None:
    """Show who leads: one tournament, or all of them."""
    console = Printer()
    played = [line.name for line in views.tournaments(store)]
    to_come = {each.name: each for each in views.announcements(store) if not each.seasons}
    for name in [tournament] if tournament else [*played, *to_come]:
        if name in to_come and season is None:
            console.print(_announced(store, to_come[name]), soft_wrap=True)
            continue
        table = views.standings(store, name, season)
        sure = views.season_certainty(store, table)
        console.print(terminal.standings_table(table, console.width, sure))
    if not (tournament or played or to_come):
        say("nothing was played yet")


def _announced(store: Store, announcement: views.Announcement) -> str:
    """What is announced of a tournament that was never played."""
    from leaderboard.web.template_filters import moment_in
    from leaderboard.web.upcoming import next_run, zone_of

    moment = next_run(announcement.settings, datetime.now(UTC))
    begins = moment_in(moment, zone_of(announcement.settings)) if moment else "when it is run"
    candidates = views.candidates(store, announcement.settings)
    return terminal.announced(announcement, candidates, begins)


@click.command()
@click.argument("tournament", required=False)
@with_stored
def verify(tournament: str | None, store: Store) -> None:
    """Deal, play and rate everything again from the seeds, and compare."""
    names = [tournament] if tournament else [line.name for line in views.tournaments(store)]
    wrong: list[str] = []
    if not names:
        say("nothing to verify: no season was played yet")
        return
    for name in names:
        try:
            wrong += _verified(store, name)
        except DAMAGE as error:
            wrong.append(f"{name}: what is stored of it can't be read any more: {error!r:.300}")
    if wrong:
        raise Stop(terminal.first_few(wrong), 1)
    say("everything is as it was stored")


def _verified(store: Store, name: str) -> Iterator[str]:
    """Verify a tournament, saying so season by season; gives what is wrong."""
    views.standings(store, name)  # raises where there is no such tournament
    seasons = store.seasons(name)
    for season in seasons:
        report = verify_season(store, season)
        say(terminal.verified(report))
        yield from report.differences
        if season.finished is None:
            say(f"  not finished: its points and {name}'s ratings are not compared")
    if all(season.finished for season in seasons):
        yield from verify_ratings(store, name)
        say(f"{name}: ratings folded anew from the first season on")


def _chosen(folder: Path, names: tuple[str, ...]) -> tuple[Settings[Any], ...]:
    """Read the tournaments of these names in the order in which they are said, or all there are."""
    chosen = [settings for name in names for settings in read_folder(folder, name)]
    return tuple(chosen) or read_folder(folder)


def _complain(kept: Mapping[str, Exception]) -> None:
    """End with what kept the first of the tournaments that could not be played."""
    for error in kept.values():
        raise error
