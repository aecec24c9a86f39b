from __future__ import annotations

import os
import pickle
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from card_arena.sandbox.bundles import archives
from card_arena.sandbox.bundles.bundle import BadBundle, Bundle, read_bundle
from card_arena.sandbox.bundles.manifest import Manifest
from card_arena.sandbox.languages.registry import LANGUAGES
from card_arena.sandbox.limits import LARGEST_BUNDLE, MIB

BOTS = Path(__file__).parents[2] / "bots"
YAML = b"name: ada\ngames: [blackjack]\nprotocol: argv\nlanguage: python\n"


def bot(folder: Path, files: Mapping[str, bytes]) -> Path:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


def refusal(path: Path) -> str:
    with pytest.raises(BadBundle) as caught:
        read_bundle(path)
    return str(caught.value)


def test_a_folder_becomes_a_bundle(tmp_path: Path) -> None:
    bundle = read_bundle(bot(tmp_path, {"bot.yaml": YAML, "bot.py": b"pass", "lib/a.txt": b"1"}))
    assert bundle.manifest.name == "ada"
    assert bundle.main == "bot.py"
    assert dict(bundle.files) == {"bot.py": b"pass", "bot.yaml": YAML, "lib/a.txt": b"1"}


def test_the_digest_is_over_names_and_contents_in_a_documented_order(tmp_path: Path) -> None:
    bundle = read_bundle(bot(tmp_path, {"bot.yaml": YAML, "bot.py": b"pass"}))
    import hashlib

    recipe = b""
    for part in (b"bot.py", b"pass", b"bot.yaml", YAML):
        recipe += len(part).to_bytes(8, "big") + part
    assert bundle.digest == hashlib.sha256(recipe).hexdigest()


def test_a_bundle_survives_its_archive_and_a_pickle(tmp_path: Path) -> None:
    long = "sub/" * 20 + "ünï.txt"
    bundle = read_bundle(bot(tmp_path, {"bot.yaml": YAML, "bot.py": b"pass", long: b"x" * 3000}))
    again = Bundle.from_archive(bundle.archive())
    assert again == bundle == pickle.loads(pickle.dumps(bundle))
    assert again.digest == bundle.digest
    assert again.archive() == bundle.archive()


def test_what_is_no_part_of_a_bot_is_left_out(tmp_path: Path) -> None:
    extra = {".git/config": b"x", "__pycache__/bot.pyc": b"x", "bot.py~": b"x", ".DS_Store": b"x"}
    bundle = read_bundle(bot(tmp_path, {"bot.yaml": YAML, "bot.py": b"pass", **extra}))
    assert list(bundle.files) == ["bot.py", "bot.yaml"]


def test_an_included_folder_is_copied_under_its_own_name(tmp_path: Path) -> None:
    yaml = YAML + b"include: [../lib]\n"
    bot(tmp_path, {"ada/bot.yaml": yaml, "ada/bot.py": b"import lib.a", "lib/a.py": b"A = 1"})
    bundle = read_bundle(tmp_path / "ada")
    assert bundle.files["lib/a.py"] == b"A = 1"
    assert bundle.main == "bot.py"
    assert Bundle.from_archive(bundle.archive()) == bundle


