"""A loss that went through parameters which a step has changed since is computed again behind the step."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.edits import insertion
from inplace_lsp.fixes.program.flow import uses
from inplace_lsp.fixes.program.site import Tree, whole_tree
from inplace_lsp.fixes.program.slices import source_of, stale_of, statements_of
from inplace_lsp.fixes.repairs.order.move_behind import between, in_one_block, places_of
from inplace_lsp.hazards.finding import Finding

DRAWS = frozenset(
    {"rand", "randn", "randint", "randperm", "rand_like", "randn_like", "normal", "bernoulli", "multinomial"}
)


def recompute(text: str, finding: Finding, *, anew: bool) -> Iterator[Candidate]:
    """Where step (or the call that writes parameters), backward and what leads to the loss are of one block.

    `anew`: only where random numbers would be drawn anew, which the author hardly means; else only where not.
    """
    backwards = [one.span for one in finding.related if one.role == "backward" and one.span.file == finding.span.file]
    last = max(backwards, key=lambda span: span.row, default=None)
    if last is None or finding.code not in {"IP101", "IP102"}:
        return
    for place in places_of(text, finding, finding.span):
        if finding.code == "IP101" and place == finding.span:
            continue  # a write in sight is moved, or made out of place
        tree = whole_tree(text, place.file)
        pair = in_one_block(tree, place, last) if tree is not None else None
        if tree is not None and pair is not None and tree.span(pair[0]).row < tree.span(pair[1]).row:
            yield from _again(tree, finding, pair, anew=anew)
            return


def _again(tree: Tree, finding: Finding, pair: tuple[cst.CSTNode, cst.CSTNode], *, anew: bool) -> Iterator[Candidate]:
    block = statements_of(tree.parent(pair[0]))
    behind = [*between(tree, *pair), pair[1]]
    stale = stale_of(tree, finding, block[: block.index(pair[0])], behind)
    if not stale or any(_draws(tree, one) for one in stale) is not anew:
        return
    here = tree.span(pair[0])
    row, column = tree.last_of(pair[0])
    indent = tree.indentation(here.row)
    content = "".join(f"\n{indent}{source_of(tree, one, indent)}" for one in stale)
    names = "`, `".join(name for one in stale for name in uses(tree, one)[1])
    drawn = ("random numbers are drawn anew",) if anew else ()
    where = "the step" if finding.code == "IP102" else f"the write on line {here.row}"
    yield Candidate(
        f"Compute `{names}` again behind {where}",
        (insertion(here.file, row, column, content),),
        (),
        (f"`{names}` then: from the new parameters", *drawn),
    )


def _draws(tree: Tree, statement: cst.CSTNode) -> bool:
    """Whether a statement makes random numbers by a call in sight, and so would make others the second time."""
    functions = (one.func for one in tree.calls_in(statement))
    names = (one.attr if isinstance(one, cst.Attribute) else one for one in functions)
    return any(isinstance(one, cst.Name) and one.value in DRAWS for one in names)
