"""Two bots at one table, each in its own sandbox, one of which sends and the other listens."""

import random
import re
from contextlib import suppress
from pathlib import Path

from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.sandbox import SandboxBroken, Program
from card_arena.sandbox.limits import Limits
from card_arena.tournament.play.match import RETRIES

SOURCE = Path(__file__).parent / "channels.py"
CHANNELS = tuple(re.findall(r"^def send_(\w+)", SOURCE.read_text(), re.MULTILINE))
BACK = tuple(re.findall(r"^def back_(\w+)", SOURCE.read_text(), re.MULTILINE))
SECONDS = 20.0


class Pair:
    """A sender that lives and a listener that is started for each channel."""

    def __init__(self, name: str, folder: Path) -> None:
        number = str(random.SystemRandom().randrange(1 << 30))
        program = Program(folder, ("python3", SOURCE.name, number))
        # who is stopped waits for nothing meanwhile; before its first answer nobody is
        running = Limits(cpu=60.0, stopped_between_turns=False)
        self._sender = backend(name).open(program, running)
        self._listener = backend(name).open(program, Limits())
        self._sender.begin_game()

    def whisper(self, channel: str) -> list[str]:
        """Send on a channel, and give what each side says of it.

        A sandbox that breaks on a busy machine is tried again, as a match is.
        """
        for _ in range(RETRIES):
            with suppress(SandboxBroken):
                return self._whisper(channel)
        return self._whisper(channel)

    def _whisper(self, channel: str) -> list[str]:
        replies = [
            self._sender.ask(f"send {channel}", SECONDS),
            self._listener.run([channel], SECONDS),
        ]
        if channel in BACK:
            replies.append(self._sender.ask(f"back {channel}", SECONDS))
        return [reply.line or reply.detail for reply in replies]

    def close(self) -> None:
        """End the sender, which no wall ends where there is none, and remove both sandboxes."""
        self._sender.end_game()
        self._sender.close()
        self._listener.close()
