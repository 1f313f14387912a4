"""A loss that went through parameters which a step has changed since is computed again behind the step."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.fixes.candidate import Candidate
from inplace_lsp.fixes.edits import insertion
from inplace_lsp.fixes.flow import uses
from inplace_lsp.fixes.move_behind import between, in_one_block
from inplace_lsp.fixes.site import tree_at
from inplace_lsp.fixes.slices import source_of, stale_of, statements_of
from inplace_lsp.hazards.finding import Finding


def recompute(text: str, finding: Finding) -> Iterator[Candidate]:
    """For IP102, where step, backward and what leads to the loss are statements of one block."""
    backwards = [one.span for one in finding.related if one.role == "backward" and one.span.file == finding.span.file]
    last = max(backwards, key=lambda span: span.row, default=None)
    tree = tree_at(text, finding.span) if finding.code == "IP102" and last is not None else None
    pair = in_one_block(tree, finding.span, last) if tree is not None and last is not None else None
    if tree is None or pair is None or tree.span(pair[0]).row >= tree.span(pair[1]).row:
        return
    block = statements_of(tree.parent(pair[0]))
    behind = [*between(tree, *pair), pair[1]]
    stale = stale_of(tree, finding, block[: block.index(pair[0])], behind)
    if not stale:
        return
    here = tree.span(pair[0])
    row, column = tree.last_of(pair[0])
    indent = tree.indentation(here.row)
    content = "".join(f"\n{indent}{source_of(tree, one)}" for one in stale)
    names = "`, `".join(name for one in stale for name in uses(tree, one)[1])
    yield Candidate(
        f"Compute `{names}` again behind the step",
        (insertion(here.file, row, column, content),),
        (),
        (f"`{names}` then: from the new parameters",),
    )
