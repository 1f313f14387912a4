"""Messages as plain data and back: the fields of a message, and `op`, which tells what it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from inplace_lsp.messages.answers import Answer, RunReport, Trial
from inplace_lsp.messages.job import Job, Task
from inplace_lsp.messages.signals import Cancel, Hello, Ready, SharedMemory, Warm, Warming
from inplace_lsp.tape.plain import Plain, build_from_known_fields, fields_to_plain

Message = Job | Task | Hello | Warming | Warm | Cancel | Ready | SharedMemory | RunReport | Trial | Answer

_NAMES: dict[type[Message], str] = {
    Task: "task",
    Hello: "hello",
    Warming: "warming",
    Warm: "warm",
    Cancel: "cancel",
    Ready: "ready",
    SharedMemory: "shared",
    RunReport: "report",
    Trial: "trial",
    Answer: "result",
}
_READERS: dict[str, Callable[..., Message]] = {"verify": Job, "probe": Job, **{_NAMES[cls]: cls for cls in _NAMES}}


def write_message(message: Message) -> dict[str, Plain]:
    """Return the message as plain data. A job has its own `op`: to verify or to probe."""
    return {"op": _NAMES.get(type(message), ""), **fields_to_plain(message)}


def read_message(data: Mapping[str, Plain]) -> Message | None:
    """Return the message of plain data, None if it is none; what is missing has its default. Raises TypeError or
    ValueError for a message that lacks what it needs."""
    make = _READERS.get(str(data.get("op")))
    return None if make is None else build_from_known_fields(make, data)
