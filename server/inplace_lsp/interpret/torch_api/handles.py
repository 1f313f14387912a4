"""The handle that registering a hook returns; its `remove()` takes the hook away."""

from __future__ import annotations

from collections.abc import Callable

from inplace_lsp.interpret.state.values import NONE, Instance, Value, make_object_with


def make_handle(remove: Callable[[], None]) -> Instance:
    """Return a handle whose `remove()` calls the function."""

    def run(arguments: list[Value], keywords: dict[str, Value]) -> Value:
        remove()
        return NONE

    return make_object_with("RemovableHandle", {"remove": run})


def make_removal_handle(hooks: list[Value], hook: Value) -> Instance:
    """Return a handle that removes `hook` from `hooks`."""
    return make_handle(lambda: hooks.remove(hook) if hook in hooks else None)
