"""Swap two updates in a block if the first one's step breaks the second one's graph; `zero_grad` moves along."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Tree
from inplace_lsp.fixes.program.slices import names_read_and_bound, statements_of
from inplace_lsp.fixes.repairs.order.move_after_backward import find_write_and_backward
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.source.units import normalise_text
from inplace_lsp.tape.model import Span

WARNING = "the updates run in the other order"


def swap_updates(context: RepairContext) -> Iterator[Candidate]:
    """Repair a step where both updates are rows of one block and neither uses the other's results."""
    text, finding = context.text, context.finding
    for tree, (step, backward) in find_write_and_backward(text, finding):
        block = statements_of(tree.parent_of(step))
        own = _update_before(tree, block, step)
        other = _update_after(tree, block, step, backward)
        if own and other and not _depend_on_each_other(tree, own, other):
            first, last = tree.span_of(other[0]).row, tree.end_of_block(other[-1])[0]
            message = f"Do the update on lines {first} to {last} first"
            yield Candidate(message, (_swap_rows(text, tree, own, other),), (), (WARNING,))
            return


SWAP_UPDATES = Repair(frozenset({"IP102"}), swap_updates)


def _update_before(tree: Tree, block: Sequence[cst.CSTNode], step: cst.CSTNode) -> list[cst.CSTNode]:
    """Return the rows from the stepping optimizer's `zero_grad` to its step."""
    owner = tree.statement_text(step).rsplit(".step(", 1)[0]
    before = block[: block.index(step) + 1]
    zeros = [
        at for at, statement in enumerate(before) if tree.statement_text(statement).startswith(f"{owner}.zero_grad(")
    ]
    return list(before[zeros[-1] :]) if zeros else []


def _update_after(
    tree: Tree, block: Sequence[cst.CSTNode], step: cst.CSTNode, backward: cst.CSTNode
) -> list[cst.CSTNode]:
    """Return the rows after the step up to the next step after the backward."""
    behind = block[block.index(step) + 1 :]
    ends = [at for at, statement in enumerate(behind) if ".step(" in tree.statement_text(statement)]
    found = list(behind[: ends[0] + 1]) if ends else []
    return found if backward in found else []


def _depend_on_each_other(tree: Tree, own: Sequence[cst.CSTNode], other: Sequence[cst.CSTNode]) -> bool:
    """Return whether one of the updates reads what the other binds."""
    (reads, bound), (others_reads, others_bound) = (_effects_of(tree, rows) for rows in (own, other))
    return bool(bound & (others_reads | others_bound) or others_bound & reads)


def _effects_of(tree: Tree, rows: Sequence[cst.CSTNode]) -> tuple[set[str], set[str]]:
    found = [names_read_and_bound(tree, row) for row in rows]
    return {name for names, _ in found for name in names}, {name for _, names in found for name in names}


def _swap_rows(text: str, tree: Tree, own: Sequence[cst.CSTNode], other: Sequence[cst.CSTNode]) -> Edit:
    """Swap two blocks of rows, each with as many comments right above it; what stands between them stays there."""
    lines = normalise_text(text).split("\n")
    comments = min(_count_comments(lines, tree, rows) for rows in (own, other))
    (first, own_end), (other_first, last) = (
        (tree.span_of(rows[0]).row - 1 - comments, tree.end_of_block(rows[-1])[0]) for rows in (own, other)
    )
    swapped = [*lines[other_first:last], *lines[own_end:other_first], *lines[first:own_end]]
    return Edit("".join(f"{line}\n" for line in swapped), Span(tree.file, first + 1, 0, last + 1, 0))


def _count_comments(lines: Sequence[str], tree: Tree, rows: Sequence[cst.CSTNode]) -> int:
    above = reversed(lines[: tree.span_of(rows[0]).row - 1])
    return len(list(takewhile(lambda line: line.lstrip().startswith("#"), above)))
