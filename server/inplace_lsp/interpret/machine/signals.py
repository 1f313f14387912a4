"""How control leaves what is executed, other than by its end."""

from __future__ import annotations

from inplace_lsp.interpret.state.paths import Left
from inplace_lsp.interpret.state.values import Value


class Return(Left):
    """Control leaves the function."""

    def __init__(self, value: Value) -> None:
        self.value = value


class Break(Left):
    """Control leaves the loop."""


class Continue(Left):
    """Control goes to the next iteration."""


class Raised(Left):
    """The program raises; `kind` is the name of the exception's class, "" if that is not known."""

    def __init__(self, kind: str = "") -> None:
        self.kind = kind
