"""Formats with random settings."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from card_arena.formats.field import Field
from card_arena.formats.knockout import KnockoutOptions
from card_arena.formats.registry import FORMATS
from card_arena.formats.swiss import SwissOptions
from card_arena.tests.formats.fields import (
    Plan,
    fields,
)

knockouts = st.builds(
    lambda plan, length, **options: Plan("knockout", plan, KnockoutOptions(**length, **options)),
    fields,
    length=st.sampled_from(
        [
            *({"until": "boards", "boards": boards} for boards in (1, 3, 7, 40)),
            *({"until": "sure", "boards": boards} for boards in (30, 40)),
        ]
    ),
    seeds=st.sampled_from(["standings", "entrants", "lot"]),
    batch=st.sampled_from([1, 5, 30]),
)


CHAINS: list[list[Any]] = [
    [{"swiss": {}, "best": 4}, {"knockout": {"boards": 60}}],
    [{"contest": {"rounds": 2}, "best": 5}, {"swiss": {"rounds": 2}}],
    [
        {"swiss": {"rounds": 1}, "best": 6},
        {"knockout": {"boards": 2, "until": "boards"}, "best": 3},
        {"contest": {"legs": 2, "rounds": 2}},
    ],
]


def stages(plan: Field, *chain: Any) -> Plan:
    return Plan("stages", plan, FORMATS["stages"].options.model_validate(chain))


staged = st.builds(lambda plan, chain: stages(plan, *chain), fields, st.sampled_from(CHAINS))


swisses = st.builds(
    lambda plan, rounds: Plan("swiss", plan, SwissOptions(rounds=rounds)),
    fields,
    st.one_of(st.none(), st.integers(1, 5)),
)
