"""House bots of every game that lists what is legal: where they are, and asked in this process."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from tests.tables.scripted import Said

BOTS = Path(__file__).parents[2] / "bots"


def program(game: str, name: str) -> ModuleType:
    """Load a bot afresh."""
    spec = spec_from_file_location(f"{game}_{name}", BOTS / game / name / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Seated:
    """A bot that is asked in this process."""

    def __init__(self, bot: ModuleType) -> None:
        self.bot = bot

    def ask(self, asked):
        return Said(self.bot.answer(list(asked)))

    def tell(self, line):
        pass