def test_an_archive_must_hold_what_it_includes(tmp_path: Path) -> None:
    bot(tmp_path, {"ada/bot.yaml": YAML + b"include: ../lib\n", "ada/bot.py": b"", "lib/a.py": b""})
    bundle = read_bundle(tmp_path / "ada")
    without = Bundle(bundle.manifest, {p: c for p, c in bundle.files.items() if p != "lib/a.py"})
    with pytest.raises(BadBundle, match=r"includes \.\./lib, which lies outside the archive"):
        Bundle.from_archive(without.archive())


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"bot.py": b""}, "there is no bot.yaml: a bot is a folder with one beside its code."),
        ({"bot.yaml": YAML}, "there is no .py file, but bot.yaml says language python."),
        (
            {"bot.yaml": YAML, "a.py": b"", "b.py": b""},
            "there are 2 .py files and no single one is called bot or main:"
            " say which it is with `main:` in bot.yaml.",
        ),
        (
            {"bot.yaml": YAML + b"main: c.py\n", "a.py": b""},
            "bot.yaml names 'c.py' as main, which is not in the bundle.",
        ),
        (
            {"bot.yaml": YAML, "bot.py": b"#" * 1048577},
            "bot.py is larger than 1 MiB, the most that this arena takes (ARENA_FILE_MIB).",
        ),
        (
            {"bot.yaml": YAML, **{f"{n}.txt": b"#" * 1000000 for n in range(5)}},
            "the files together are larger than 4 MiB, the most that this arena takes"
            " (ARENA_BUNDLE_MIB).",
        ),
        (
            {"bot.yaml": YAML, **{f"{n}.txt": b"" for n in range(200)}},
            "there are more than 200 files.",
        ),
        (
            {"bot.yaml": YAML, "Bot.py": b"", "bot.py": b""},
            "'Bot.py' and 'bot.py' differ only in case or accents, and are one file on some",
        ),
        (
            {"bot.yaml": YAML, "caf\u00e9.py": b"", "cafe\u0301.py": b""},
            "differ only in case or accents",
        ),
        ({"bot.yaml": YAML, "a\nb.py": b""}, r"'a\nb.py' holds a backslash or a character that"),
        ({"bot.yaml": YAML, "a\x1b[1m.py": b""}, "character that can't be printed"),
        (
            {"bot.yaml": YAML, "x" * 120: b""},
            "is not a valid path: expected at most 100 characters a name",
        ),
        (
            {"bot.yaml": YAML + b"include: ../lib\n", "bot.py": b""},
            "/lib is not a folder.",
        ),
    ],
)
def test_a_folder_that_is_no_bot_is_refused_with_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: Mapping[str, bytes], sentence: str
) -> None:
    monkeypatch.setenv("ARENA_FILE_MIB", "1")
    monkeypatch.setenv("ARENA_BUNDLE_MIB", "4")
    said = refusal(bot(tmp_path / "ada", files))
    assert sentence in said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("others", "main"),
    [
        (["mine.py"], "mine.py"),
        (["cards.py", "bot.py"], "bot.py"),
        (["cards.py", "Main.py"], "Main.py"),
        (["mine.py", "lib/a.py", "lib/b.py"], "mine.py"),
        (["a.py", "bot.py", "lib/bot.py"], "bot.py"),
        (["src/bot.py", "src/cards.py"], "src/bot.py"),
    ],
)
def test_the_main_file_is_the_only_one_or_is_called_so(
    tmp_path: Path, others: Sequence[str], main: str
) -> None:
    folder = bot(tmp_path / "ada", {"bot.yaml": YAML, **dict.fromkeys(others, b"")})
    assert read_bundle(folder).main == main


def test_every_house_bot_is_a_bundle() -> None:
    manifests = sorted(BOTS.glob("*/*/bot.yaml"))
    assert manifests
    for manifest in manifests:
        assert read_bundle(manifest.parent).files


def test_a_link_is_taken_for_the_folder_that_is_included_under_its_name_and_for_no_other(
    tmp_path: Path,
) -> None:
    yaml = YAML + b"include: [../lib]\n"
    bot(tmp_path, {"ada/bot.yaml": yaml, "ada/bot.py": b"import lib.a", "lib/a.py": b"A = 1"})
    folder, link = tmp_path / "ada", tmp_path / "ada" / "lib"
    plain = read_bundle(folder)
    link.symlink_to("../lib")
    assert read_bundle(folder) == plain
    for name, target in (("lib", "/etc"), ("lib", "../ben"), ("other", "../lib")):
        link.unlink()
        link = folder / name
        link.symlink_to(target)
        assert refusal(folder) == f"{name} is a symbolic link; only plain files are taken."
    link.unlink()
    (folder / "bot.yaml").write_bytes(YAML)
    (folder / "lib").symlink_to("../lib")
    assert refusal(folder) == "lib is a symbolic link; only plain files are taken."


