"""Hide our own frames from whatever shows a program its stack: tracebacks, warnings, the record of anomaly mode."""

from __future__ import annotations

import os
import runpy
import sys
import threading
import traceback
import warnings
from collections.abc import Sequence
from types import FrameType, TracebackType

from torch import overrides
from torch.fx import traceback as anomaly

OURS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def hide_own_frames() -> None:
    """Hide our own frames from now on, wherever Python or torch shows some on their own account."""
    _hide_in_threads()
    _hide_in_ignored_errors()
    _hide_in_warnings()
    _hide_in_anomaly_mode()


def clean_tracebacks(error: BaseException) -> None:
    """Remove our own frames from the tracebacks of an error and of its causes."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        current = waiting.pop()
        if current is not None and id(current) not in seen:
            seen.add(id(current))
            current.__traceback__ = without_own_frames(current.__traceback__)
            waiting += [current.__cause__, current.__context__]


def without_own_frames(trace: TracebackType | None) -> TracebackType | None:
    """Return `trace` without our own frames and those that are there only because of us."""
    entries: list[TracebackType] = []
    while trace is not None:
        entries.append(trace)
        trace = trace.tb_next
    kept = [entries[at] for at in _find_foreign([entry.tb_frame for entry in entries])]
    for entry, following in zip(kept, [*kept[1:], None], strict=bool(kept)):
        entry.tb_next = following
    return kept[0] if kept else None


def _find_foreign(frames: Sequence[FrameType]) -> list[int]:
    """Return the positions of the frames, outermost first, that a run without us would have."""
    kept: list[int] = []
    for at, frame in enumerate(frames):
        if _is_ours(frame.f_code.co_filename):
            _drop_detour(kept, frames, at + 1)
        else:
            kept.append(at)
    return kept


def _drop_detour(kept: list[int], frames: Sequence[FrameType], after: int) -> None:
    """Drop the first call of a function of torch's Python code: once it finds a mode, the mode calls it again."""
    if kept and frames[kept[-1]].f_code.co_filename == overrides.__file__:
        kept.pop()
        if kept and after < len(frames) and frames[kept[-1]].f_code is frames[after].f_code:
            kept.pop()


def _is_ours(filename: str) -> bool:
    return filename.startswith(OURS + os.sep) or filename in ("<frozen runpy>", runpy.__file__)


def _hide_in_threads() -> None:
    """Hide our frames in an exception that ends a thread."""
    plain = threading.excepthook

    def hook(given: threading.ExceptHookArgs) -> None:
        if given.exc_value is not None:
            clean_tracebacks(given.exc_value)
        trace = without_own_frames(given.exc_traceback)
        plain(threading.ExceptHookArgs((given.exc_type, given.exc_value, trace, given.thread)))

    threading.excepthook = hook


def _hide_in_ignored_errors() -> None:
    """Hide our frames in an exception that Python shows and ignores: in `atexit`, in `__del__`."""
    plain = sys.unraisablehook

    def hook(given: sys.UnraisableHookArgs) -> None:
        if given.exc_value is not None:
            clean_tracebacks(given.exc_value)
        trace = without_own_frames(given.exc_traceback)
        plain(type(given)((given.exc_type, given.exc_value, trace, given.err_msg, given.object)))  # type: ignore[call-arg]

    sys.unraisablehook = hook


def _hide_in_warnings() -> None:
    """Let a warning of torch's C++ code name the line that called torch, where it names ours.

    Everything that shows or collects a warning gets it from `_showwarnmsg`, also after a program has set its own
    `showwarning`.
    """
    plain = getattr(warnings, "_showwarnmsg", None)
    if plain is None:
        return

    def show(message: warnings.WarningMessage) -> None:
        if _is_ours(message.filename):
            frame: FrameType | None = sys._getframe(1)
            while frame is not None and _is_ours(frame.f_code.co_filename):
                frame = frame.f_back
            if frame is not None:
                message.filename, message.lineno = frame.f_code.co_filename, frame.f_lineno
        plain(message)

    warnings._showwarnmsg = show  # type: ignore[attr-defined]


def _hide_in_anomaly_mode() -> None:
    """Hide our frames in the stack that anomaly mode keeps of the call that made a node."""
    plain = anomaly.format_stack

    def format_stack() -> list[str]:
        if anomaly.has_preserved_node_meta():
            stack: list[str] = plain()
            return stack
        frames = [frame for frame, _ in traceback.walk_stack(sys._getframe(1))][::-1]
        kept = [(frames[at], frames[at].f_lineno) for at in _find_foreign(frames)]
        return traceback.StackSummary.extract(iter(kept)).format()

    anomaly.format_stack = format_stack
