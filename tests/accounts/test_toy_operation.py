"""An operation is one declaration and one function: the shell, programs and pages follow."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parents[2]

TOY = """
import sys
from pathlib import Path

from card_arena.accounts import operations
from card_arena.accounts.operations import REASON, Operation, Parameter, carries_out

NICKNAME = Parameter("nickname", "What fans say.", "Nickname", missing="give a nickname", most=9)


for subject in ("tournament", "bot"):
    name = f"cheer-{subject}"
    toy = Operation(name, subject, f"Cheer for a {subject}.", "Cheer now", (NICKNAME, REASON))
    operations.OPERATIONS[name] = toy

    @carries_out(name)
    def cheer(store, order):
        return f"{order.about} is cheered as {order.details['nickname']}: {order.details['reason']}"

# All that follows is how anybody uses an operation.

from card_arena import arena
from card_arena.commands.cli_errors import Stop
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.accounts.programs import Program
from card_arena.tests.accounts.sites import open_site
from card_arena.tests.season_settings import season_settings

porch = Porch(Path(sys.argv[1]))
porch.settled(porch.add_upload(porch.ann, bot("davey")))
porch.store.announce({"friday": season_settings({"game": "blackjack"})}, all_there_are=True)
boss, link = porch.accounts.invite("Boss", "boss@example.org", role="organiser")
given = {"nickname": "Champ", "reason": "they won"}
for group, subject in (("season", "friday"), ("bot", "davey")):
    name = f"cheer-{'tournament' if group == 'season' else group}"
    words = [group, name, subject, "--database", porch.url]
    for key, value in given.items():
        words += [f"--{key}", value]
    arena.main(words, standalone_mode=False)
    for nickname, reason in (("much too long", "x"), ("x", " ")):
        wrong = ["--nickname", nickname, "--reason", reason]
        try:
            arena.main([*words[:5], *wrong], standalone_mode=False)
        except Stop as stop:
            print("SHELL", stop.format_message())
with open_site(porch) as app:
    program, browser = Program(app, porch, boss, "manage"), Browser(app)
    browser.enter(link)
    for path, name, page, where, subject in (
        ("admin/tournaments/friday/operations", "cheer-tournament", "/admin/t/friday", "/intervene",
        {}),
        ("bots/davey/operations", "cheer-bot", "/admin/bots", "", {"subject": "davey"}),
    ):
        print("API", program.send(path, {"what": name, **given}).status_code)
        print("API", program.send(path, {"what": name, "nickname": "x"}).text)
        print("PAGE", *[line for line in browser.get(page).text.splitlines() if "Nickname" in line])
        sent = browser.send(page + where, page=page, what=name, **subject, **given)
        print("FORM", sent.status_code)
        wrong = browser.send(page + where, page=page, what=name, **subject, reason="x")
        print("FORM", wrong.status_code)
porch.carry_out()
cheers = [act for act in porch.accounts.audit_log() if act.what.startswith("cheer")]
print("SAID", *sorted({act.answer for act in cheers}))
print("COUNT", sum(act.state == "done" for act in cheers))
"""


def test_a_toy_operation_is_found_by_the_shell_programs_and_pages(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "-c", TOY, str(tmp_path)],
        cwd=TOP,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    for subject in ("friday", "davey"):
        assert said.count(f"{subject} is cheered as Champ: they won") == 1
    assert said.count("SHELL nickname has up to 9 characters") == 2
    assert said.count("API 201") == 2
    assert done.stdout.lower().count(" reason must have 1 to 300 characters") == 2 + 2
    assert (
        len(re.findall(r'PAGE .*<label for="cheer-\w+-nickname">Nickname</label>', done.stdout))
        == 2
    )
    assert said.count("FORM 303") == said.count("FORM 400") == 2
    assert "SAID davey is cheered as Champ: they won friday is cheered as Champ: they won" in said
    assert "COUNT 6" in said