def test_links_and_special_files_are_refused(tmp_path: Path) -> None:
    folder = bot(tmp_path / "ada", {"bot.yaml": YAML, "bot.py": b""})
    (folder / "passwords").symlink_to("/etc/passwd")
    assert refusal(folder) == "passwords is a symbolic link; only plain files are taken."
    (folder / "passwords").unlink()
    (folder / "out").symlink_to(tmp_path, target_is_directory=True)
    assert refusal(folder) == "out is a symbolic link; only plain files are taken."
    (folder / "out").unlink()
    os.mkfifo(folder / "pipe")
    assert refusal(folder) == "pipe is a special file; only plain files are taken."


def test_an_included_folder_may_not_be_a_way_out(tmp_path: Path) -> None:
    folder = bot(
        tmp_path / "bots" / "ada", {"bot.yaml": YAML + b"include: ../lib\n", "bot.py": b""}
    )
    (tmp_path / "secret").mkdir()
    (tmp_path / "bots" / "lib").symlink_to(tmp_path / "secret", target_is_directory=True)
    lib = tmp_path / "bots" / "lib"
    assert refusal(folder) == f"bot.yaml includes ../lib, but {lib} is not a folder."
    (folder / "bot.yaml").write_bytes(YAML + b"include: ../up/secret\n")
    (tmp_path / "bots" / "up").symlink_to(tmp_path, target_is_directory=True)
    assert "which leads out of" in refusal(folder)


def test_an_included_folder_must_hold_something(tmp_path: Path) -> None:
    folder = bot(tmp_path / "ada", {"bot.yaml": YAML + b"include: ../lib\n", "bot.py": b""})
    bot(tmp_path / "lib", {"__pycache__/a.pyc": b"", ".gitignore": b""})
    lib = tmp_path / "lib"
    assert refusal(folder) == (
        f"bot.yaml includes ../lib, but there is no file in {lib}: put one there or leave it out."
    )


def test_the_games_in_c_are_added_unless_a_bundle_has_its_own(tmp_path: Path) -> None:
    files = {"bot.yaml": YAML + b"include: card_arena/native\n", "bot.py": b""}
    folder = bot(tmp_path / "ada", files)
    bundle = read_bundle(folder, [])
    games = {path for path in bundle.files if path.startswith("native/")}
    assert {"native/game.h", "native/spades.c", "native/bot.h"} <= games
    assert all(path.endswith((".c", ".h")) for path in games)
    assert Bundle.from_archive(archives.pack(files.items())) == bundle
    (folder / "native").mkdir()
    (folder / "native" / "game.h").write_bytes(b"/* an earlier one */")
    earlier = read_bundle(folder)
    assert earlier.files.keys() == {*files, "native/game.h"}
    assert Bundle.from_archive(earlier.archive()) == earlier


OTHERS = {"ben/bot.yaml": YAML, "ben/bot.py": b"", "ben/lib/a.py": b"A = 1"}


@pytest.mark.parametrize(
    ("include", "others"),
    [
        ("../ben", OTHERS),
        ("../ben/lib", OTHERS),
        ("../team", {f"team/{path}": content for path, content in OTHERS.items()}),
        ("../team/ben/lib", {f"team/{path}": content for path, content in OTHERS.items()}),
    ],
)
@pytest.mark.parametrize("anywhere", [True, False])
def test_another_bot_is_never_included(
    tmp_path: Path, include: str, others: Mapping[str, bytes], anywhere: bool
) -> None:
    yaml = YAML + f"include: {include}\n".encode()
    bot(tmp_path, {"ada/bot.yaml": yaml, "ada/bot.py": b"", **others})
    with pytest.raises(BadBundle, match=r"is a bot's own folder|there is a bot in"):
        Bundle.from_folder(tmp_path / "ada", None if anywhere else [tmp_path])


