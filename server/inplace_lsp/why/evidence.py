"""Weigh how well a clue fits torch's error: each piece of evidence with its weight and its words for a person.

The weights are chosen so that what torch names (node, shape, lines of the traceback) decides; the severity of a finding
only breaks ties.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from inplace_lsp.hazards.finding import Sources
from inplace_lsp.hazards.hazard import Hazard
from inplace_lsp.hazards.registry import is_hazard
from inplace_lsp.tape.model import STALE_VIEWS, Span
from inplace_lsp.torch_ops.nodes import nodes_of, plain_name
from inplace_lsp.why.clue import Clue
from inplace_lsp.why.frames import is_file_of, is_library
from inplace_lsp.why.makers import KEPT_AS
from inplace_lsp.why.message import Frame, TorchError


@dataclass(frozen=True, slots=True)
class Evidence:
    """A reason for a clue (`weight` above 0) or against it, in words; "" where it needs none."""

    weight: float
    words: str = ""


_SEVERITIES = {"error": 12.0, "warning": 10.0, "information": 0.0, "hint": 4.0}
REACHED = 1.0
"""Weight of a visible call that leads to the write: it only breaks ties."""
MISMATCH = -30.0
"""Weight of a contradiction between torch's message and the tape."""


def weigh_clue(clue: Clue, error: TorchError, sources: Sources) -> tuple[Evidence, ...]:
    """Return all evidence for and against `clue`."""
    return (
        *_weigh_severity(clue),
        *_weigh_node(clue, error),
        *_weigh_shape(clue, error),
        *_weigh_versions(clue, error),
        *_weigh_failing_node(clue, error),
        *_weigh_traceback(clue, error, sources),
        *_weigh_forward(clue, error, sources),
    )


def _weigh_severity(clue: Clue) -> Iterator[Evidence]:
    if clue.severity is not None:
        only = "`check` gives it as a hint" if clue.severity == "hint" else f"`check` reports it as {clue.code}"
        yield Evidence(_SEVERITIES[clue.severity], only)
    elif clue.refused:
        yield Evidence(8.0, f"`check` reports it as {clue.refused}: the torch of today refuses the write")
    elif clue.doubt:
        yield Evidence(-30.0, f"`check` does not report it: {clue.doubt}")
    else:
        yield Evidence(0.0, "`check` does not report it")
    if clue.is_local:
        yield Evidence(2.0)
    if clue.call is not None:  # of two versions of a method that are equally bad, the program calls this one
        yield Evidence(REACHED)


def _weigh_node(clue: Clue, error: TorchError) -> Iterator[Evidence]:
    """Weigh the node that torch names as the tensor's maker; for a leaf it names none."""
    made_by = f"{', but ' * bool(clue.made_by)}{clue.made_by}"
    if error.op is None:
        if clue.bare and error.shape is not None:
            yield Evidence(20.0, "torch names no node that made the tensor: it is a leaf, such as a parameter")
        elif clue.nodes and error.shape is not None:
            yield Evidence(MISMATCH, f"against it: torch names no node{made_by}")
    elif clue.nodes is None:
        yield from _weigh_linear_weight(error) if clue.bare else ()
    elif not _names_node(error, clue.nodes):
        yield Evidence(MISMATCH, f"against it: torch names `{error.op}`{made_by}")
    else:
        yield Evidence(30.0, f"torch names `{error.op}`" + (f": {clue.made_by}" if clue.made_by else ""))
        yield from _weigh_output(clue, error)


def _weigh_output(clue: Clue, error: TorchError) -> Iterator[Evidence]:
    if error.output is not None and clue.output is not None:
        fits = error.output == clue.output
        yield Evidence(4.0 if fits else -12.0, f"output {error.output}, as torch says" if fits and error.output else "")


def _weigh_linear_weight(error: TorchError) -> Iterator[Evidence]:
    """Weigh the case of a weight whose layer is not in sight."""
    if plain_name(error.op or "") in KEPT_AS:
        yield Evidence(18.0, f"torch names `{error.op}`: that is the weight that a linear layer keeps")
    else:
        yield Evidence(-10.0)


def _names_node(error: TorchError, nodes: frozenset[str]) -> bool:
    named = plain_name(error.op or "")
    is_cut = error.kind == "saved" and error.found is None
    return named in nodes or (is_cut and any(node.startswith(named) for node in nodes))


def _weigh_shape(clue: Clue, error: TorchError) -> Iterator[Evidence]:
    if error.shape is None or clue.shape is None:
        return
    reported, here = error.shape, _find_shape_of_saved(clue, clue.shape)
    if len(here) != len(reported) or any(size not in (None, other) for size, other in zip(here, reported, strict=True)):
        yield Evidence(MISMATCH, f"against it: torch says {list(reported)}, here it is {_describe_shape(here)}")
        return
    known = sum(size is not None for size in here)
    if known == len(reported):
        yield Evidence(25.0, f"its shape is {list(reported)}, as torch says")
    elif known:
        yield Evidence(10.0, f"what is known of its shape fits {list(reported)}")


