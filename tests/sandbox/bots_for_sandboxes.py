"""Small programs for the tests of sandboxes."""

from pathlib import Path

from card_arena.sandbox.sandbox import Program

ECHO = """
import sys
print("|".join(sys.argv[1:]))
print("said", *sys.argv[1:], file=sys.stderr)
"""
LISTENER = """
import sys
heard = 0
notices = []
for line in sys.stdin:
    line = line.rstrip("\\n")
    if line.startswith("#"):
        notices.append(line)
        continue
    if line == "crash":
        sys.exit("told to")
    if line == "silent":
        continue
    heard += 1
    print(heard, line, *notices, flush=True)
"""


def python_bot(folder: Path, code: str, **environment: str) -> Program:
    """A bot of one Python file."""
    folder.mkdir(exist_ok=True)
    (folder / "bot.py").write_text(code)
    return Program(folder, ("python3", "bot.py"), environment)


def shell_bot(folder: Path, code: str) -> Program:
    """A bot of one shell script."""
    folder.mkdir(exist_ok=True)
    script = folder / "bot.sh"
    script.write_text(f"#!/bin/sh\n{code}\n")
    script.chmod(0o755)
    return Program(folder, ("./bot.sh",))
