"""Which repairs are tried for a finding, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from inplace_lsp.analysis import Analysis
from inplace_lsp.fixes.program.candidate import Candidate, Use
from inplace_lsp.fixes.program.edits import line_end
from inplace_lsp.fixes.program.scopes import is_bound_in
from inplace_lsp.fixes.program.settable import sets_what_is_fixed
from inplace_lsp.fixes.program.site import site_at
from inplace_lsp.fixes.repairs.copies.clone_at_save import clone_at_save
from inplace_lsp.fixes.repairs.copies.clone_first import clone_first
from inplace_lsp.fixes.repairs.copies.copy_alias import copy_alias
from inplace_lsp.fixes.repairs.copies.pieces import copy_pieces
from inplace_lsp.fixes.repairs.copies.through_data import through_data
from inplace_lsp.fixes.repairs.custom_function.handed_back import return_copy
from inplace_lsp.fixes.repairs.custom_function.keep_by_saving import copy_on_ctx, keep_by_saving
from inplace_lsp.fixes.repairs.custom_function.mark_dirty import mark_dirty
from inplace_lsp.fixes.repairs.grad_mode.inference import no_inference_mode
from inplace_lsp.fixes.repairs.grad_mode.no_grad import no_grad, no_grad_all_the_same
from inplace_lsp.fixes.repairs.graph.carried import carried
from inplace_lsp.fixes.repairs.graph.retain_graph import retain_graph
from inplace_lsp.fixes.repairs.graph.set_data import set_data
from inplace_lsp.fixes.repairs.order.into_loop import into_loop
from inplace_lsp.fixes.repairs.order.move_behind import move_behind
from inplace_lsp.fixes.repairs.order.one_step import one_step
from inplace_lsp.fixes.repairs.order.recompute import recompute
from inplace_lsp.fixes.repairs.out_of_place.copied_in import bind_copied
from inplace_lsp.fixes.repairs.out_of_place.declared import drop_flag
from inplace_lsp.fixes.repairs.out_of_place.hook_returns import hook_returns
from inplace_lsp.fixes.repairs.out_of_place.list_stack import list_stack
from inplace_lsp.fixes.repairs.out_of_place.masked import masked_fill
from inplace_lsp.fixes.repairs.out_of_place.operators import out_of_place_operator
from inplace_lsp.fixes.repairs.out_of_place.rewritten_list import rewritten_list
from inplace_lsp.fixes.repairs.out_of_place.scattered import scattered
from inplace_lsp.fixes.repairs.out_of_place.statement import out_of_place
from inplace_lsp.fixes.repairs.views.by_row import by_row
from inplace_lsp.fixes.repairs.views.out_of_block import out_of_block
from inplace_lsp.fixes.repairs.views.view_again import view_again
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Actor, Create, Event, TensorState, View, Write


def candidates(text: str, finding: Finding, before: Analysis) -> Iterator[Candidate]:
    """Every repair that is worth an analysis, those first that an expert would choose."""
    yield from drop_flag(text, finding, before.tapes)
    yield from carried(text, finding, before.tapes)
    yield from into_loop(text, finding)
    yield from retain_graph(text, finding)
    yield from recompute(text, finding, anew=False)
    step = finding.code == "IP102"
    yield from move_behind(text, finding) if step else ()
    yield from recompute(text, finding, anew=True)
    yield from one_step(text, finding)
    yield from no_inference_mode(text, finding)
    yield from view_again(text, finding)
    yield from out_of_block(text, finding)
    yield from mark_dirty(text, finding)
    yield from keep_by_saving(text, finding)
    for one in _at_write(text, finding, before):
        if not (_captures(one) or _loses(one, finding) or sets_what_is_fixed(text, finding.span.file, one)):
            yield one
    yield from copy_pieces(text, finding)
    yield from clone_at_save(text, finding)
    yield from copy_on_ctx(text, finding)
    yield from return_copy(text, finding)
    yield from move_behind(text, finding) if not step else ()


def _at_write(text: str, finding: Finding, before: Analysis) -> Iterator[Candidate]:
    """The repairs of the statement that writes."""
    site = site_at(text, finding.span)
    if site is None:
        return
    for write in (
        list_stack,
        no_grad,
        by_row,
        masked_fill,
        rewritten_list,
        out_of_place,
        out_of_place_operator,
        bind_copied,
        no_grad_all_the_same,
        copy_alias,
        clone_first,
        through_data,
        set_data,
    ):
        yield from write(site, finding)
    yield from hook_returns(site, finding, text)
    yield from scattered(site, finding, before.tapes)


def _loses(candidate: Candidate, finding: Finding) -> bool:
    """Whether giving the name another tensor would cut its history or take a parameter out of its module."""
    if not any(use.written is not None for use in candidate.uses):
        return False
    if finding.code in {"IP101", "IP301"} and _is_leaf_written(finding):
        return True
    if finding.code in {"IP201", "IP202"} and any(is_item_of_loop(use) for use in candidate.uses):
        return True
    attribute = any(isinstance(use.written, cst.Attribute) for use in candidate.uses)
    for event in finding.story:
        if isinstance(event, Write) and event.span.row == finding.span.row:
            declared = event.actor is not Actor.UNDECLARED  # the inside of a custom Function is never recorded
            if not event.grad_mode and event.tensor.requires_grad and declared:
                return True
            if attribute and _is_of_leaf(event.tensor) and _is_parameter(event.tensor, finding.story):
                return True
    return False


def is_item_of_loop(use: Use) -> bool:
    """Whether the name is what a loop runs through: `for p in model.parameters()`. Giving it another tensor changes
    none of those."""
    loops = [one for one in use.tree.parents(use.statement) if isinstance(one, cst.For)]
    written = use.written
    return written is not None and any(_names_in(one.target, written) for one in loops)


def _names_in(target: cst.CSTNode, written: cst.BaseExpression) -> bool:
    """Whether what a loop binds is, or holds, that name."""
    elements = target.elements if isinstance(target, (cst.Tuple, cst.List)) else ()
    return target.deep_equals(written) or any(_names_in(one.value, written) for one in elements)


def _is_leaf_written(finding: Finding) -> bool:
    """Whether a leaf that requires grad has the written memory: gradients and optimizers belong to that very tensor."""
    written = {one.tensor.storage for one in finding.story if isinstance(one, Write) and one.span == finding.span}
    states = [one.of for one in finding.story if isinstance(one, View)]
    states += [one for event in finding.story if isinstance(one := getattr(event, "tensor", None), TensorState)]
    return any(one.storage in written and one.leaf and one.requires_grad for one in states)


def _is_of_leaf(tensor: TensorState) -> bool:
    return tensor.leaf if tensor.base is None else tensor.base_leaf


def _is_parameter(tensor: TensorState, story: tuple[Event, ...]) -> bool:
    made = [one.op for one in story if isinstance(one, Create) and one.tensor.storage == tensor.storage]
    return bool(tensor.requires_grad) or "Parameter" in made


def with_line_ends(candidate: Candidate, text: str) -> Candidate:
    """What is put in ends its lines as the file does."""
    end = line_end(text)
    return replace(
        candidate, edits=tuple(replace(one, content=one.content.replace("\n", end)) for one in candidate.edits)
    )


def _captures(candidate: Candidate) -> bool:
    """Whether an assignment it adds would turn a name of an outer scope into one of the function's own."""
    return any(
        isinstance(use.written, cst.Name)
        and (function := use.tree.function_of(use.statement)) is not None
        and not is_bound_in(function, use.written.value)
        for use in candidate.uses
    )
