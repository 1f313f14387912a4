"""Label the statements whose tensors take most memory when backward begins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from inplace_lsp.report.kept_memory import show_size
from inplace_lsp.tape.kept_memory import KeptTensors

MemoryLabels = dict[tuple[int, int], tuple[str, str]]
"""The label and its explanation, by the end of the statement."""


def label_memory(kept: Sequence[KeptTensors]) -> MemoryLabels:
    """Return the labels of one file."""
    by_place: dict[tuple[int, int], list[KeptTensors]] = defaultdict(list)
    for each in kept:
        by_place[each.span.end_row, each.span.end_column].append(each)
    return {
        place: (f"keeps {show_size(sum(each.size for each in those))}", _explain_memory(those))
        for place, those in by_place.items()
    }


def _explain_memory(kept: Sequence[KeptTensors]) -> str:
    """Return a line about each of these tensors."""
    made = (f"{show_size(each.size)} made by {each.op} ({each.count} of {list(each.shape)})" for each in kept)
    return "\n".join(["Alive when backward begins, as the last verified run measured:", *made])
