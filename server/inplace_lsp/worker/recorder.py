"""The observing recorder: run a function or a program under torch and write down what autograd saw.

Two runs from the same state: a plain one, whose outcome is the truth (the hooks of the other switch autograd's version
check off), and a recorded one, which goes on where the plain one stops.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import linecache
import random
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import torch

from inplace_lsp.tape.model import Event, Tape
from inplace_lsp.worker import copies, threads
from inplace_lsp.worker.calls import TorchCallMode
from inplace_lsp.worker.custom_functions import CustomFunctions
from inplace_lsp.worker.ignored_writes import IgnoredWrites
from inplace_lsp.worker.log import modes_off
from inplace_lsp.worker.places import Places, forget_file
from inplace_lsp.worker.recording import EnoughSeenError, Recording, tensors_in
from inplace_lsp.worker.returns import Returns
from inplace_lsp.worker.safe_text import describe_error
from inplace_lsp.worker.saves import Saves
from inplace_lsp.worker.transform_hooks import yielding_hooks
from inplace_lsp.worker.user_hooks import watch_user_hooks
from inplace_lsp.worker.walks import Walks
from inplace_lsp.worker.writes import WriteMode


def observe(
    function: Callable[..., object],
    args: Sequence[object] = (),
    kwargs: Mapping[str, object] | None = None,
    *,
    files: Iterable[str] = (),
    seed: int = 0,
) -> Tape:
    """Run `function` twice on copies of its arguments and return the tape of what happened.

    If what it returns carries a graph, a backward on its sum follows. `files` are the file names that count as the
    user's own code (default: the one that defines `function`). An exception of the function ends up in `Tape.error`.
    """
    own = frozenset(files) or frozenset({inspect.unwrap(function).__code__.co_filename})
    given = (function, tuple(args), kwargs or {})

    def run() -> None:
        target, positional, named = copies.copy_inputs(given)
        backward_through(target(*positional, **named))

    name = getattr(function, "__qualname__", type(function).__name__)
    return _observe_twice(run, name, own, seed, assume_on_return=False)


class Recorded(NamedTuple):
    """The events of a run, the text of the exception that ended it or would have, and the positions of the events at
    which torch refused and after which the run went on."""

    events: tuple[Event, ...]
    error: str | None
    refusals: tuple[int, ...]


def observe_program(
    source: str,
    filename: str = "program.py",
    seed: int = 0,
    *,
    ran: Callable[[types.ModuleType], None] = lambda main: None,
) -> Tape:
    """Run `source` twice as a main program and return the tape of what happened.

    Functions that return a graph which the program never walks are judged at their return. `ran` gets the module of
    each run before it starts, that of the plain run first.
    """
    lines = list(io.StringIO(source, newline=None))
    forget_file(filename)
    linecache.cache[filename] = (len(source), None, lines, filename)
    code = compile(source, filename, "exec", dont_inherit=True)

    def run() -> None:
        main = types.ModuleType("__main__")
        main.__file__ = filename
        ran(main)
        with _as_main(main), contextlib.redirect_stdout(io.StringIO()):
            exec(code, main.__dict__)

    return _observe_twice(run, "<module>", frozenset({filename}), seed, assume_on_return=True)


def _observe_twice(
    run: Callable[[], None], name: str, files: frozenset[str], seed: int, *, assume_on_return: bool
) -> Tape:
    error = run_plainly(run, seed)
    events, recorded_error, _ = record_run(run, files, seed, assume_on_return=assume_on_return)
    notes = (f"the recorded run ended differently: {recorded_error}",) if recorded_error not in (None, error) else ()
    return Tape(name, events, error, notes)


def run_plainly(run: Callable[[], None], seed: int) -> str | None:
    """Run `run` without the recorder; return the text of the exception that ended it, None if it ran through."""
    with _from_same_start(seed):
        return _run_to_end(run)


def record_run(
    run: Callable[[], None],
    files: frozenset[str],
    seed: int,
    *,
    assume_on_return: bool = False,
    roots: tuple[str, ...] = (),
    note: Callable[[str], None] | None = None,
    made_up: Mapping[str, str] | None = None,
    goes_on: bool = False,
) -> Recorded:
    """Run `run` under the recorder; return what happened.

    `files`, and all files below `roots`, are the user's own code. `assume_on_return`: what the user's functions return
    and the run never walks is judged for the backward that a caller may start. `note` gets what was not seen.
    `made_up`: file names of functions that nobody wrote, with what they stand for. `goes_on`: see Recording.
    """
    entries = _run_to_end.__code__, backward_through.__code__
    recording = Recording(Places(files, entries, roots), made_up=made_up or {}, goes_on=goes_on)
    with _from_same_start(seed):
        result = _record_events(run, recording, assume_on_return=assume_on_return)
    if note is not None:
        for what in recording.describe_unseen():
            note(what)
    return result


def _record_events(run: Callable[[], None], recording: Recording, *, assume_on_return: bool) -> Recorded:
    saves = Saves(recording)
    ignored_writes = IgnoredWrites(recording)
    walks = Walks(recording, saves, ignored_writes)
    returns = Returns(recording, walks) if assume_on_return else contextlib.nullcontext()

    @contextlib.contextmanager
    def in_a_thread() -> Iterator[None]:
        hooks = torch.autograd.graph.saved_tensors_hooks(saves.pack, saves.unpack)
        with WriteMode(recording, ignored_writes), TorchCallMode(recording), hooks:
            yield

    try:
        with (
            CustomFunctions(recording).watch_applications(),
            walks.watch_engine(),
            recording.exports.watch_numpy(),
            threads.watch_threads(in_a_thread) as recording.threads,
            WriteMode(recording, ignored_writes),
            TorchCallMode(recording),
            watch_user_hooks(saves),
            yielding_hooks(saves.pack, saves.unpack, recording.note_unseen),
            returns,
        ):
            error = _run_to_end(run)
    finally:
        recording.exports.stop_tracing()
    with modes_off():
        recording.settle_log()
        numbers = walks.graph.numbers
        events = recording.log.finish_events({**saves.final_saves(numbers), **ignored_writes.final_saves(numbers)})
    first = recording.first_error
    return Recorded(events, error if first is None else describe_error(first), recording.log.refusals)


def backward_through(result: object) -> None:
    """Call backward on everything in `result` that requires grad, as a caller may."""
    roots = [tensor for tensor in tensors_in(result) if tensor.requires_grad]
    if roots:
        _BACKWARD(sum(root.sum() if not root.is_complex() else root.abs().sum() for root in roots))


_BACKWARD, _METHOD = torch.autograd.backward, torch.Tensor.backward
"""Torch's own: code may put others in their place."""


