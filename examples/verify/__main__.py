"""Check a season of Card Arena that somebody else has published, without Card Arena.

This program is written from docs/verifying.md and docs/rules, and imports nothing of the arena.
Whatever it can't check, it says.
"""

import argparse

from basics import READ_ERRORS, printable
from conduct import TRUSTED
from season import Season


def say(text):
    """Print a line, whatever the file has in it."""
    print(printable(text))


def main():
    """Check the files on the command line; the exit code is 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python3 examples/verify", description=__doc__)
    parser.add_argument(
        "files",
        nargs="+",
        metavar="SEASON.zip",
        help="a season's file; with others of the same tournament, for formats that go by earlier"
        " seasons",
    )
    parser.add_argument("--head", help="a head of the ledger that you have saved")
    said = parser.parse_args()
    seasons, wrong = {}, False
    for path in said.files:
        try:
            season = Season(path)
            seasons[season.name, season.number] = path, season
        except OSError as error:
            say(f"WRONG: {path} can't be read: {error.strerror}")
            wrong = True
        except READ_ERRORS as error:
            say(f"WRONG: {path} can't be followed as a season's file: {error!r}")
            wrong = True
    for name, number in sorted(seasons):
        path, season = seasons[name, number]
        earlier = {n: its for (of, n), (_, its) in seasons.items() if of == name and n < number}
        last = max(n for of, n in seasons if of == name)
        try:
            season.check(said.head if number == last else "", earlier)
        except READ_ERRORS as error:
            season.found.append(f"{path} can't be followed as a season's file: {error!r}")
        wrong = report(season) or wrong
    if seasons:
        print("on the organiser's word alone:", *TRUSTED, sep="\n- ")
    return wrong


def report(season):
    """Print what was found in a season; whether anything is wrong."""
    count, packs = season.count, season.count["packs"] if season.key else 0
    say(
        f"{season.name}, season {season.number}: followed {len(season.ledger)} entries of the"
        f" ledger, {len(season.matches)} matches, {count['games']} games, {count['turns']} turns,"
        f" {packs} packs from the key; standings: {season.points}"
    )
    if season.entries:
        told = season.entries.count
        say(
            f"the ledger tells of {told['announce']} announcements, {told['interruption']}"
            f" interruptions, {season.entries.tries.total()} attempts at matches, {told['void']} of"
            " them void"
        )
    for sentence in season.remarks:
        say(f"note: {sentence}")
    for note in dict.fromkeys(season.notes):
        say(f"not checked: {note}")
    for sentence in season.found:
        say(f"WRONG: {sentence}")
    say(f"the ledger's head is {season.facts['head']}")
    return bool(season.found)


if __name__ == "__main__":
    raise SystemExit(main())
