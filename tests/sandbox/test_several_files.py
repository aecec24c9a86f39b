"""Bots of several files, in the languages whose recipes have to see to it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.sandbox.languages.registry import LANGUAGES
from card_arena.sandbox.limits import Limits
from card_arena.tests.needs import need

YAML = "name: ada\ngames: [blackjack]\nprotocol: argv\n"

BOTS: Mapping[str, Mapping[str, str]] = {
    "typescript": {
        "bot.ts": "import { said } from './helper';\nconsole.log(said());\n",
        "helper.ts": "export const said = (): string => 'S';\n",
    },
    "go": {
        "bot.go": 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println(said()) }\n',
        "helper.go": 'package main\n\nfunc said() string { return "S" }\n',
    },
    "perl": {
        "bot.pl": "use Helper;\nprint Helper::said(), qq(\\n);\n",
        "Helper.pm": "package Helper;\nsub said { 'S' }\n1;\n",
    },
    "lua": {
        "bot.lua": "print(require('helper').said())\n",
        "helper.lua": "return { said = function() return 'S' end }\n",
    },
    "ocaml": {
        "bot.ml": "let () = print_endline (Helper.said ())\n",
        "helper.ml": 'let said () = "S"\n',
    },
    "haskell": {
        "bot.hs": "import Helper\nmain :: IO ()\nmain = putStrLn said\n",
        "Helper.hs": 'module Helper where\nsaid :: String\nsaid = "S"\n',
    },
    "scheme": {
        "bot.scm": "(use-modules (helper))\n(display (said))\n(newline)\n",
        "helper.scm": '(define-module (helper) #:export (said))\n(define (said) "S")\n',
    },
    "racket": {
        "bot.rkt": '#lang racket/base\n(require "helper.rkt")\n(displayln (said))\n',
        "helper.rkt": '#lang racket/base\n(provide said)\n(define (said) "S")\n',
    },
    "prolog": {
        "bot.pro": ":- use_module(helper).\nmain :- said(Word), writeln(Word).\n",
        "helper.pl": ":- module(helper, [said/1]).\nsaid('S').\n",
    },
    "erlang": {
        "bot.erl": "-module(bot).\n-export([main/1]).\nmain(_) -> io:put_chars(helper:said()).\n",
        "helper.erl": '-module(helper).\n-export([said/0]).\nsaid() -> "S\\n".\n',
    },
}


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_may_use_what_stands_beside_it(name: str, tmp_path: Path) -> None:
    need("bwrap")
    language = LANGUAGES[name]
    for tool in language.tools:
        need(tool)
    main = next(iter(BOTS[name]))
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.yaml").write_text(f"{YAML}language: {name}\nmain: {main}\n")
    for file, text in BOTS[name].items():
        (folder / file).write_text(text)
    built = build(read_bundle(folder), backend("bubblewrap"), tmp_path / "builds")
    with backend("bubblewrap").open(built.program, Limits(cpu=30.0)) as sandbox:
        reply = sandbox.run(["16"], 30.0)
    assert (reply.line, reply.fault, reply.stderr) == ("S", None, "")
