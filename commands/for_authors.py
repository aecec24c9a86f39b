"""The commands for authors of bots, as they are typed; commands/actions/ carries them out."""

from __future__ import annotations

from pathlib import Path

import click
from click import Argument, Option

from commands import completion
from commands.cli_options import (
    BOX,
    FOLDER,
    GAME,
    GAME_OF_MATCH,
    JSON,
    TABLE,
    TABLE_BOX,
    TABLE_OPTIONS,
    WHEELS,
    store_option,
)
from commands.command_line import LazyCommand

COMMANDS = (
    LazyCommand(
        "check",
        Argument(["bot"], type=click.Path(exists=True, path_type=Path)),
        Option(
            ["--game"],
            shell_complete=completion.games,
            help="The game to try it in, or a tournament file, whose clock and limits then apply."
            "  [default: the bot's first game]",
        ),
        TABLE_BOX,
        WHEELS,
        help="Try a bot out, step by step, as the arena will.",
    ),
    LazyCommand(
        "submit",
        Argument(["bots"], nargs=-1, required=True, type=click.Path(path_type=Path)),
        Option(["--author"], help="The author's name, for all of them."),
        Option(
            ["--author-from"],
            type=click.Choice(["folder", "bot.yaml"]),
            help="Instead: take each bot's author from the name of its folder, or from `author:` in"
            " its bot.yaml.",
        ),
        Option(
            ["--include-from"],
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            multiple=True,
            metavar="FOLDER",
            help="A folder from which bots may `include` files; can be given more than once."
            "  [always allowed: the arena's own bots/]",
        ),
        Option(
            ["--tag", "tags"],
            metavar="TAG",
            multiple=True,
            help="Tag the bots, as `arena tag` does; can be given more than once.",
        ),
        Option(
            ["--nonce"],
            metavar="HASH",
            help="The SHA-256 of a secret text of the author's, who shows it once a season has"
            " begun; it takes the place of an earlier one.",
        ),
        Option(
            ["--game"],
            metavar="FILE",
            type=click.Path(),
            help="A tournament file; its clock, limits and options apply when its game is"
            " examined.",
        ),
        Option(["--unchecked"], is_flag=True, help="Accept the bots without asking them anything."),
        FOLDER,
        BOX,
        WHEELS,
        store_option(existing=False),
        help="""Submit bots: folders, or zip or tar.gz archives.

        A folder without a bot.yaml stands for the bots in it, one in each of its folders and
        archives. Each bot is asked a few questions of every game that it plays, and is refused if
        it can't answer; the others are taken all the same. A table says what became of several
        bots, and the last lines which tournaments enter them, and when. Files that were submitted
        last are no new version, so the command can be repeated.

        Exit codes: 0 all are in, 1 the arena failed to examine one, 2 one was refused.
        """,
    ),
    LazyCommand(
        "push",
        Argument(["bot"], type=click.Path(exists=True, path_type=Path)),
        Option(
            ["--to", "address"],
            required=True,
            envvar="ARENA_ADDRESS",
            metavar="URL",
            help="The arena's address, such as https://arena.example. The environment variable"
            " ARENA_ADDRESS sets it, too.",
        ),
        Option(
            ["--token"],
            envvar="ARENA_TOKEN",
            help="A token of yours whose scope is submit; others can see it in the list of"
            " processes. The environment variable ARENA_TOKEN sets it, too.",
        ),
        Option(
            ["--token-file"],
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="A file whose first line is the token.",
        ),
        Option(
            ["--team"], default="", help="The team that the bot belongs to, if you have several."
        ),
        Option(
            ["--include-from"],
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            multiple=True,
            metavar="FOLDER",
            help="A folder from which bots may `include` files; can be given more than once."
            "  [always allowed: the arena's own bots/]",
        ),
        Option(["--wait"], is_flag=True, help="Wait until it is decided, and show the log."),
        JSON,
        help="""Hand a bot in at an arena on the net.

        BOT is a folder or an archive. The bot is built and examined there; the files that were
        handed in last are recognised and cost nothing.

        Exit codes: 0 the bot is admitted, 1 the arena failed or can't be reached, 2 the bot is
        refused or the command is mistaken, 3 not decided yet, 130 interrupted.
        """,
    ),
    LazyCommand(
        "play",
        *TABLE,
        Option(["--duplicate"], is_flag=True, help="Play the same cards again, seats turned."),
        Option(["--open", "open_"], is_flag=True, help="Show all hands during the game."),
        Option(["--questions"], is_flag=True, help="Show every question, word by word."),
        JSON,
        store_option(existing=False),
        help="""Play one match now and show it hand by hand; it is not stored.

        GAME is the name of a game, or a tournament file, whose options, clock, limits and box then
        apply. BOTS are folders, or names in the database such as davey or davey@3. In a game of
        partners, two bots hold two seats each; of four bots, the first and the third are partners.
        """,
    ),
    LazyCommand(
        "duel",
        *TABLE,
        Option(
            ["--boards"],
            type=click.IntRange(1),
            default=100,
            show_default=True,
            help="How many boards to play.",
        ),
        JSON,
        store_option(existing=False),
        help="""Tell whether one bot is better than others; nothing is stored.

        The first bot is compared with the others, with a confidence interval. Each board is played
        in every turn of the seats, on all cores. GAME and BOTS are as for `play`, for example a new
        version and the one before it. At a table of three, one bot plays two of the other.

        The number of boards is fixed before you look; `arena compare` plays until it can tell.
        """,
    ),
    LazyCommand(
        "compare",
        GAME,
        Argument(["new"], shell_complete=completion.bots),
        Argument(["old"], shell_complete=completion.bots),
        *TABLE_OPTIONS,
        Option(
            ["--test"],
            type=click.Choice(["gain", "no-worse"]),
            help="What is asked: whether NEW is better (effects 0 and 0.1), or at least no worse"
            " (effects -0.1 and 0).  [default: gain]",
        ),
        Option(
            ["--gain"],
            nargs=2,
            type=float,
            metavar="T0 T1",
            help="Tell these two effects apart: mean leads in standard deviations of a board.",
        ),
        Option(
            ["--cap"],
            type=click.IntRange(30),
            default=4000,
            show_default=True,
            help="How many boards to play at most; a higher cap goes on where a lower one ended.",
        ),
        Option(
            ["--seats"],
            type=click.IntRange(2),
            metavar="N",
            help="How many bots sit down: NEW, and OLD in all other chairs.  [default: as many as"
            " the tournament file seats, else the fewest]",
        ),
        JSON,
        Option(
            ["--into"],
            type=click.Path(file_okay=False, path_type=Path),
            default="var/comparisons",
            show_default=True,
            help="The folder where the boards are kept.",
        ),
        store_option(existing=False),
        help="""Play until it is clear whether NEW is better than OLD.

        Boards are played in every turn of the seats, on all cores, until a sequential test can
        tell. GAME is the name of a game or a tournament file; NEW and OLD are folders, archives, or
        names in the database such as davey@3. Stopped at any moment, the same command goes on with
        the same boards; a comparison that is over is shown again.

        Exit codes: 0 better (or no worse), 1 not, 2 a mistake in the command, 3 undecided at the
        cap, 4 the arena failed, 130 interrupted.
        """,
    ),
    LazyCommand(
        "replay",
        Argument(["key"], metavar="MATCH", shell_complete=completion.tournaments),
        GAME_OF_MATCH,
        Option(
            ["--questions"], is_flag=True, help="Show every question with the number of its turn."
        ),
        JSON,
        store_option(on_demand=True),
        help="""Show a match hand by hand, with its faults.

        MATCH is a stored match's address, or a file that `arena pull` fetched. With the name of a
        tournament, list its latest matches.
        """,
    ),
    LazyCommand(
        "repro",
        Argument(
            ["words"],
            nargs=-1,
            required=True,
            metavar="FILE | [SEASON.zip] MATCH GAME QUESTION  [BOT]",
            shell_complete=completion.bots,
        ),
        Option(
            ["--save"],
            type=click.Path(dir_okay=False, path_type=Path),
            metavar="FILE",
            help="Write the question of a stored match to a file, with the end of the bot's"
            " standard error.",
        ),
        Option(
            ["--lines"],
            is_flag=True,
            help="Print the lines that a stdin bot is sent, the question last, to feed to a"
            " debugger.",
        ),
        Option(
            ["--times"],
            type=click.IntRange(1, 1000),
            default=1,
            metavar="N",
            help="Ask so many times, each in a fresh box, and count the answers: a bot that gives"
            " several draws lots, or knows more than the question.",
        ),
        JSON,
        BOX,
        WHEELS,
        store_option(on_demand=True),
        help="""Ask a bot a question of a match again; compare the answers.

        FILE is a question saved from a match page; it needs no database. With a database, a
        question is named by its MATCH, GAME and QUESTION, the number of its turn, which match pages
        and `arena replay --questions` show. MATCH may be a file that `arena pull` fetched.

        A season's file from `arena export` in front of them stands in for the database; with BOT
        alone, the file asks it everything again that it was asked in the season. BOT is a folder or
        an archive, or a name in the database such as davey or davey@3. A stdin bot is first sent
        what the seat had heard in the game so far.
        """,
    ),
    LazyCommand(
        "stderr",
        Argument(["key"], metavar="MATCH"),
        Argument(["bot"], shell_complete=completion.stored_bots),
        GAME_OF_MATCH,
        store_option(),
        help="""Show what a bot wrote to standard error in a stored match.

        This is for the bot's author: no public page shows it. BOT is a name such as davey or
        davey@3.
        """,
    ),
)
