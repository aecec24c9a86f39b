"""The commands that are typed daily; commands/actions/ carries them out."""

from __future__ import annotations

from pathlib import Path

import click
from click import Argument, Option

from card_arena.commands import completion
from card_arena.commands.cli_options import (
    CLUSTER,
    FOLDER,
    GAME_OF_MATCH,
    JSON,
    LISTENER,
    PROXY,
    SANDBOX,
    SANDBOX_HELP,
    SANDBOX_KIND,
    TABLE,
    TABLE_OPTIONS,
    TABLE_SANDBOX,
    TOURNAMENT_FILES,
    WHEELS,
    seed_option,
    store_option,
)
from card_arena.commands.command_line import LazyCommand
from card_arena.sandbox.backends.registry import BACKENDS

OTHER_ARENA = (
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
        help="A token of yours, whose scope is submit for uploads and manage for challenges; others"
        " can see it in the list of processes. The environment variable ARENA_TOKEN sets it, too.",
    ),
    Option(
        ["--token-file"],
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="A file whose first line is the token.",
    ),
)
"""The options of a command that asks another arena."""

DAILY = (
    LazyCommand(
        "check",
        Argument(["bot"], type=click.Path(exists=True, path_type=Path)),
        Option(
            ["--game"],
            shell_complete=completion.games,
            help="The game to try it in, or a tournament file, whose clock and limits apply."
            "  [default: the bot's first game]",
        ),
        TABLE_SANDBOX,
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
            help="Tag the bots, as `arena bot tag` does; can be given more than once.",
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
            help="A tournament file; its clock, limits and options apply when its game is checked.",
        ),
        Option(["--unchecked"], is_flag=True, help="Accept the bots without asking them anything."),
        FOLDER,
        SANDBOX,
        WHEELS,
        store_option(existing=False),
        help="""Submit bots: folders, or zip or tar.gz archives.

        A folder without a bot.yaml stands for the bots in it, one in each of its folders and
        archives. Each bot is asked a few questions of every game that it plays, and is rejected
        if it can't answer; the others are accepted all the same. A table shows the outcome of
        several bots, and the last lines which tournaments enter them, and when. Files that were
        submitted last are no new version, so the command can be repeated.

        Exit codes: 0 all are accepted, 1 the arena failed to check one, 2 one was rejected.
        """,
    ),
    LazyCommand(
        "push",
        Argument(["bot"], type=click.Path(exists=True, path_type=Path)),
        *OTHER_ARENA,
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
        Option(
            ["--wait"],
            is_flag=True,
            help="Wait for the result, and show the log.",
        ),
        JSON,
        help="""Submit a bot to another arena.

        BOT is a folder or an archive. The bot is built and checked there; the files of the last
        upload are recognised and cost nothing.

        Exit codes: 0 the bot is accepted, 1 the arena failed or can't be reached, 2 the bot is
        rejected or the command is mistaken, 3 still pending, 130 interrupted.
        """,
    ),
    LazyCommand(
        "challenge",
        Argument(["opponent"], metavar="BOT[@VERSION]"),
        Option(
            ["--with", "own"],
            metavar="BOT[@VERSION]",
            help="Your bot; needed if several of yours play.",
        ),
        Option(
            ["--boards"],
            type=click.IntRange(1, 1000),
            help="The number of boards, as many as are usual by default.",
        ),
        Option(["--game"], default="", help="The game, if both bots play several."),
        *OTHER_ARENA,
        Option(["--wait"], is_flag=True, help="Wait for the result, and show it."),
        help="""Have your bot play another one of an arena, unrated and at once.

        It begins as soon as a core is free, also while seasons are played. The address of its page
        is printed, with the margin, its interval and all replays.

        Exit codes: 0 it was begun, 1 the arena failed or can't be reached, 2 it was declined or the
        command is mistaken, 130 interrupted.
        """,
    ),
    LazyCommand(
        "pull",
        Argument(["address"], metavar="ADDRESS"),
        Argument(["file"], required=False, type=click.Path(dir_okay=False, path_type=Path)),
        help="""Fetch a match or a season from another arena.

        ADDRESS is that of its page, such as https://arena.example/match/friday/0003/t07/r2/a or
        https://arena.example/t/friday/3. `arena replay` and `arena repro` read the file of a match,
        and `arena verify` that of a season. Without FILE, it is called like friday-0003.zip.
        """,
    ),
    LazyCommand(
        "play",
        *TABLE,
        Option(["--duplicate"], is_flag=True, help="Play the same cards again, seats rotated."),
        Option(["--open", "open_"], is_flag=True, help="Show all hands during the game."),
        Option(["--questions"], is_flag=True, help="Show every question, word by word."),
        JSON,
        store_option(existing=False),
        help="""Play one match now and show it hand by hand; it is not stored.

        GAME is the name of a game, or a tournament file, whose options, clock, limits and sandbox
        then apply. BOTS are folders, or names in the database such as davey or davey@3. In a game
        of partners, two bots hold two seats each; of four bots, the first and the third are
        partners.
        """,
    ),
    LazyCommand(
        "sit",
        Argument(["game"], required=False, shell_complete=completion.games),
        Argument(["bots"], nargs=-1, shell_complete=completion.bots),
        *(option for option in TABLE_OPTIONS if option.name != "seed"),
        Option(["--resume"], metavar="KEY", help="Go on with a game that you have left."),
        store_option(existing=False),
        help="""Play against bots yourself, in this terminal.

        GAME and BOTS are as for `play`; you have the first seat. One bot takes all other seats. In
        a game of partners, the first of two bots is your partner and the second one holds the
        opponents' seats. Otherwise give a bot for every other seat.

        Type an answer or its number, `?` for a hint by the strongest rated bot, or `q` to leave.
        The game is stored: `arena replay KEY` shows it, and --resume goes on with it.
        """,
    ),
    LazyCommand(
        "match",
        Argument(["game"], shell_complete=completion.games),
        Argument(["bots"], nargs=-1, required=True, type=click.Path(path_type=Path)),
        Option(
            ["--options", "--option", "options"],
            multiple=True,
            metavar="KEY=VALUE",
            help="One of the game's options; can be given more than once.",
        ),
        Option(
            ["--boards"],
            type=click.IntRange(1),
            default=1,
            show_default=True,
            help="How many boards to play, each in every rotation of the seats where that helps.",
        ),
        Option(
            ["--seed"],
            type=click.IntRange(0, 2**32 - 1),
            default=0,
            show_default=True,
            help="What the cards are dealt from: a number, no secret.",
        ),
        Option(
            ["--seats"],
            type=click.IntRange(2),
            metavar="N",
            help="How many seats there are.  [default: the fewest for these bots]",
        ),
        Option(
            ["--sandbox"],
            type=SANDBOX_KIND,
            default=next(iter(BACKENDS)),
            show_default=True,
            help=SANDBOX_HELP,
        ),
        JSON,
        help="""Play boards between bots, without a database.

        BOTS are folders or archives: one for each side or each seat, or two, of which the second
        takes all other seats. It is for other programs, such as the tests of a bot's own
        repository: the same seed deals the same cards. The exit code is 0 whichever bot wins.
        """,
    ),
    LazyCommand(
        "compare",
        *TABLE,
        Option(
            ["--boards"],
            type=click.IntRange(1),
            help="Play so many boards, fixed before you look, with any number of bots.",
        ),
        Option(
            ["--test"],
            type=click.Choice(["gain", "no-worse"]),
            help="The question: whether NEW is better (effects 0 and 0.1), or at least no worse"
            " (effects -0.1 and 0).  [default: gain]",
        ),
        Option(
            ["--gain"],
            nargs=2,
            type=float,
            metavar="T0 T1",
            help="Tell these two effects apart: mean margins in standard deviations of a board.",
        ),
        Option(
            ["--cap"],
            type=click.IntRange(30),
            help="How many boards to play at most; a higher cap resumes where a lower one ended."
            "  [default: 4000]",
        ),
        Option(
            ["--seats"],
            type=click.IntRange(2),
            metavar="N",
            help="How many bots sit down: NEW, and OLD in all other seats.  [default: as many as"
            " the tournament file seats, else the fewest]",
        ),
        JSON,
        Option(
            ["--into"],
            type=click.Path(file_okay=False, path_type=Path),
            default="var/comparisons",
            show_default=True,
            help="The folder where the boards are kept; with --boards nothing is kept.",
        ),
        store_option(existing=False),
        help="""Play until it is clear whether one bot is better than another.

        BOTS are NEW and OLD: folders, archives, or names in the database such as davey@3. GAME is
        the name of a game or a tournament file. Boards are played in every rotation of the seats,
        on all cores, until a sequential test can tell. Stopped at any moment, the same command
        continues with the same boards; a comparison that is over is shown again.

        With --boards that many boards are played, and the first bot is compared with all others,
        with a confidence interval; nothing is stored. BOTS are then as for `play`: at a table of
        three, one bot plays two of the other.

        Exit codes: 0 better (or no worse), 1 not, 2 a mistake in the command, 3 undecided at the
        cap, 4 the arena failed, 130 interrupted. With --boards: 0 whatever is found.
        """,
    ),
    LazyCommand(
        "run",
        *TOURNAMENT_FILES,
        Option(
            ["--once"],
            metavar="NAME",
            shell_complete=completion.tournaments_in_files,
            help="Play this tournament now, then exit: the interrupted season if there is one,"
            " otherwise a new one.",
        ),
        Option(["--until-idle"], is_flag=True, help="Exit when nothing is due."),
        seed_option(
            "With --once: the season's secret seed, 64 hexadecimal digits; otherwise random."
        ),
        *CLUSTER,
        store_option(existing=False),
        help="Play the tournaments that are due, and wait for the next.",
    ),
    LazyCommand(
        "up",
        *TOURNAMENT_FILES,
        *LISTENER,
        PROXY,
        *CLUSTER,
        Option(
            ["--link"],
            envvar="ARENA_LINK",
            help="A line that is printed below the address, such as one with the link of an"
            " invitation. Give it as ARENA_LINK, as others can see what is typed.",
        ),
        Option(
            ["--house"],
            metavar="BOT",
            type=click.Path(exists=True, path_type=Path),
            multiple=True,
            help="A bot, or a folder of bots, that is submitted as one of the house, unchecked,"
            " before anything is played; can be given more than once.",
        ),
        store_option(existing=False),
        help="Run the tournaments and serve the leaderboard until Ctrl-C.",
        module="run",
    ),
    LazyCommand(
        "serve",
        *LISTENER,
        PROXY,
        Option(
            ["--until-eof"],
            is_flag=True,
            help="Exit when standard input ends, and print nothing.",
        ),
        store_option(existing=False),
        help="Serve the leaderboard without playing anything.",
    ),
    LazyCommand(
        "standings",
        Argument(["tournament"], required=False, shell_complete=completion.tournaments),
        Option(["--season"], type=int, help="The number of a season.  [default: the latest]"),
        Option(
            ["--versus"],
            is_flag=True,
            help="All seasons of the tournament together: strengths, and head-to-head margins.",
        ),
        Option(
            ["--all-games"],
            is_flag=True,
            help="One order of bots over all games, every game with the same weight.",
        ),
        Option(
            ["--from", "address"],
            metavar="URL",
            help="Ask the arena at this address, such as https://arena.example; it needs no"
            " database.",
        ),
        JSON,
        store_option(on_demand=True),
        help="Show the standings of a tournament, or of all.",
    ),
    LazyCommand(
        "replay",
        Argument(["key"], metavar="MATCH", shell_complete=completion.tournaments),
        GAME_OF_MATCH,
        Option(
            ["--questions"], is_flag=True, help="Show every question with the number of its turn."
        ),
        Option(
            ["--watch"],
            is_flag=True,
            help="Step through a game with keys, or let it play by itself.",
        ),
        Option(
            ["--beside"],
            type=click.IntRange(1),
            metavar="GAME",
            help="With --watch: show this other game of the same board in step with it.",
        ),
        JSON,
        store_option(on_demand=True),
        help="""Show a match hand by hand, with its faults.

        MATCH is a stored match's address, a file that `arena pull` fetched, or the key of a table
        at which people played. With the name of a tournament, list its latest matches.
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
            help="Ask so many times, each in a fresh sandbox, and count the answers: a bot that"
            " gives several is random, or reads more than the question.",
        ),
        JSON,
        SANDBOX,
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
        "review",
        Argument(["key"], metavar="MATCH | TOURNAMENT", shell_complete=completion.tournaments),
        Option(
            ["--seat"],
            type=click.IntRange(0),
            metavar="N",
            help="List every decision of this seat.",
        ),
        Option(
            ["--by"],
            metavar="BOT",
            help="The bot that evaluates the decisions: its bot.yaml has `evaluate: true`."
            "  [default: the arena's champion of the game]",
        ),
        JSON,
        SANDBOX,
        store_option(on_demand=True),
        Option(["--all", "every"], is_flag=True, help="Review all matches of its newest season."),
        help="""Say what each decision of a match cost, and why.

        MATCH is a stored match's address, or a file that `arena pull` fetched. A decision is judged
        by what its seat could know. What was evaluated once is kept in the database, and the page
        of the match shows it. With the name of a TOURNAMENT, its reviewed matches are summed up.
        """,
    ),
    LazyCommand(
        "verify",
        Argument(
            ["what"],
            nargs=-1,
            metavar="[TOURNAMENT | FILE]...",
            shell_complete=completion.tournaments,
        ),
        Option(
            ["--head"],
            metavar="HASH",
            help="The head of the ledger as somebody has saved it; it must still be there.",
        ),
        Option(
            ["--from-scratch"],
            is_flag=True,
            help="Replay all matches, also those that were checked before an interruption.",
        ),
        store_option(on_demand=True),
        help="""Play everything again from the seeds, and check all results.

        Every pack is dealt from the season's seed, every match replayed from its record, and every
        score, point and rating worked out again and compared with what is stored, with the season's
        manifest and with the ledger. FILE is a season that `arena export` wrote; it needs no
        database.

        It uses all cores and can be interrupted at any moment: the same command resumes with what
        is left, if the matches checked before have not changed.
        """,
    ),
    LazyCommand(
        "export",
        Argument(
            ["what"],
            nargs=-1,
            required=True,
            metavar="[decisions] NAME/N [FILE]",
            shell_complete=completion.tournaments,
        ),
        store_option(),
        help="""Write a season to one file that anybody can check.

        It has the manifest, the seed, the ledger and all records of season N, but no bots. While
        the season is played it has no seed. Without FILE, it is called like friday-0001.zip.

        With `decisions` every decision of the season is written for programs that learn from it, as
        JSON lines or, where FILE ends in .parquet, as Parquet: docs/library.md.
        """,
    ),
    LazyCommand(
        "doctor",
        Option(
            ["--sandbox", "only"],
            type=click.Choice([*BACKENDS]),
            help="Check only this kind of sandbox.",
        ),
        JSON,
        Option(
            ["--alarm"],
            is_flag=True,
            help="Check an unattended server without its sandboxes, and send problems to the"
            " recipients in arena.yaml.",
        ),
        Option(
            ["--database"],
            envvar="ARENA_DATABASE",
            metavar="URL",
            help="The database to check; it need not exist.  [default: what arena.yaml"
            " says, else sqlite:///var/arena.db]",
        ),
        help="""Check the sandboxes on this machine, and the arena.

        Also list files of the arena that other users of the machine can read, and problems with
        its settings, secrets, database, disk, backups and certificate, and whether it plays
        and serves. The exit code is 0 if the default sandbox, or the one named, is safe for bots of
        strangers; 1 if a usual guarantee is missing; 2 if there is no such sandbox.

        With --alarm the exit code is 0 without problems and 1 with any. A mail or a webhook, as
        `alarm:` in arena.yaml says, reports a problem when it begins, now and then while it lasts,
        and when it is over.
        """,
    ),
    LazyCommand(
        "plan",
        Argument(["name"], metavar="NAME|FILE", shell_complete=completion.tournaments_in_files),
        FOLDER,
        Option(["--cores"], type=click.IntRange(1), help="Number of cores.  [default: all]"),
        Option(
            ["--bots"],
            metavar="N|FOLDER",
            help="With FILE: as if N bots were entered, or the bots in this folder."
            "  [default: those that the file names, or else 8]",
        ),
        JSON,
        store_option(on_demand=True),
        help="""Show the next season of a tournament without playing it.

        Who would play, who sits out and why, how many matches, how long they take by what was
        measured, and when it is due. Nothing is built, played or stored.

        FILE is a tournament's file, such as friday.yaml: every mistake in it is reported, and no
        database is needed. The exit code is 2 if there is one, or if no season can begin.
        """,
    ),
)
