"""Pools of threads: what they are given runs when it is given, each call in the grad mode of a new thread."""

from __future__ import annotations

from collections.abc import Sequence

from inplace_lsp.interpret.machine.iteration import elements
from inplace_lsp.interpret.machine.machine import Handler, Machine
from inplace_lsp.interpret.state.values import NONE, Instance, Items, Known, Method, Value, object_with


def _run(machine: Machine, function: Value, arguments: Sequence[Value], keywords: dict[str, Value]) -> Value:
    with machine.recorder.new_thread():
        return machine.call(function, arguments, keywords)


def _rows(machine: Machine, columns: Sequence[Value]) -> list[list[Value]]:
    return [list(row) for row in zip(*(list(elements(machine, one)) for one in columns), strict=False)]


def _future(machine: Machine, result: Value) -> Instance:
    """A call that is done."""

    def call_back(given: list[Value], named: dict[str, Value]) -> Value:
        return _run(machine, given[0], [future], {}) if given else NONE

    def give(given: list[Value], named: dict[str, Value]) -> Value:
        return result

    def done(given: list[Value], named: dict[str, Value]) -> Value:
        return Known(True)

    def nothing(given: list[Value], named: dict[str, Value]) -> Value:
        return NONE

    future = object_with(
        "Future",
        {**dict.fromkeys(("result", "get"), give), **dict.fromkeys(("done", "ready", "successful"), done),
         **dict.fromkeys(("exception", "wait", "cancel"), nothing), "add_done_callback": call_back},
    )  # fmt: skip
    return future


def executor(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`concurrent.futures.ThreadPoolExecutor()`."""

    def submit(given: list[Value], named: dict[str, Value]) -> Value:
        return _future(machine, _run(machine, given[0], given[1:], named)) if given else NONE

    def each(given: list[Value], named: dict[str, Value]) -> Value:
        rows = _rows(machine, given[1:])
        return Items("iterator", [_run(machine, given[0], row, {}) for row in rows])

    return object_with("ThreadPoolExecutor", {"submit": submit, "map": each, "shutdown": lambda given, named: NONE})


def pool(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`multiprocessing.pool.ThreadPool()`."""

    def apply(given: list[Value], named: dict[str, Value]) -> Value:
        more = dict(zip(("args", "kwds"), given[1:], strict=False)) | named
        keywords = getattr(more.get("kwds"), "items", {})
        return _run(machine, given[0], list(elements(machine, more.get("args", Items("tuple", [])))), keywords)

    def each(given: list[Value], named: dict[str, Value]) -> Value:
        return Items("list", [_run(machine, given[0], row, {}) for row in _rows(machine, given[1:2])])

    def each_row(given: list[Value], named: dict[str, Value]) -> Value:
        rows = elements(machine, given[1]) if len(given) > 1 else ()
        return Items("list", [_run(machine, given[0], list(elements(machine, row)), {}) for row in rows])

    def later(run: Method) -> Method:
        return lambda given, named: _future(machine, run(given, named))

    return object_with(
        "ThreadPool",
        {"apply": apply, "apply_async": later(apply), "starmap": each_row, "starmap_async": later(each_row),
         **dict.fromkeys(("map", "imap", "imap_unordered"), each), "map_async": later(each),
         **dict.fromkeys(("close", "join", "terminate"), lambda given, named: NONE)},
    )  # fmt: skip


def _wait(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`wait(futures)`: all are done."""
    return Items("tuple", [arguments[0] if arguments else NONE, Items("set", [])], fields=("done", "not_done"))


def _as_completed(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    return Items("iterator", list(elements(machine, arguments[0])) if arguments else [])


FUNCTIONS: dict[str, Handler] = {
    "concurrent.futures.ThreadPoolExecutor": executor,
    "concurrent.futures.thread.ThreadPoolExecutor": executor,
    "concurrent.futures.as_completed": _as_completed,
    "concurrent.futures.wait": _wait,
    "multiprocessing.pool.ThreadPool": pool,
    "multiprocessing.dummy.Pool": pool,
}
