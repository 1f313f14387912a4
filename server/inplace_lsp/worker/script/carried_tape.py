"""An in-place error carries the tape that explains it to whoever shows the error."""

from __future__ import annotations

from inplace_lsp.tape.model import Tape

_CARRIED = "_inplace_lsp_tape"


def attach_tape(tape: Tape, error: BaseException) -> None:
    """Attach `tape` to the error that it explains."""
    setattr(error, _CARRIED, tape)


def find_tape(error: BaseException) -> Tape | None:
    """Return the tape of `error`, or of an error in its chain of causes; None without one."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        tape = getattr(current, _CARRIED, None)
        if isinstance(tape, Tape):
            return tape
        seen.add(id(current))
        current = current.__cause__ or current.__context__
    return None