def find_replaced_backward() -> str:
    """Return the name of the backward that the code has replaced, "" if it is torch's."""
    if torch.Tensor.backward is not _METHOD:
        return "torch.Tensor.backward"
    return "torch.autograd.backward" if torch.autograd.backward is not _BACKWARD else ""


def _run_to_end(run: Callable[[], None]) -> str | None:
    """Run `run`; return the text of the exception that ended it, None if it ran through."""
    try:
        run()
    except (SystemExit, EnoughSeenError):
        return None
    except Exception as error:
        return describe_error(error)
    return None


def set_seed(seed: int) -> None:
    """Seed all random numbers. `torch.manual_seed` would turn to every kind of device, which takes longer than many a
    run; a GPU not in use yet starts from a fixed seed of its own."""
    random.seed(seed)
    torch.default_generator.manual_seed(seed)
    if torch.cuda.is_initialized():
        torch.cuda.manual_seed_all(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)


@contextlib.contextmanager
def _from_same_start(seed: int) -> Iterator[None]:
    """Give both runs the same random numbers, and restore torch's switches afterwards."""
    set_seed(seed)
    grad, dtype = torch.is_grad_enabled(), torch.get_default_dtype()
    try:
        yield
    finally:
        torch.set_grad_enabled(grad)
        torch.set_default_dtype(dtype)


@contextlib.contextmanager
def _as_main(module: types.ModuleType) -> Iterator[None]:
    before = sys.modules["__main__"]
    sys.modules["__main__"] = module
    try:
        yield
    finally:
        sys.modules["__main__"] = before
