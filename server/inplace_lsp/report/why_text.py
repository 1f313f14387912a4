"""The answer to "why this error" as text: torch's message, then the candidates with reasons, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from inplace_lsp.hazards.finding import Sources
from inplace_lsp.hazards.hazard import ErrorKind
from inplace_lsp.report.frame import CONTEXT_ROWS, GUTTER, HANG, Label, draw_frame
from inplace_lsp.report.paths import shorten_paths, shown_path
from inplace_lsp.report.wrapping import UNLIMITED, wrap_line
from inplace_lsp.why.answer import Answer
from inplace_lsp.why.message import TorchError
from inplace_lsp.why.ranking import Candidate

IN_FULL = 3
"""Maximum number of candidates that are shown with their code; the others get a line each."""
MOST_UNREACHED = 8
_BULLET = "     - "

_KINDS: dict[ErrorKind, str] = {
    "saved": "a tensor that a backward needs was written after it had been saved",
    "leaf": "a leaf that requires grad is written in place",
    "view-of-leaf": "a view of a leaf that requires grad is written in place",
    "multi-view": "one of several views that one op returned is written, or used after its memory was written",
    "no-grad-view": "a view made under no_grad (or inference mode) is written, or used after its memory was written",
    "inference": "an inference tensor is written, or saved for a backward",
    "freed": "a backward goes through a graph that an earlier backward has freed",
    "overlap": "a tensor whose elements share memory is written",
    "other": "torch refuses a write that autograd cannot record",
}


def why_text(answer: Answer, sources: Sources, folder: str, columns: int = UNLIMITED) -> Iterator[Text]:
    """Yield the lines to print, in at most `columns`; file names are relative to `folder` where possible."""
    says = Text.assemble(("torch says", "bold"), f": {_describe_error(answer.error)}")
    yield from wrap_line(says, columns, HANG)
    for other in answer.others:
        yield from wrap_line(Text(f"and also: {_describe_error(other)}"), columns, HANG)
    yield Text()
    for rank, candidate in enumerate(answer.candidates, start=1):
        if rank == 1:
            yield Text("The likeliest cause:", style="bold")
        elif rank == 2:
            yield Text("Others, in order:", style="bold")
        yield from _format_candidate(rank, candidate, sources, folder, columns)
    if not answer.candidates:
        for line in _explain_no_candidate(answer, folder):
            yield from wrap_line(line, columns, HANG)


def _describe_error(error: TorchError) -> str:
    """Return the facts of the message in words."""
    summary = "`vmap` refuses a write to a tensor that all samples share" if error.of_vmap else _KINDS[error.kind]
    return summary + "".join(_describe_details(error))


def _describe_details(error: TorchError) -> Iterator[str]:
    if error.tensor_type:
        yield f"; it is a {error.tensor_type} {list(error.shape) if error.shape is not None else ''}".rstrip()
    if error.op is not None:
        yield f", output {error.output or 0} of {error.op}"
    if error.found is not None:
        yield f", at version {error.found}"
        yield f" where {error.expected} was saved" if error.expected is not None else ""
    if error.failing:
        yield f"; the backward of {error.failing} failed"
    if error.times > 1:
        yield f" (said {error.times} times)"


def _format_candidate(rank: int, candidate: Candidate, sources: Sources, folder: str, columns: int) -> Iterator[Text]:
    span = candidate.span
    place = f"{shown_path(span.file, folder)}:{span.row}:{span.column + 1}"
    message = shorten_paths(candidate.message, folder)
    style = "bold red" if rank == 1 else "bold yellow"
    line = Text.assemble(
        f"{rank}. ", (place, "bold"), ": ", (f"{candidate.code} " * bool(candidate.code), style), message
    )
    yield from wrap_line(line, columns, HANG)
    if rank <= IN_FULL:
        yield from candidate_frame(candidate, sources, style, columns)
    for reason in candidate.reasons:
        yield from wrap_line(Text.assemble((_BULLET, GUTTER), reason), columns, len(_BULLET))
    yield Text()


def candidate_frame(
    candidate: Candidate,
    sources: Sources,
    style: str = "",
    columns: int = UNLIMITED,
    around: int = CONTEXT_ROWS,
) -> Iterator[Text]:
    """Yield the statement, and the related places of the same file."""
    here = [related for related in candidate.related if related.span.file == candidate.span.file]
    labels = [Label(candidate.span, "", primary=True, style=style)]
    labels += [Label(place.span, place.message, primary=False, style="cyan") for place in here]
    margin = len(str(max(label.span.row for label in labels)))
    if sources[candidate.span.file]:
        yield from draw_frame(labels, sources, margin, columns, around)


def _explain_no_candidate(answer: Answer, folder: str) -> Iterator[Text]:
    files = f"{answer.files} file{'s' * (answer.files != 1)}"
    yield Text(f"Nothing in {files} fits.", style="bold")
    if answer.unreached:
        yield Text("What was not understood of them:")
    for gap in answer.unreached[:MOST_UNREACHED]:
        yield Text(f"  {shown_path(gap.filename, folder)}:{gap.row} {gap.function}: {gap.reason}")
    if len(answer.unreached) > MOST_UNREACHED:
        yield Text(f"  ... and {len(answer.unreached) - MOST_UNREACHED} more (--output-format json lists all)")
    yield Text(
        "Was the program that failed among them? Name its folder: `inplace-lsp why error.log FOLDER`. If you can run "
        "it again, `inplace-lsp trace SCRIPT ARGS...` runs it as it is and names the line that wrote."
    )
