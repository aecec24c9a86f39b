from __future__ import annotations

from pathlib import Path

import pytest

from sandbox import languages
from sandbox.languages import LANGUAGES, ToolMissing, filled, fingerprint


def test_file_names_can_never_be_taken_for_options() -> None:
    words = filled(("gcc", "-o", "{out}", "{sources}"), "-x.c", ["-x.c", "lib/-fplugin=y.c"])
    assert words == ("gcc", "-o", "./built-bot", "./-x.c", "./lib/-fplugin=y.c")


def test_a_missing_tool_is_a_sentence_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(languages, "SEARCH_PATH", str(tmp_path))
    assert LANGUAGES["java"].missing() == (
        "java needs javac: apt-get install openjdk-17-jdk-headless"
    )
    for name in ("javac", "java"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert LANGUAGES["java"].missing() is None
    with pytest.raises(ToolMissing, match="this bot needs gcc, which is not on this machine"):
        fingerprint(["java", "gcc"])


def test_another_version_of_a_tool_has_another_fingerprint(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(languages, "SEARCH_PATH", str(tmp_path))
    tool = tmp_path / "cc"
    tool.write_text("one")
    tool.chmod(0o755)
    before = fingerprint(["cc"])
    assert fingerprint(["cc"]) == before
    tool.write_text("three")
    assert fingerprint(["cc"]) != before


def test_no_two_languages_claim_one_suffix() -> None:
    suffixes = [suffix for language in LANGUAGES.values() for suffix in language.suffixes]
    assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_language_says_which_tools_its_commands_start(name: str) -> None:
    language = LANGUAGES[name]
    started = {words[0] for words in (*language.build, language.run) if "{" not in words[0]}
    assert started <= set(language.tools)
    assert (Path(__file__).parents[2] / "bots" / "starters" / name / "bot.yaml").is_file()