def test_files_are_included_only_from_where_it_is_allowed(tmp_path: Path) -> None:
    files = {"bot.yaml": YAML + b"include: ../lib\n", "bot.py": b""}
    folder = bot(tmp_path / "ada", files)
    lib = bot(tmp_path / "lib", {"a.py": b"A = 1"})
    (tmp_path / "to-lib").symlink_to(lib, target_is_directory=True)
    for allowed in (lib, tmp_path, tmp_path / "to-lib"):
        assert read_bundle(folder, [tmp_path / "ada", allowed]).files["lib/a.py"] == b"A = 1"
    for forbidden in ([], [tmp_path / "ada"], [tmp_path / "li"], [lib / "deeper"]):
        with pytest.raises(BadBundle) as caught:
            read_bundle(folder, forbidden)
        assert str(caught.value) == (
            f"bot.yaml includes ../lib, but no bot may take files from {lib}: "
            f"`--include-from {lib}` allows it, if its author may have them."
        )


@pytest.mark.parametrize("include", ["../..", "../../other", "/etc", "lib", "..", "../a/../../b"])
def test_an_include_is_a_folder_beside_the_bot(tmp_path: Path, include: str) -> None:
    folder = bot(tmp_path, {"bot.yaml": YAML + f"include: {include}\n".encode(), "bot.py": b""})
    assert (
        "must be a folder beside the bot's own, or inside such a one, such as ../lib,"
        " or card_arena/native; got" in refusal(folder)
    )


def test_every_mistake_in_bot_yaml_is_told_at_once(tmp_path: Path) -> None:
    yaml = b"name: Ada Lovelace\nprotocol: pipe\nlanguage: cobol\nflavour: 3\nrun: 'a\nb'\n"
    assert refusal(bot(tmp_path, {"bot.yaml": yaml})).splitlines() == [
        "bot.yaml:1:1: 'games' is missing",
        "bot.yaml:1:7: name must be 1 to 32 of the characters a-z, 0-9, - and _; "
        "got 'Ada Lovelace'",
        "bot.yaml:2:11: protocol must be one of argv, stdin; got 'pipe'",
        f"bot.yaml:3:11: language must be one of {', '.join(LANGUAGES)} "
        "(or leave it out and say `run:`); got 'cobol'",
        f"bot.yaml:4:1: unknown key 'flavour'; known here: {', '.join(Manifest.model_fields)}",
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("", "the file needs `language:`, or `run:` with a command"),
        ("run: ./bot\nmain: bot.c\n", "has `main:` without `language:`"),
        ("run: 'say \"a'\n", "bot.yaml:4:6: run can't be split into words (no closing quotation)"),
        ("run: []\n", "run must be a command: one string, or a list of words"),
        ("run: x\nbuild: [[1]]\n", "build.0 must be a command: one string, or a list of words"),
        ("run: x\nabout: |\n  a\n  b\n", "about must be one line of at most 200 characters"),
        (
            'run: "\\ud800"\n',
            r"bot.yaml:4:6: '\ud800' contains half a character, which is not text",
        ),
        ('run: ["./bot", "\\e[2J"]\n', "run must be a command of characters that can be printed"),
        ('run: "./b\\0t"\n', "run must be a command of characters that can be printed"),
        ('run: x\nbuild: [[x, "\\a"]]\n', "build.0 must be a command of characters that can"),
        (f"run: {'x' * 201}\n", "run must be a command: its first word names a program; got 'xxx"),
        (f"run: x {'y' * 1001}\n", "run must be a command of at most 100 words, each of at most"),
        (f"run: x {'y ' * 100}\n", "run must be a command of at most 100 words, each of at most"),
        (f"run: x\nbuild: [{'x, ' * 21}]\n", "build must have at most 20 entries"),
        (f"run: x\ntags: [{'x, ' * 21}]\n", "tags must have at most 20 entries"),
        (f"run: x\ninclude: ../{'x' * 200}\n", "include must be a folder beside the bot's own"),
        (f"language: {'x' * 60_000}\n", "bot.yaml:4:11: language must be one of"),
        (
            f"language: c\nmain: {'x' * 201}\n",
            "main must be the path of a file in the bot's folder",
        ),
        ('language: c\nmain: "a\\n"\n', "main must be the path of a file in the bot's folder"),
        (
            f"run: x\nimage: {'x' * 201}\n",
            "image must be the name of an image, such as python:3.12",
        ),
        (f"run: x\nwarm: {'x' * 201}\n", "warm must be true or false; got 'xxx"),
        ("run: x\nwarm: false\n", "has `warm:`, which is for bots with `language: python`"),
        ("language: c\nmain: ../c.c\n", "main must be the path of a file in the bot's folder"),
    ],
)
def test_a_manifest_that_makes_no_sense_is_refused(
    tmp_path: Path, lines: str, expected: str
) -> None:
    yaml = f"name: ada\ngames: [blackjack]\nprotocol: argv\n{lines}".encode()
    said = refusal(bot(tmp_path, {"bot.yaml": yaml}))
    assert expected in said
    assert all(line.isprintable() for line in said.splitlines())
    assert len(said) < 500


