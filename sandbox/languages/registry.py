"""The languages: how each is built and run. No other module knows a language.

To add a language, add an entry to `_LANGUAGES` and a starter in `bots/starters/`; the words
of an entry are explained in `sandbox/languages/toolchains.py`. A language that needs programs of
its own is a folder beside this module, imported by nothing else: its `language.py` has the entry as
`LANGUAGE`. Other languages are built and run by `build:` and `run:` in bot.yaml.

`python3 -m sandbox.languages.registry` prints the Debian packages that this machine lacks.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

from sandbox.languages.toolchains import Language

_SBCL = (
    "sbcl",
    "--dynamic-space-size",
    "64MB",
    "--noinform",
    "--disable-ldb",
    "--lose-on-corruption",
)

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

_COMPILE_SCHEME = (
    '(use-modules (system base compile)) (compile-file "{main}" #:output-file "{out}")'
)

# Erlang itself would write of a crash where the answer should be.
_RUN_ERLANG = """\
try {stem}:main(init:get_plain_arguments()), halt()
catch Class:Reason:Stack ->
    io:format(standard_error, "~p: ~p~n~p~n", [Class, Reason, Stack]), halt(1)
end."""

_PYTHON_2 = "this looks like Python 2: say `language: python2` in bot.yaml"
_MIXED_TABS = "tabs and blanks are mixed where lines begin: use one of them, as Python 3 demands"


_LANGUAGES = (
    Language(
        name="python",
        title="Python",
        suffixes=(".py",),
        tools=("python3",),
        package="python3",
        build=(
            ("python3", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", "."),
        ),
        run=("python3", "-B", "-s", "{main}"),
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
    Language(
        name="c",
        title="C",
        suffixes=(".c",),
        tools=("gcc",),
        package="gcc libc6-dev",
        build=(("gcc", "-std=gnu17", "-O2", "-o", "{out}", "{sources}", "-lm"),),
        run=("{out}",),
    ),
    Language(
        name="cpp",
        title="C++",
        suffixes=(".cpp", ".cc", ".cxx"),
        tools=("g++",),
        package="g++",
        build=(("g++", "-std=c++20", "-O2", "-o", "{out}", "{sources}"),),
        run=("{out}",),
    ),
    # Started in 45 ms; with the optimising compiler 60, without the JDK's own archive of classes
    # 63. An archive of the bot's classes gains nothing that can be measured.
    Language(
        name="java",
        title="Java",
        suffixes=(".java",),
        tools=("javac", "java"),
        package="openjdk-17-jdk-headless",
        build=(("javac", "-J-Xmx256m", "-J-XX:+UseSerialGC", "-d", ".", "{sources}"),),
        run=(
            "java",
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-XX:ReservedCodeCacheSize=16m",
            "-XX:CompressedClassSpaceSize=16m",
            "-Xmx96m",
            "-Xss512k",
            "-cp",
            ".",
            "{stem}",
        ),
        paths=("etc/java-*",),
    ),
    Language(
        name="lisp",
        title="Common Lisp",
        suffixes=(".lisp", ".lsp", ".cl"),
        tools=("sbcl",),
        package="sbcl",
        build=(
            (*_SBCL, "--no-sysinit", "--no-userinit", "--non-interactive", "--eval", _SAVE_CORE),
        ),
        run=("{out}",),
    ),
    Language(
        name="javascript",
        title="JavaScript",
        suffixes=(".js", ".mjs", ".cjs"),
        tools=("node",),
        package="nodejs",
        build=(("node", "--check", "{main}"),),
        run=("node", "--max-old-space-size=96", "{main}"),
    ),
    Language(
        name="typescript",
        title="TypeScript",
        suffixes=(".ts",),
        tools=("tsc", "node"),
        package="node-typescript",
        build=(
            (
                *("tsc", "--skipLibCheck", "--strict", "--target", "es2022"),
                *("--module", "commonjs", "{sources}"),
            ),
        ),
        run=("node", "--max-old-space-size=96", "{base}.js"),
    ),
    Language(
        name="rust",
        title="Rust",
        suffixes=(".rs",),
        tools=("rustc",),
        package="rustc",
        build=(
            ("rustc", "--edition", "2021", "-O", "-C", "strip=symbols", "-o", "{out}", "{main}"),
        ),
        run=("{out}",),
    ),
    Language(
        name="go",
        title="Go",
        suffixes=(".go",),
        tools=("go",),
        package="golang-go",
        build=(("go", "build", "-o", "{out}", "{sources}"),),
        run=("{out}",),
    ),
    # RubyGems alone would take 45 ms to start instead of 8; a sandbox has no gems.
    Language(
        name="ruby",
        title="Ruby",
        suffixes=(".rb",),
        tools=("ruby",),
        package="ruby",
        build=(("ruby", "--disable-gems", "-c", "{main}"),),
        run=("ruby", "--disable-gems", "{main}"),
    ),
    Language(
        name="perl",
        title="Perl",
        suffixes=(".pl",),
        tools=("perl",),
        package="perl",
        build=(("perl", "-I.", "-c", "{main}"),),
        run=("perl", "-I.", "{main}"),
    ),
    # Without the option, PHP writes its warnings where the answer should be.
    Language(
        name="php",
        title="PHP",
        suffixes=(".php",),
        tools=("php",),
        package="php-cli",
        build=(("php", "-n", "-l", "{main}"),),
        run=("php", "-n", "-d", "display_errors=stderr", "{main}"),
    ),
    Language(
        name="lua",
        title="Lua",
        suffixes=(".lua",),
        tools=("lua5.4", "luac5.4"),
        package="lua5.4",
        build=(("luac5.4", "-p", "{main}"),),
        run=("lua5.4", "{main}"),
    ),
    Language(
        name="shell",
        title="Shell",
        suffixes=(".sh",),
        tools=("sh",),
        package="dash",
        build=(("sh", "-n", "{main}"),),
        run=("sh", "{main}"),
    ),
    Language(
        name="ocaml",
        title="OCaml",
        suffixes=(".ml",),
        tools=("ocamlopt", "ocamldep", "sh"),
        package="ocaml-nox",
        build=(("sh", "-c", 'ocamlopt -O3 -o "$0" $(ocamldep -sort "$@")', "{out}", "{sources}"),),
        run=("{out}",),
    ),
    Language(
        name="haskell",
        title="Haskell",
        suffixes=(".hs",),
        tools=("ghc",),
        package="ghc",
        build=(("ghc", "-O", "-outputdir", "/tmp/ghc", "-o", "{out}", "{main}"),),
        run=("{out}",),
        paths=("var/lib/ghc",),
    ),
    # Compiled it starts in 9.0 ms, from the source in 10.8, and macros are expanded once.
    Language(
        name="scheme",
        title="Scheme (Guile)",
        suffixes=(".scm",),
        tools=("guile",),
        package="guile-3.0",
        build=(("guile", "--no-auto-compile", "-L", ".", "-c", _COMPILE_SCHEME),),
        run=("guile", "--no-auto-compile", "-L", ".", "-c", '(load-compiled "{out}")'),
        environment={
            "GC_NPROCS": "1"
        },  # or it asks /proc/stat, which sandboxes hide, and complains
    ),
    # A program flattened by `raco demod` starts in 65 ms instead of 95, but loses its submodules.
    # A built bot's files all have the time of their copying, which says nothing about their age.
    Language(
        name="racket",
        title="Racket",
        suffixes=(".rkt",),
        tools=("racket", "raco"),
        package="racket",
        build=(("raco", "make", "{main}"),),
        run=("racket", "{main}"),
        environment={"PLT_COMPILED_FILE_CHECK": "exists"},
        paths=("etc/racket",),
    ),
    Language(
        name="pascal",
        title="Pascal",
        suffixes=(".pas", ".pp"),
        tools=("fpc",),
        package="fp-compiler",
        build=(("fpc", "-O2", "-o{out}", "{main}"),),
        run=("{out}",),
        paths=("etc/fpc*",),
    ),
    Language(
        name="fortran",
        title="Fortran",
        suffixes=(".f90", ".f95", ".f03", ".f08"),
        tools=("gfortran",),
        package="gfortran",
        build=(("gfortran", "-O2", "-o", "{out}", "{main}"),),
        run=("{out}",),
    ),
    Language(
        name="ada",
        title="Ada",
        suffixes=(".adb",),
        tools=("gnatmake",),
        package="gnat",
        build=(("gnatmake", "-O2", "-o", "{out}", "{main}"),),
        run=("{out}",),
    ),
    # 130 ms, of which the packages that R attaches by itself take 100; a bot that needs none
    # of them says `run: [Rscript, --vanilla, --default-packages=base, bot.R]`.
    Language(
        name="r",
        title="R",
        suffixes=(".R", ".r"),
        tools=("Rscript",),
        package="r-base-core",
        build=(("Rscript", "--vanilla", "-e", 'invisible(parse("{main}"))'),),
        run=("Rscript", "--vanilla", "{main}"),
        paths=("etc/R",),
    ),
    Language(
        name="tcl",
        title="Tcl",
        suffixes=(".tcl",),
        tools=("tclsh",),
        package="tcl",
        run=("tclsh", "{main}"),
    ),
    # A saved state starts in 20 ms, the source in 45.
    Language(
        name="prolog",
        title="Prolog",
        suffixes=(".pro", ".prolog"),
        tools=("swipl",),
        package="swi-prolog-nox",
        build=(("swipl", "-O", "-g", "main", "-t", "halt", "-o", "{out}", "-c", "{main}"),),
        run=("swipl", "-x", "{out}", "--"),
    ),
    # One scheduler of each kind: on a large machine there would be more threads than a sandbox may
    # have, and it starts in 107 ms instead of 118.
    Language(
        name="erlang",
        title="Erlang",
        suffixes=(".erl",),
        tools=("erl", "erlc"),
        package="erlang-base",
        build=(("erlc", "{sources}"),),
        run=(
            *("erl", "+S", "1:1", "+SDcpu", "1:1", "+SDio", "1", "+A", "1"),
            *("-boot", "no_dot_erlang", "-noshell", "-pa", "."),
            *("-eval", _RUN_ERLANG, "-extra"),
        ),
        environment={"ERL_CRASH_DUMP_SECONDS": "0"},
    ),
)


def _in_packages() -> Iterator[Language]:
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if module.ispkg:
            language: Language = import_module(f"sandbox.languages.{module.name}.language").LANGUAGE
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
    for package in packages(entry for entry in LANGUAGES.values() if entry.missing()):
        print(package)
