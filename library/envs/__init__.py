"""The games in the shapes that learning libraries expect; each file needs the library it names.

`pip install 'card-arena[learning]'` installs numpy, Gymnasium and PettingZoo; OpenSpiel is
`open_spiel`.
"""

from __future__ import annotations

from card_arena.library.state import State


def checked(state: State) -> State:
    """The state of a game that has just begun; raises `ValueError` if nobody is ever asked."""
    if state.is_over:
        raise ValueError(
            f"nobody is ever asked at this table of {state.game.name}: {state.options}"
        )
    return state