def test_commands_are_lists_of_words_or_strings(tmp_path: Path) -> None:
    yaml = (
        b"name: ada\ngames: blackjack\nprotocol: argv\n"
        b"build: ['make \"all of it\"', [strip, bot]]\nrun: [./bot, -v]\n"
    )
    described = read_bundle(bot(tmp_path, {"bot.yaml": yaml})).manifest
    assert described.games == ("blackjack",)
    assert described.build == (("make", "all of it"), ("strip", "bot"))
    assert described.run == ("./bot", "-v")


def test_a_path_that_is_not_there_is_told_so(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nobody") == f"{tmp_path}/nobody does not exist."


def test_a_bot_may_bring_weights_of_16_mib_a_file_and_64_in_all(tmp_path: Path) -> None:
    weights = {f"{n}.bin": bytes(16 * MIB) for n in range(3)}
    folder = bot(tmp_path / "ada", {"bot.yaml": YAML, "bot.py": b"", **weights})
    assert read_bundle(folder).files["2.bin"] == bytes(16 * MIB)
    (folder / "0.bin").write_bytes(bytes(16 * MIB + 1))
    assert refusal(folder).startswith("0.bin is larger than 16 MiB, ")
    (folder / "0.bin").write_bytes(bytes(16 * MIB))
    (folder / "3.bin").write_bytes(bytes(16 * MIB))
    assert refusal(folder).startswith("the files together are larger than 64 MiB, ")


def test_an_arena_that_takes_less_by_now_still_reads_what_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = bot(tmp_path / "ada", {"bot.yaml": YAML, "bot.py": b"", "w.bin": bytes(2 * MIB)})
    stored = read_bundle(folder).archive()
    monkeypatch.setenv("ARENA_FILE_MIB", "1")
    with pytest.raises(BadBundle, match=r"'w\.bin' is larger than 1 MiB"):
        Bundle.from_archive(stored)
    assert Bundle.from_archive(stored, LARGEST_BUNDLE).files["w.bin"] == bytes(2 * MIB)


@pytest.mark.parametrize("said", ["0", "many", "-1", "513", "1.5"])
def test_a_limit_that_is_none_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    folder = bot(tmp_path / "ada", {"bot.yaml": YAML, "bot.py": b""})
    monkeypatch.setenv("ARENA_BUNDLE_MIB", said)
    assert refusal(folder) == (
        f"ARENA_BUNDLE_MIB is {said!r}: expected a whole number of MiB from 1 to 512."
    )
