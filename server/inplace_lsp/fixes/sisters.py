"""Find the sisters of a write: other writes of the same kind to the same tensor, which break the same backward."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from inplace_lsp.fixes.program.codes import breaks_by_write
from inplace_lsp.fixes.program.on_tapes import tensor_states
from inplace_lsp.hazards.finding import Finding

AT_MOST = 12


def find_sisters(found: Iterable[Finding], finding: Finding) -> list[Finding]:
    """Return those of the same code about the tensor that `finding` is about, in the same function."""
    if not breaks_by_write(finding):
        return []
    written = set(_written_tensors(finding))
    sisters = [other for other in found if _is_sister(finding, other) and written & {*_written_tensors(other)}]
    return sisters[:AT_MOST]


def _is_sister(finding: Finding, other: Finding) -> bool:
    same = (other.code, other.function, other.span.file) == (finding.code, finding.function, finding.span.file)
    if not same or other.span.row == finding.span.row or other.severity == "hint":
        return False
    saved = finding.places_of("saved")
    return not saved or bool({*saved} & {*other.places_of("saved")})


def _written_tensors(finding: Finding) -> Iterator[tuple[str, int]]:
    """Yield the name and memory of what the finding's statement writes: a name may mean another tensor elsewhere."""
    for event in finding.story:
        if event.span == finding.span:
            yield from ((state.name, state.storage) for state in tensor_states(event) if state.name)
