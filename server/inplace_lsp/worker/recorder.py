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
from typing import Any

import torch

from inplace_lsp.tape.model import Event, Tape
from inplace_lsp.worker import copies, threads
from inplace_lsp.worker.calls import Calls
from inplace_lsp.worker.custom_functions import CustomFunctions
from inplace_lsp.worker.ignored_writes import IgnoredWrites
from inplace_lsp.worker.log import modes_off
from inplace_lsp.worker.places import Places, forget
from inplace_lsp.worker.returns import Returns
from inplace_lsp.worker.saves import Saves
from inplace_lsp.worker.session import Session, tensors_in
from inplace_lsp.worker.walks import Walks
from inplace_lsp.worker.words import describe
from inplace_lsp.worker.writes import Writes
from inplace_lsp.worker.yielding import yielding_hooks


def observe(
    function: Callable[..., Any],
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    files: Iterable[str] = (),
    seed: int = 0,
) -> Tape:
    """Run `function` twice on copies of its arguments and return the tape of what happened.

    If what it returns carries a graph, a backward on its sum follows. `files` are the file names that count as the
    user's own code (default: the one that defines `function`). An exception of the function ends up in `Tape.error`.
    """
    own = frozenset(files) or frozenset({inspect.unwrap(function).__code__.co_filename})
    given = (function, tuple(args), dict(kwargs or {}))

    def run() -> None:
        target, positional, named = copies.fresh(given)
        backward_through(target(*positional, **named))

    name = getattr(function, "__qualname__", type(function).__name__)
    return _observe(run, name, own, seed, assume_on_return=False)


def observe_program(source: str, filename: str = "program.py", seed: int = 0) -> Tape:
    """Run `source` twice as a main program and return the tape of what happened.

    Functions that return a graph which the program never walks are judged for what they return, at the return.
    """
    lines = list(io.StringIO(source, newline=None))
    forget(filename)
    linecache.cache[filename] = (len(source), None, lines, filename)
    code = compile(source, filename, "exec", dont_inherit=True)

    def run() -> None:
        main = types.ModuleType("__main__")
        main.__file__ = filename
        with _as_main(main), contextlib.redirect_stdout(io.StringIO()):
            exec(code, main.__dict__)

    return _observe(run, "<module>", frozenset({filename}), seed, assume_on_return=True)


def _observe(run: Callable[[], None], name: str, files: frozenset[str], seed: int, *, assume_on_return: bool) -> Tape:
    error = run_plainly(run, seed)
    events, recorded_error = record(run, files, seed, assume_on_return=assume_on_return)
    notes = (f"the recorded run ended otherwise: {recorded_error}",) if recorded_error not in (None, error) else ()
    return Tape(name, events, error, notes)


def run_plainly(run: Callable[[], None], seed: int) -> str | None:
    """Run it as it is; the text of the exception that ended it, None if it ran through."""
    with _same_start(seed):
        return _outcome(run)


def record(
    run: Callable[[], None],
    files: frozenset[str],
    seed: int,
    *,
    assume_on_return: bool = False,
    roots: tuple[str, ...] = (),
    note: Callable[[str], None] | None = None,
    made_up: Mapping[str, str] | None = None,
) -> tuple[tuple[Event, ...], str | None]:
    """Run it under the recorder: the events, and the text of the exception that ended it.

    `files`, and all files below `roots`, are the user's own code. `assume_on_return`: what the user's functions return
    and the run never walks is judged for the backward that a caller may start. `note` is told what was not seen.
    `made_up`: file names of functions that nobody wrote, with what they stand for.
    """
    session = Session(Places(files, _outcome.__code__, roots), made_up=made_up or {})
    with _same_start(seed):
        result = _record(run, session, assume_on_return=assume_on_return)
    if note is not None:
        for what in session.not_seen():
            note(what)
    return result


def _record(
    run: Callable[[], None], session: Session, *, assume_on_return: bool
) -> tuple[tuple[Event, ...], str | None]:
    saves = Saves(session)
    ignored_writes = IgnoredWrites(session)
    walks = Walks(session, saves, ignored_writes)
    returns = Returns(session, walks) if assume_on_return else contextlib.nullcontext()

    @contextlib.contextmanager
    def in_a_thread() -> Iterator[None]:
        hooks = torch.autograd.graph.saved_tensors_hooks(saves.pack, saves.unpack)
        with Writes(session, ignored_writes), Calls(session), hooks:
            yield

    try:
        with (
            CustomFunctions(session).watching(),
            walks.watching(),
            session.exports.shared_by_numpy(),
            threads.watching(in_a_thread) as session.threads,
            Writes(session, ignored_writes),
            Calls(session),
            yielding_hooks(saves.pack, saves.unpack, session.stand_aside),
            returns,
        ):
            error = _outcome(run)
    finally:
        session.exports.stop()
    with modes_off():
        session.settle()
        numbers = walks.graph.numbers
        return session.log.finish({**saves.final(numbers), **ignored_writes.final(numbers)}), error


def backward_through(result: Any) -> None:
    """Walk the graph of everything that `result` carries, as a caller may."""
    roots = [one for one in tensors_in(result) if one.requires_grad]
    if roots:
        sum(one.sum() if not one.is_complex() else one.abs().sum() for one in roots).backward()


def _outcome(run: Callable[[], None]) -> str | None:
    """Run it; the text of the exception that ended it, None if it ran through."""
    try:
        run()
    except SystemExit:
        return None
    except Exception as error:
        return describe(error)
    return None


def set_seed(seed: int) -> None:
    """Start all random numbers anew. `torch.manual_seed` would turn to every kind of device, which takes longer than
    many a run; a GPU that is not in use yet starts from a number of its own that is always the same."""
    random.seed(seed)
    torch.default_generator.manual_seed(seed)
    if torch.cuda.is_initialized():
        torch.cuda.manual_seed_all(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)


@contextlib.contextmanager
def _same_start(seed: int) -> Iterator[None]:
    """The same random numbers for both runs, and torch's switches as they were afterwards."""
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