def _find_shape_of_saved(clue: Clue, shape: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Return the shape in which the op keeps the tensor."""
    if clue.turned:
        return tuple(reversed(shape))
    if clue.saver == "linear" and len(shape) > 2:
        return (None, shape[-1])  # `linear` makes a matrix of its input
    return shape


def _describe_shape(shape: tuple[int | None, ...]) -> str:
    return f"[{', '.join('?' if size is None else str(size) for size in shape)}]"


def _weigh_versions(clue: Clue, error: TorchError) -> Iterator[Evidence]:
    if error.found is None or error.expected is None or clue.writes is None:
        return
    between = error.found - error.expected
    if between == clue.writes:
        times = "once" if clue.writes == 1 else f"{clue.writes} times"
        yield Evidence(8.0, f"it is written {times} between save and backward: fits {error.expected} -> {error.found}")
    else:
        yield Evidence(-2.0 if clue.writes < between else -4.0)
    if clue.expected is not None and not (clue.bare or clue.turned):
        yield Evidence(4.0 if clue.expected == error.expected else -2.0)


def _weigh_failing_node(clue: Clue, error: TorchError) -> Iterator[Evidence]:
    """Weigh the node whose backward failed, which anomaly mode names."""
    if not error.failing or not clue.saver.isidentifier():
        return
    known = nodes_of(clue.saver)
    fits = plain_name(error.failing) in known.outer | known.inner
    yield Evidence(20.0 if fits else -20.0, f"`{error.failing}` failed, the backward of `{clue.saver}`" if fits else "")


def _weigh_forward(clue: Clue, error: TorchError, sources: Sources) -> Iterator[Evidence]:
    """Weigh the call that made the failing node, which anomaly mode shows."""
    if not error.forward or clue.saved is None:
        return
    frame = _find_frame(clue.saved, error.forward, sources)
    if frame is not None:
        yield Evidence(35.0, f"anomaly mode names the forward call on line {clue.saved.row}, which saved it")
    else:
        yield Evidence(-15.0)


def _weigh_traceback(clue: Clue, error: TorchError, sources: Sources) -> Iterator[Evidence]:
    if not (users := list_user_frames(error.frames)):
        return
    if is_raised_at_once(error, clue):
        yield from _weigh_raising_line(clue, users, sources)
    elif clue.backward is not None:
        if _find_frame(clue.backward, users, sources) is not None:
            yield Evidence(30.0, f"the traceback goes through the backward on line {clue.backward.row}")
        else:
            yield Evidence(-40.0)
    elif not _is_in_files(clue, users):
        yield Evidence(-12.0)
    elif (clue.call and _find_frame(clue.call, users, sources)) or _is_in_function(clue, users):
        yield Evidence(5.0, "the traceback goes through the same code")


def is_raised_at_once(error: TorchError, clue: Clue) -> bool:
    """Return whether torch raises on the line to blame (for a stale view, where it is used), not at a backward."""
    return error.kind != "saved" and is_hazard(clue.code, lambda hazard: error.kind in hazard.error_kinds)


def _weigh_raising_line(clue: Clue, users: tuple[Frame, ...], sources: Sources) -> Iterator[Evidence]:
    raised_at = clue.saved if clue.saved is not None and is_hazard(clue.code, _is_about_stale_views) else clue.span
    if _find_frame(raised_at, users[-1:], sources) is not None:
        yield Evidence(60.0, "the traceback ends on this line")
    elif _find_frame(raised_at, users, sources) is not None:
        yield Evidence(25.0, "the traceback goes through this line")
    elif is_hazard(clue.code, _is_at_backward):
        yield Evidence(-8.0)
    else:
        yield Evidence(-30.0)


def _is_about_stale_views(hazard: Hazard) -> bool:
    return not STALE_VIEWS.isdisjoint(hazard.refusals)


def _is_at_backward(hazard: Hazard) -> bool:
    return hazard.is_at_backward


def list_user_frames(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """Return the frames of a traceback that are no library's."""
    return tuple(frame for frame in frames if not is_library(frame))


def _find_frame(span: Span, frames: tuple[Frame, ...], sources: Sources) -> Frame | None:
    """Return the frame that names the statement at `span`."""
    return next((frame for frame in frames if _is_at(span, frame, sources)), None)


def _is_at(span: Span, frame: Frame, sources: Sources) -> bool:
    """Return whether the frame is in the statement at `span`: by its row, or by its text if rows moved."""
    is_same_file = is_file_of(span.file, frame)
    if frame.source:
        rows = range(span.row, min(span.end_row, span.row + 20) + 1)
        is_same_text = any(find_line(sources, span.file, row) == frame.source for row in rows)
        return is_same_text and (is_same_file or frame.file.startswith("<"))
    return is_same_file and span.row <= frame.row <= span.end_row


def find_line(sources: Sources, file: str, row: int) -> str:
    """Return a line's text stripped of blanks, "" where there is none."""
    lines = sources[file]
    return lines[row - 1].strip() if 0 < row <= len(lines) else ""


def _is_in_files(clue: Clue, frames: tuple[Frame, ...]) -> bool:
    """Return whether the traceback goes through a file that the clue is about."""
    files = {span.file for span in (clue.span, clue.saved, clue.call) if span is not None}
    return any(is_file_of(file, frame) for file in files for frame in frames)


def _is_in_function(clue: Clue, frames: tuple[Frame, ...]) -> bool:
    own = clue.function.rpartition(".")[2]
    return any(frame.function.rpartition(".")[2] == own and is_file_of(clue.span.file, frame) for frame in frames)
