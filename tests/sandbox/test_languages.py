from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from card_arena.sandbox.languages import toolchains
from card_arena.sandbox.languages.registry import LANGUAGES, packages
from card_arena.sandbox.languages.toolchains import ToolMissing, filled, fingerprint

TOP = Path(__file__).parents[2]


def test_file_names_can_never_be_taken_for_options() -> None:
    words = filled(("gcc", "-o", "{out}", "{sources}"), "-x.c", ["-x.c", "lib/-fplugin=y.c"])
    assert words == ("gcc", "-o", "./built-bot", "./-x.c", "./lib/-fplugin=y.c")


def test_a_missing_tool_is_a_sentence_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(toolchains, "SEARCH_PATH", str(tmp_path))
    monkeypatch.setattr(toolchains, "SEEN", (*toolchains.SEEN, str(tmp_path)[1:]))
    assert LANGUAGES["java"].missing() == ("java needs javac: apt-get install default-jdk-headless")
    for name in ("javac", "java"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert LANGUAGES["java"].missing() is None
    with pytest.raises(ToolMissing, match="this bot needs gcc, which is not on this machine"):
        fingerprint(["java", "gcc"])


def test_another_version_of_a_tool_has_another_fingerprint(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(toolchains, "SEARCH_PATH", str(tmp_path))
    tool = tmp_path / "cc"
    tool.write_text("one")
    tool.chmod(0o755)
    before = fingerprint(["cc"])
    assert fingerprint(["cc"]) == before
    tool.write_text("three")
    assert fingerprint(["cc"]) != before


def test_no_two_languages_claim_one_suffix_but_the_two_pythons() -> None:
    others = [language for language in LANGUAGES.values() if language.name != "python2"]
    suffixes = [suffix for language in others for suffix in language.suffixes]
    assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_language_says_which_tools_its_commands_start(name: str) -> None:
    language = LANGUAGES[name]
    started = {words[0] for words in (*language.build, language.run) if "{" not in words[0]}
    assert started <= set(language.tools)
    assert (TOP / "bots" / "starters" / name / "bot.yaml").is_file()


def test_the_packages_of_all_languages_are_listed_once_each() -> None:
    names = packages()
    assert len(names) == len(set(names))
    assert {"python3", "gcc", "libc6-dev", "ghc"} <= set(names)
    assert packages([LANGUAGES["c"], LANGUAGES["c"]]) == ("gcc", "libc6-dev")


def test_missing_languages_and_packages_are_printed_by_a_python_without_the_arenas_own(
    tmp_path: Path,
) -> None:
    (tmp_path / "card_arena").symlink_to(TOP)
    command = ["/usr/bin/python3", "-S", "-E", "-m", "card_arena.sandbox.languages.registry"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "".join(
        f"{language.name} {language.package}\n"
        for language in LANGUAGES.values()
        if language.missing()
    )


def test_a_tool_that_no_sandbox_sees_is_named_with_what_brought_it_and_what_helps(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As rustup, nvm, pyenv and conda install theirs: in a home, which is in no sandbox."""
    (system := tmp_path / "system").mkdir()
    (tools := tmp_path / "home" / ".cargo" / "bin").mkdir(parents=True)
    (tools / "rustc").write_text("#!/bin/sh\n")
    (tools / "rustc").chmod(0o755)
    monkeypatch.setattr(toolchains, "SEARCH_PATH", str(system))
    monkeypatch.setattr(toolchains, "SEEN", (str(system)[1:],))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", "")
    said = LANGUAGES["rust"].missing() or ""
    assert said.startswith(
        f"rust needs rustc: {tools}/rustc, which is rustup's, lies outside of what sandboxes see:"
        " apt-get install rustc, or install it under /usr/local"
    )
    # a link from where sandboxes look is no help: what it leads to is in no sandbox either
    (system / "rustc").symlink_to(tools / "rustc")
    assert LANGUAGES["rust"].missing() == said.replace(str(tools), str(system))
    assert LANGUAGES["rust"].missing(lambda _: True) is None, "sandboxes without walls see it"
    (system / "rustc").unlink()
    (system / "rustc").write_text("#!/bin/sh\n")
    (system / "rustc").chmod(0o755)
    assert LANGUAGES["rust"].missing() is None


def test_a_tool_that_is_only_on_the_users_path_is_found_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "zigzag").write_text("#!/bin/sh\n")
    (tmp_path / "zigzag").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        ToolMissing, match=f"needs zigzag, but {tmp_path}/zigzag lies outside of what sandboxes see"
    ):
        fingerprint(["zigzag"])
    monkeypatch.setenv("PATH", "/usr/bin")
    with pytest.raises(ToolMissing, match="needs zigzag, which is not on this machine"):
        fingerprint(["zigzag"])
