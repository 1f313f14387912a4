"""What registering a hook gives: a handle that takes the hook away again."""

from __future__ import annotations

from collections.abc import Callable

from inplace_lsp.interpret.state.values import NONE, Instance, Value, object_with


def removing(remove: Callable[[], None]) -> Instance:
    """The handle whose `remove()` does that."""

    def run(arguments: list[Value], keywords: dict[str, Value]) -> Value:
        remove()
        return NONE

    return object_with("RemovableHandle", {"remove": run})


def removing_from(hooks: list[Value], hook: Value) -> Instance:
    """The handle that takes `hook` out of `hooks`."""
    return removing(lambda: hooks.remove(hook) if hook in hooks else None)
