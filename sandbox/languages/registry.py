"""The languages: how each is built and run. No other module knows a language.

To add a language, add an entry to `_LANGUAGES` and a starter in `bots/starters/`; the words
of an entry are explained in `sandbox/languages/toolchains.py`. A language that needs programs of
its own is a folder beside this module, imported by nothing else: its `language.py` has the entry as
`LANGUAGE`. Other languages are built and run by `build:` and `run:` in bot.yaml.

`python3 -m card_arena.sandbox.languages.registry` prints the languages that this machine lacks,
each with its Debian packages.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from card_arena.sandbox.languages.toolchains import Language, Words

_SBCL = "sbcl --dynamic-space-size 64MB --noinform --disable-ldb --lose-on-corruption"

# A saved core starts in 2.4 ms and a compiled file in 5.3 (`sbcl --script` on the source: more).
# With a heap over 64 MB, SBCL reserves more than a 256 MiB sandbox lets it.
_SAVE_CORE = """\
(handler-bind ((error (lambda (e) (format *error-output* "~a~%" e) (exit :code 1 :abort t))))
  (multiple-value-bind (fasl warnings failure) (compile-file "{main}")
    (declare (ignore warnings))
    (when (or failure (null fasl)) (exit :code 1 :abort t))
    (load fasl))
  (unless (fboundp 'main) (error "{main} must define a function (main)"))
  (save-lisp-and-die "{out}" :executable t :save-runtime-options t
    :toplevel (lambda ()
      (handler-bind ((error (lambda (e) (format *error-output* "~a~%" e)
                                        (exit :code 1 :abort t))))
        (funcall (quote main)) (finish-output) (exit :code 0 :abort t)))))
"""

_GUILE = "guile --no-auto-compile -L . -c"
_COMPILE_SCHEME = (
    '(use-modules (system base compile)) (compile-file "{main}" #:output-file "{out}")'
)

_ERL = "erl +S 1:1 +SDcpu 1:1 +SDio 1 +A 1 -boot no_dot_erlang -noshell -pa ."
# Erlang itself would write of a crash where the answer should be.
_RUN_ERLANG = """\
try {stem}:main(init:get_plain_arguments()), halt()
catch Class:Reason:Stack ->
    io:format(standard_error, "~p: ~p~n~p~n", [Class, Reason, Stack]), halt(1)
end."""

_PYTHON_2 = "this looks like Python 2: say `language: python2` in bot.yaml"
_MIXED_TABS = "tabs and blanks are mixed where lines begin: use one of them, as Python 3 demands"


def _language(
    name: str,
    title: str,
    suffixes: str,
    tools: str,
    package: str,
    build: str | Words,
    run: str | Words,
    **more: Any,
) -> Language:
    """Make an entry; a command with blanks in a word is given as words."""
    command = tuple(run.split()) if isinstance(run, str) else run
    step = tuple(build.split()) if isinstance(build, str) else build
    return Language(
        name,
        title,
        tuple(suffixes.split()),
        tuple(tools.split()),
        package,
        command,
        (step,) if step else (),
        **more,
    )


_LANGUAGES = (
    _language(
        *("python", "Python", ".py", "python3", "python3"),
        "python3 -m compileall -q --invalidation-mode unchecked-hash .",
        "python3 -B -s {main}",
        environment={"PYTHONHASHSEED": "0", "PYTHONUTF8": "1"},
        libraries="python3-numpy python3-scipy",
        forkable=True,
        hints=(
            ("Missing parentheses in call to", _PYTHON_2),
            ("multiple exception types must be", _PYTHON_2),
            ("leading zeros in decimal integer literals", _PYTHON_2),
            ("inconsistent use of tabs", _MIXED_TABS),
        ),
    ),
    _language(
        *("c", "C", ".c", "gcc", "gcc libc6-dev"),
        "gcc -std=gnu17 -O2 -o {out} {sources} -lm",
        "{out}",
    ),
    _language(
        *("cpp", "C++", ".cpp .cc .cxx", "g++", "g++"),
        "g++ -std=c++20 -O2 -o {out} {sources}",
        "{out}",
    ),
    # Started in 45 ms; with the optimising compiler 60, without the JDK's own archive of classes
    # 63. An archive of the bot's classes gains nothing that can be measured.
    _language(
        *("java", "Java", ".java", "javac java", "default-jdk-headless"),
        "javac -J-Xmx256m -J-XX:+UseSerialGC -d . {sources}",
        "java -Xshare:auto -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData"
        " -XX:ReservedCodeCacheSize=16m -XX:CompressedClassSpaceSize=16m -Xmx96m -Xss512k"
        " -cp . {stem}",
        paths=("etc/java-*",),
    ),
    _language(
        *("lisp", "Common Lisp", ".lisp .lsp .cl", "sbcl", "sbcl"),
        (*f"{_SBCL} --no-sysinit --no-userinit --non-interactive --eval".split(), _SAVE_CORE),
        "{out}",
    ),
    _language(
        *("javascript", "JavaScript", ".js .mjs .cjs", "node", "nodejs"),
        "node --check {main}",
        "node --max-old-space-size=96 {main}",
    ),
    _language(
        *("typescript", "TypeScript", ".ts", "tsc node", "node-typescript"),
        "tsc --skipLibCheck --strict --target es2022 --module commonjs {sources}",
        "node --max-old-space-size=96 {base}.js",
    ),
    _language(
        *("rust", "Rust", ".rs", "rustc", "rustc"),
        "rustc --edition 2021 -O -C strip=symbols -o {out} {main}",
        "{out}",
    ),
    _language(*("go", "Go", ".go", "go", "golang-go"), "go build -o {out} {sources}", "{out}"),
    # RubyGems alone would take 45 ms to start instead of 8; a sandbox has no gems.
    _language(
        *("ruby", "Ruby", ".rb", "ruby", "ruby"),
        "ruby --disable-gems -c {main}",
        "ruby --disable-gems {main}",
    ),
    _language(*("perl", "Perl", ".pl", "perl", "perl"), "perl -I. -c {main}", "perl -I. {main}"),
    # Without the option, PHP writes its warnings where the answer should be.
    _language(
        *("php", "PHP", ".php", "php", "php-cli"),
        "php -n -l {main}",
        "php -n -d display_errors=stderr {main}",
    ),
    _language(
        *("lua", "Lua", ".lua", "lua5.4 luac5.4", "lua5.4"), "luac5.4 -p {main}", "lua5.4 {main}"
    ),
    _language(*("shell", "Shell", ".sh", "sh", "dash"), "sh -n {main}", "sh {main}"),
    _language(
        *("ocaml", "OCaml", ".ml", "ocamlopt ocamldep sh", "ocaml-nox"),
        ("sh", "-c", 'ocamlopt -O3 -o "$0" $(ocamldep -sort "$@")', "{out}", "{sources}"),
        "{out}",
    ),
    _language(
        *("haskell", "Haskell", ".hs", "ghc", "ghc"),
        "ghc -O -outputdir /tmp/ghc -o {out} {main}",
        "{out}",
        paths=("var/lib/ghc",),
    ),
    # Compiled it starts in 9.0 ms, from the source in 10.8, and macros are expanded once.
    # Without GC_NPROCS it asks /proc/stat, which sandboxes hide, and complains.
    _language(
        *("scheme", "Scheme (Guile)", ".scm", "guile", "guile-3.0"),
        (*_GUILE.split(), _COMPILE_SCHEME),
        (*_GUILE.split(), '(load-compiled "{out}")'),
        environment={"GC_NPROCS": "1"},
    ),
    # A program flattened by `raco demod` starts in 65 ms instead of 95, but loses its submodules.
    # A built bot's files all have the time of their copying, which says nothing about their age.
    _language(
        *("racket", "Racket", ".rkt", "racket raco", "racket"),
        "raco make {main}",
        "racket {main}",
        environment={"PLT_COMPILED_FILE_CHECK": "exists"},
        paths=("etc/racket",),
    ),
    _language(
        *("pascal", "Pascal", ".pas .pp", "fpc", "fp-compiler"),
        "fpc -O2 -o{out} {main}",
        "{out}",
        paths=("etc/fpc*",),
    ),
    _language(
        *("fortran", "Fortran", ".f90 .f95 .f03 .f08", "gfortran", "gfortran"),
        "gfortran -O2 -o {out} {main}",
        "{out}",
    ),
    _language(*("ada", "Ada", ".adb", "gnatmake", "gnat"), "gnatmake -O2 -o {out} {main}", "{out}"),
    # 130 ms, of which the packages that R attaches by itself take 100; a bot that needs none
    # of them says `run: [Rscript, --vanilla, --default-packages=base, bot.R]`.
    _language(
        *("r", "R", ".R .r", "Rscript", "r-base-core"),
        ("Rscript", "--vanilla", "-e", 'invisible(parse("{main}"))'),
        "Rscript --vanilla {main}",
        paths=("etc/R",),
    ),
    _language(*("tcl", "Tcl", ".tcl", "tclsh", "tcl"), "", "tclsh {main}"),
    # A saved state starts in 20 ms, the source in 45.
    _language(
        *("prolog", "Prolog", ".pro .prolog", "swipl", "swi-prolog-nox"),
        "swipl -O -g main -t halt -o {out} -c {main}",
        "swipl -x {out} --",
    ),
    # One scheduler of each kind: on a large machine there would be more threads than a sandbox may
    # have, and it starts in 107 ms instead of 118.
    _language(
        *("erlang", "Erlang", ".erl", "erl erlc", "erlang-base"),
        "erlc {sources}",
        (
            *_ERL.split(),
            *("-eval", _RUN_ERLANG, "-extra"),
        ),
        environment={"ERL_CRASH_DUMP_SECONDS": "0"},
    ),
)


def _in_packages() -> Iterator[Language]:
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if module.ispkg:
            language: Language = import_module(
                f"card_arena.sandbox.languages.{module.name}.language"
            ).LANGUAGE
            yield language


LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {entry.name: entry for entry in (*_LANGUAGES, *_in_packages())}
)
"""Every language by the name that bot.yaml gives it."""


def packages(languages: Iterable[Language] = LANGUAGES.values()) -> tuple[str, ...]:
    """Return the Debian packages with the tools of these languages, each once."""
    return tuple(dict.fromkeys(name for entry in languages for name in entry.package.split()))


def libraries(languages: Iterable[Language] = LANGUAGES.values()) -> tuple[str, ...]:
    """Return the Debian packages with other libraries of these languages, each once."""
    return tuple(dict.fromkeys(name for entry in languages for name in entry.libraries.split()))


if __name__ == "__main__":
    for entry in LANGUAGES.values():
        if entry.missing():
            print(entry.name, entry.package)
