"""How control leaves what is executed, other than by its end."""

from __future__ import annotations

from inplace_lsp.interpret.state.values import Value


class Return(Exception):  # noqa: N818 - control flow, no error
    """Control leaves the function."""

    def __init__(self, value: Value) -> None:
        self.value = value


class Break(Exception):  # noqa: N818
    """Control leaves the loop."""


class Continue(Exception):  # noqa: N818
    """Control goes to the next iteration."""


class Raised(Exception):  # noqa: N818
    """The program raises; `kind` is the name of the exception's class, "" if that is not known."""

    def __init__(self, kind: str = "") -> None:
        self.kind = kind
