"""Recompute a loss after a step that has changed the parameters it went through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, remove_paragraph
from inplace_lsp.fixes.program.flow import reads_and_bindings
from inplace_lsp.fixes.program.kept_results import find_kept_statements, spell_in_other_method
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Tree
from inplace_lsp.fixes.program.slices import find_stale_statements, indented_source, names_read_and_bound, statements_of
from inplace_lsp.fixes.repairs.order.move_after_backward import find_write_and_backward, statements_between
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Finding

DRAWS = frozenset(
    {"rand", "randn", "randint", "randperm", "rand_like", "randn_like", "normal", "bernoulli", "multinomial"}
)


def recompute_after_step(context: RepairContext, *, anew: bool) -> Iterator[Candidate]:
    """Repair a step that shares a block with the backward and the computation of the loss.

    `anew`: only where random numbers would be drawn anew, which the author hardly means; else only where not.
    """
    for tree, pair in find_write_and_backward(context.text, context.finding):
        found = tuple(_recompute_candidates(tree, context.finding, pair, "the step", anew=anew))
        yield from found
        if found:
            return


def recompute_after_write(context: RepairContext, *, anew: bool) -> Iterator[Candidate]:
    """Repair a call that writes parameters likewise. A write in sight is moved, or made out of place."""
    finding = context.finding
    for tree, pair in find_write_and_backward(context.text, finding):
        in_sight = tree.span_of(pair[0]).row <= finding.span.row <= tree.end_of_block(pair[0])[0]
        if in_sight:
            continue
        where = f"the write on line {tree.span_of(pair[0]).row}"
        found = tuple(_recompute_candidates(tree, finding, pair, where, anew=anew))
        yield from found
        if found:
            return


RECOMPUTE_AFTER_STEP = Repair(frozenset({"IP102"}), partial(recompute_after_step, anew=False))
RECOMPUTE_AFTER_STEP_ANEW = Repair(frozenset({"IP102"}), partial(recompute_after_step, anew=True))
RECOMPUTE_AFTER_WRITE = Repair(frozenset({"IP101"}), partial(recompute_after_write, anew=False))
RECOMPUTE_AFTER_WRITE_ANEW = Repair(frozenset({"IP101"}), partial(recompute_after_write, anew=True))


def _recompute_candidates(
    tree: Tree, finding: Finding, pair: tuple[cst.CSTNode, cst.CSTNode], where: str, *, anew: bool
) -> Iterator[Candidate]:
    block = statements_of(tree.parent_of(pair[0]))
    first = block[: block.index(pair[0])]
    behind = [*statements_between(tree, *pair), pair[1]]
    stale = find_stale_statements(tree, finding, first, behind)
    if not stale and not anew:
        yield from _compute_kept_again(tree, finding, pair[0], behind, where)
    if not stale or any(_draws_random_numbers(tree, statement) for statement in stale) is not anew:
        return
    here = tree.span_of(pair[0])
    row, column = tree.end_of_block(pair[0])
    indent = tree.indentation_of(here.row)
    content = "".join(f"\n{indent}{indented_source(tree, statement, indent)}" for statement in stale)
    again = insert_at(here.file, row, column, content)
    drawn = ("new random numbers are drawn",) if anew else ()
    what = _name_results(tree, stale)
    warnings = ("computed with the new parameters", *drawn)
    if not _are_read_before_write(tree, stale, first, pair[0]):
        away = tuple(remove_paragraph(tree, statement) for statement in stale)
        yield Candidate(f"Move the computation of {what} after {where}", (*away, again), (), warnings[:1])
    yield Candidate(f"Compute {what} again after {where}", (again,), (), warnings)


def _compute_kept_again(
    tree: Tree, finding: Finding, step: cst.CSTNode, behind: Sequence[cst.CSTNode], where: str
) -> Iterator[Candidate]:
    """Compute again what another method of the object has computed and kept in its attributes."""
    here = tree.span_of(step)
    indent = tree.indentation_of(here.row)
    for method, stale in find_kept_statements(tree, finding, step, behind):
        lines = [spell_in_other_method(tree, method, statement) for statement in stale]
        if all(lines) and not any(_draws_random_numbers(tree, statement) for statement in stale):
            content = "".join(f"\n{indent}{line}" for line in lines)
            again = insert_at(here.file, *tree.end_of_block(step), content)
            message = f"Compute {_name_results(tree, stale)} again after {where}"
            yield Candidate(message, (again,), (), ("computed with the new parameters",))


def _name_results(tree: Tree, stale: Sequence[cst.CSTNode]) -> str:
    """Return the results of the statements: the names that they bind, or the calls that they are."""
    names = (
        name
        for statement in stale
        for name in reads_and_bindings(tree, statement)[1] or [tree.statement_text(statement)]
    )
    return "`" + "`, `".join(names) + "`"


def _are_read_before_write(
    tree: Tree, stale: Sequence[cst.CSTNode], first: Sequence[cst.CSTNode], step: cst.CSTNode
) -> bool:
    """Return whether the step or a statement before it reads what the statements compute."""
    others = [statement for statement in (*first, step) if statement not in stale]
    bound = {name for statement in stale for name in names_read_and_bound(tree, statement)[1]}
    return bool(bound & {name for other in others for name in names_read_and_bound(tree, other)[0]})


def _draws_random_numbers(tree: Tree, statement: cst.CSTNode) -> bool:
    """Return whether a statement draws random numbers by a call in sight, other ones the second time."""
    functions = (call.func for call in tree.calls_in(statement))
    names = (function.attr if isinstance(function, cst.Attribute) else function for function in functions)
    return any(isinstance(name, cst.Name) and name.value in DRAWS for name in names)
