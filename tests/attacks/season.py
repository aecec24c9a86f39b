"""Plays one small season between honest bots, with or without attackers, as root or as nobody.

Started as a program it prints the matches between honest bots: what was played and who had faults.
Matches run in threads of this process, since an ordinary user may not be let into the project's
folder.
"""

import itertools
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.tables.record import Record
from card_arena.tests.attacks.as_somebody import become_nobody
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.stage import Bot
from card_arena.formats.field import Pairing
from card_arena.tournament.play.match import MatchVoid, Ticket, play_match


STDIN = """
for line in sys.stdin:
    if not line.startswith("#"):
        attack()
        print("S", flush=True)
"""
ARGV = 'attack()\nprint("S")\n'
FLYING = """
import socket, sys
held = []
def attack():
    try:
        for _ in range(10):
            here, away = socket.socketpair()
            held.extend((here, away))
            socket.send_fds(here, [b"x"], [0] * 100)
    except OSError:
        pass
"""
FILTERS = """
import ctypes, socket, struct, sys
code = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0xFFFF) * 4096)
program = struct.pack("HxxxxxxQ", 4096, ctypes.addressof(code))
held = []
def attack():
    try:
        for _ in range(50):
            pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
            held.append(pair)
            pair[0].setsockopt(socket.SOL_SOCKET, 26, program)
    except OSError:
        pass
"""
NAMELESS = """
import os
def attack():
    try:
        for _ in range(100):
            os.close(os.open("/tmp", os.O_TMPFILE | os.O_RDWR))
    except OSError:
        pass
"""
IGNORED = """
import os, signal, time
def attack():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(20):
        if os.fork() == 0:
            while time.process_time() < 0.01:
                pass
            os._exit(0)
"""
LEFTOVERS = """
def attack():
    with open("/tmp/left", "wb") as file:
        file.write(bytes(20 << 20))
"""
ATTACKERS = [
    Bot("flying", "stdin", "python", FLYING + STDIN),
    Bot("filters", "stdin", "python", FILTERS + STDIN),
    Bot("nameless", "argv", "python", NAMELESS + ARGV),
    Bot("ignored", "argv", "python", IGNORED + ARGV),
    Bot("leftovers", "argv", "python", LEFTOVERS + ARGV),
]
HONEST = [
    stage.shell("shell", 12),
    stage.python("python", 15),
    stage.python_stdin("stdin", 17),
]


def season(folder: Path, *, attacked: bool) -> dict[str, object]:
    """Play everybody against everybody; return the matches between honest bots, and all voids."""
    bots = [*HONEST, *(ATTACKERS if attacked else [])]
    bundles = {bot.name: read_bundle(bot.write(folder)).archive() for bot in bots}
    settings = stage.tournament(legs=1, rounds=4)
    plan = next(each for each in settings.seating_plans() if len(each.sides) == 2)
    numbers = {bot.name: number for number, bot in enumerate(bots, 1)}

    def played(pair: tuple[Bot, Bot]) -> tuple[str, list[str] | str]:
        key = f"small/0001/t01/r1/{pair[0].name}-{pair[1].name}"
        ids = tuple(numbers[bot.name] for bot in pair)
        pairing = Pairing(key, 1, 1, ("round 1", "table A"), ids, plan)
        archives = tuple(bundles[bot.name] for bot in pair)
        try:
            match = play_match(Ticket(pairing, archives, settings.freeze(), stage.SEED))
        except MatchVoid as void:
            return key, f"void: {void.reason}"
        return key, [untimed(record) for record in match.records]

    # attackers' matches go first and last, and everywhere between those of honest bots
    pairs = sorted(itertools.combinations(bots, 2), key=lambda pair: hash_of(pair))
    with ThreadPoolExecutor(4) as threads:
        matches = dict(threads.map(played, pairs))
    honest = {bot.name for bot in HONEST}
    return {
        "honest": {
            key: match
            for key, match in matches.items()
            if set(key.rpartition("/")[2].split("-")) <= honest
        },
        "voids": {key: match for key, match in matches.items() if isinstance(match, str)},
    }


def untimed(record: Record) -> str:
    """All of a record but how long the bots took."""
    return repr((record.over, [(*turn[:4], turn.fault) for turn in record.turns]))


def hash_of(pair: tuple[Bot, Bot]) -> int:
    """A fixed order that mixes matches with and without attackers."""
    return sum(map(ord, pair[0].name + pair[1].name)) * 7919 % 101


if __name__ == "__main__":
    place, who, attackers = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "attacked"
    if who == "nobody":
        become_nobody(place / "cache")
        os.environ["ARENA_CACHE"] = str(place / "builds")
    print(json.dumps(season(place / "bots", attacked=attackers)))
