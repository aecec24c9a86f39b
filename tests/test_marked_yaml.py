from __future__ import annotations

from typing import Any, Literal, Self

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, model_validator

from card_arena.common.marked_yaml import BadYaml, load, plain_value, read


class Clock(BaseModel):
    model_config = ConfigDict(extra="forbid")
    question: float = 1.0


class Cup(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    rounds: int = Field(default=1, ge=1, le=100)
    protocol: Literal["argv", "stdin"] = "argv"
    tags: list[str] = []
    clock: Clock = Clock()


def mistakes(text: str) -> tuple[str, ...]:
    with pytest.raises(BadYaml) as caught:
        load(text, "cup.yaml", Cup)
    return caught.value.mistakes


def test_a_right_file_becomes_a_model() -> None:
    cup = load("name: friday\ntags: [house]\nclock: {question: 0.5}\n", "cup.yaml", Cup)
    assert cup == Cup(name="friday", tags=["house"], clock=Clock(question=0.5))


def test_every_mistake_is_told_at_once_in_the_order_of_the_file() -> None:
    assert mistakes("rounds: 0\nprotocol: pipe\nclock:\n  qestion: 1\ntags: [a, 7]\n") == (
        "cup.yaml:1:1: 'name' is missing",
        "cup.yaml:1:9: rounds must be at least 1; got 0",
        "cup.yaml:2:11: protocol must be one of argv, stdin; got 'pipe'",
        "cup.yaml:4:3: unknown key 'qestion'; did you mean 'question'?",
        "cup.yaml:5:11: tags.1 must be text; got 7",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "cup.yaml:1:1: the file is empty"),
        ("- a\n", "cup.yaml:1:1: must be a mapping of `key: value` lines"),
        ("name: a\nname: b\n", "cup.yaml:2:1: 'name' occurs twice; the first is in line 1"),
        ("name: &a x\ntags: [*a]\n", "cup.yaml:1:7: anchors (&a) are not allowed"),
        ("name: !!python/name:os.system x\n", "cup.yaml:1:7: tags (tag:yaml.org,2002:python/"),
        ("name: a\n---\nname: b\n", "cup.yaml:2:1: a second document begins"),
        ("1: a\n", "cup.yaml:1:1: a key must be text; got '1'"),
        ("name: [a\n", "cup.yaml:2:1: not YAML: expected ',' or ']'"),
        ("name: a\n\tb: c\n", "cup.yaml:2:1: not YAML: a tab, where only spaces are allowed"),
        ("name: 'a\n", "cup.yaml:2:1: not YAML: found unexpected end of stream"),
        ("name: \x00\n", "cup.yaml: not YAML: "),
        ("name: 2023-02-30\n", "cup.yaml:1:7: '2023-02-30' is not a value; put text in quotes"),
        (f"name: a\nrounds: {'9' * 5000}\n", "cup.yaml:2:9: write '999"),
        (f"name: {'[' * 100}{']' * 100}\n", "cup.yaml:1:26: nested deeper than 20 levels"),
        ("#" * 100_000, "cup.yaml: longer than 64 KiB"),
        ("name: a\nflavour: sweet\n", "cup.yaml:2:1: unknown key 'flavour'; known here: name, "),
        ("name: a\nclock: fast\n", "cup.yaml:2:8: clock must be a mapping; got 'fast'"),
        ("name: a\nrounds: 010\n", "cup.yaml:2:9: write '010' as a plain number, or in quotes"),
        ("name: a\nrounds: 1:30\n", "cup.yaml:2:9: write '1:30' as a plain number"),
        ("name: a\nclock: {question: 1:30.5}\n", "cup.yaml:2:19: write '1:30.5' as a plain number"),
        (f"name: {'1:' * 9000}1.5\n", "cup.yaml:1:7: write '1:1:1:1:"),
        (
            'name: "\\ud800"\n',
            r"cup.yaml:1:7: '\ud800' contains half a character, which is",
        ),
        ('"\\udfff": 1\n', r"cup.yaml:1:1: '\udfff' contains half a character, which is"),
        ('name: "\\U00110000"\n', "cup.yaml: not YAML: "),
        ('name: "\\UFFFFFFFF"\n', "cup.yaml: not YAML: "),
        (f"%YAML {'9' * 5000}.1\n---\nname: a\n", "cup.yaml: not YAML: "),
        ("name: a\n<<: {rounds: 1}\n", "cup.yaml:2:1: a key must be text; got '<<'"),
        ("name: <<\n", "cup.yaml:1:7: '<<' is not a value; put text in quotes"),
        ("name: =\n", "cup.yaml:1:7: '=' is not a value; put text in quotes"),
        ("name: 2001-12-14t21:59:43-99:99\n", "cup.yaml:1:7: '2001-12-14t21:59:43-99:99' is not"),
        ("name: a\nrounds: 1.5\n", "cup.yaml:2:9: rounds must be a whole number; got 1.5"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, expected: str) -> None:
    assert mistakes(text)[0].startswith(expected)


def test_aliases_are_refused_before_they_can_multiply() -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{new}: &{new} [{', '.join(f'*{old}' for _ in range(9))}]\n"
        for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert "cup.yaml:2:8: aliases (*a) are not allowed; repeat the value" in mistakes(bomb)


def test_a_file_full_of_mistakes_is_told_in_a_bounded_list() -> None:
    found = mistakes("".join(f"{number}: x\n" for number in range(5000)))
    assert len(found) == 51
    assert found[-1] == "... and 4950 more"


def test_bytes_that_are_no_text_are_told_so() -> None:
    with pytest.raises(BadYaml, match=r"cup\.yaml: not UTF-8 text \(byte 6\)"):
        load(b"name: \xff", "cup.yaml", Cup)


def test_a_later_check_can_point_at_a_value_too() -> None:
    marked = read("name: friday\nclock:\n  question: 1\n", "cup.yaml")
    assert marked.mistake(("clock", "question"), "too fast") == "cup.yaml:3:13: too fast"
    assert marked.mistake(("clock", "start"), "not said") == "cup.yaml:3:3: not said"
    assert marked.mistake(("name",), "again", at_key=True) == "cup.yaml:1:1: again"


@given(st.text())
def test_no_text_brings_anything_but_a_model_or_a_sentence(text: str) -> None:
    lines: tuple[str, ...] = ()
    try:
        load(text, "cup.yaml", Cup)
    except BadYaml as error:
        lines = error.mistakes
    assert all(line.startswith("cup.yaml:") for line in lines)


WORDS = st.sampled_from(
    [
        *('"\\ud800"', '"\\U00110000"', '"\\e[2J"', '"\\x', "1:30", "1:30.5", "1:" * 999 + "1.5"),
        *(
            ".inf",
            ".nan",
            "1.0e+99999",
            "0x1F",
            "1_0",
            "010",
            "9" * 4400,
            "2023-02-30",
            "0000-01-01",
        ),
        *("2001-12-14t21:59:43.1-99:99", "<<", "=", "~", "!!binary a", "&a ", "*a", "? ", "- "),
        *(
            "[",
            "]",
            "{",
            "}",
            ": ",
            ":\n",
            "\n",
            "\n  ",
            ",",
            "|99\n",
            ">-1\n",
            "%YAML 9.1\n",
            "---\n",
        ),
        *("#", '"', "'", "\t", "\0", "\ud800", "\ufeff", "\x85", "\u2028", "é", "true", "off"),
        *("name", "rounds", "protocol", "tags", "clock", "question", "span", "a" * 300),
    ]
)


class AnyCup(Cup):
    """A cup with a field of every kind that the arena's own files have."""

    span: tuple[float, float] | None = None
    strict: bool = False
    options: dict[str, Any] = {}


@given(st.lists(WORDS, max_size=14).map("".join) | st.binary(max_size=60))
@settings(max_examples=1000)
@example('name: "\ud800"')
@example('options: {"\\ud800": 1}')
def test_odd_yaml_brings_a_model_or_short_sentences_and_nothing_else(text: str | bytes) -> None:
    lines: tuple[str, ...] = ()
    try:
        load(text, "cup.yaml", AnyCup)
    except BadYaml as error:
        lines = error.mistakes
    for line in lines:
        assert line.startswith("cup.yaml:")
        assert len(line) < 400
        assert line.isprintable()


@given(st.lists(WORDS, max_size=14).map("".join))
def test_an_odd_word_on_the_command_line_is_a_value_or_text(text: str) -> None:
    plain_value(text)


def test_a_message_shows_sixty_characters_of_a_long_word_at_most() -> None:
    long = "x" * 20_000
    for text in (f"name: [{long}]", f"{long}: 1", f"rounds: {long}", f"1{long}: 1\n[{long}]: 1"):
        assert all(len(line) < 200 for line in mistakes(text))


def test_flaws_of_the_yaml_and_wrong_values_are_told_together():
    assert [line.split(": ")[0] for line in mistakes("name: a\nname: b\nrounds: 1.5\n")] == [
        "cup.yaml:2:1",
        "cup.yaml:3:9",
    ]


def test_what_the_whole_lacks_is_told_only_where_no_flaw_may_hide_it() -> None:
    class Named(Cup):
        @model_validator(mode="after")
        def _says_something(self) -> Self:
            if not self.tags:
                raise ValueError("says nothing")
            return self

    def told(text: str) -> str:
        with pytest.raises(BadYaml) as caught:
            load(text, "cup.yaml", Named)
        return str(caught.value)

    assert told("name: a\n") == "cup.yaml:1:1: the file says nothing; got a mapping"
    assert "says nothing" not in told('name: a\ntags: ["\\ud800"]\nname: b\n')


@pytest.mark.parametrize("word", ["off", "on", "yes", "no", "y", "N", "Off"])
def test_only_true_and_false_are_no_words(word: str) -> None:
    assert read(f"a: {word}\nb: true\nc: False\n", "f").data == {"a": word, "b": True, "c": False}
    assert plain_value(word) == word
    assert plain_value("true") is True


def test_a_value_on_the_command_line_reads_as_in_a_file() -> None:
    values = [plain_value(text) for text in ("5", "off", "[1, 2]", "a: [", "card")]
    assert values == [5, "off", [1, 2], "a: [", "card"]
