"""The repairs that are tried for a finding, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import libcst as cst

from inplace_lsp.analysis import Analysis
from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.codes import is_leaf_write, is_saved_write, may_update_leaf
from inplace_lsp.fixes.program.fixed_attributes import is_made_leaf_later, sets_fixed_attribute
from inplace_lsp.fixes.program.flow import is_loop_target
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.scopes import is_bound_in
from inplace_lsp.fixes.repairs.copies.clone_at_save import CLONE_AT_SAVE, CLONE_OVERLAPPING
from inplace_lsp.fixes.repairs.copies.clone_first import CLONE_FIRST, CLONE_VIEW_FIRST
from inplace_lsp.fixes.repairs.copies.copy_alias import COPY_ALIAS
from inplace_lsp.fixes.repairs.copies.copy_pieces import COPY_PIECES
from inplace_lsp.fixes.repairs.copies.drop_data import DROP_DATA
from inplace_lsp.fixes.repairs.custom_function.mark_dirty import MARK_DIRTY
from inplace_lsp.fixes.repairs.custom_function.return_copy import RETURN_COPY
from inplace_lsp.fixes.repairs.custom_function.save_for_backward import COPY_ON_CONTEXT, SAVE_FOR_BACKWARD
from inplace_lsp.fixes.repairs.grad_mode.inference import REPLACE_INFERENCE_MODE
from inplace_lsp.fixes.repairs.grad_mode.no_grad import (
    UPDATE_LOOP_UNDER_NO_GRAD,
    UPDATE_UNDER_NO_GRAD,
    WRITE_LOOP_UNDER_NO_GRAD,
    WRITE_UNDER_NO_GRAD,
)
from inplace_lsp.fixes.repairs.graph.detach_carried import DETACH_BEFORE_BACKWARD, DETACH_BEFORE_STEP
from inplace_lsp.fixes.repairs.graph.drop_requires_grad import DROP_REQUIRES_GRAD
from inplace_lsp.fixes.repairs.graph.retain_graph import RETAIN_GRAPH
from inplace_lsp.fixes.repairs.graph.set_data import SET_DATA
from inplace_lsp.fixes.repairs.order.add_losses import ADD_LOSSES
from inplace_lsp.fixes.repairs.order.compute_in_forward import COMPUTE_IN_FORWARD
from inplace_lsp.fixes.repairs.order.detach_kept_value import DETACH_BEFORE_LOOP, DETACH_KEPT_VALUE
from inplace_lsp.fixes.repairs.order.detach_other_network import DETACH_OTHER_NETWORK
from inplace_lsp.fixes.repairs.order.move_after_backward import MOVE_STEP_AFTER_BACKWARD, MOVE_WRITE_AFTER_BACKWARD
from inplace_lsp.fixes.repairs.order.move_forward_into_loop import MOVE_FORWARD_INTO_LOOP
from inplace_lsp.fixes.repairs.order.recompute import (
    RECOMPUTE_AFTER_STEP,
    RECOMPUTE_AFTER_STEP_ANEW,
    RECOMPUTE_AFTER_WRITE,
    RECOMPUTE_AFTER_WRITE_ANEW,
)
from inplace_lsp.fixes.repairs.order.step_once import STEP_ONCE_AFTER_LOOP
from inplace_lsp.fixes.repairs.order.sum_losses import SUM_LOSSES
from inplace_lsp.fixes.repairs.order.swap_updates import SWAP_UPDATES
from inplace_lsp.fixes.repairs.out_of_place.copy_source import BIND_COPY_SOURCE
from inplace_lsp.fixes.repairs.out_of_place.drop_inplace_flag import DROP_INPLACE_FLAG
from inplace_lsp.fixes.repairs.out_of_place.fill_by_mask import FILL_BY_LIKELY_MASK, FILL_BY_MASK
from inplace_lsp.fixes.repairs.out_of_place.hook_returns import RETURN_FROM_HOOK
from inplace_lsp.fixes.repairs.out_of_place.list_stack import COLLECT_ROWS_IN_LIST
from inplace_lsp.fixes.repairs.out_of_place.operators import REPLACE_OPERATOR_FUNCTION
from inplace_lsp.fixes.repairs.out_of_place.rebuild_list import REBUILD_LIST
from inplace_lsp.fixes.repairs.out_of_place.scatter_value import SCATTER_VALUE
from inplace_lsp.fixes.repairs.out_of_place.statement import WRITE_OUT_OF_PLACE
from inplace_lsp.fixes.repairs.out_of_place.write_nested import WRITE_NESTED_OUT_OF_PLACE
from inplace_lsp.fixes.repairs.views.move_view_out_of_no_grad import MOVE_VIEW_OUT_OF_NO_GRAD
from inplace_lsp.fixes.repairs.views.repeat_view import REPEAT_IN_GRAD_MODE, REPEAT_PIECES
from inplace_lsp.fixes.repairs.views.write_rows import WRITE_ROWS_BY_INDEX
from inplace_lsp.hazards.edits import find_line_end
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Actor, Create, Event, TensorState, View, Write

AROUND_WRITE: tuple[Repair, ...] = (
    DROP_INPLACE_FLAG,
    ADD_LOSSES,
    SUM_LOSSES,
    DETACH_BEFORE_STEP,
    DETACH_BEFORE_BACKWARD,
    DETACH_KEPT_VALUE,
    MOVE_FORWARD_INTO_LOOP,
    COMPUTE_IN_FORWARD,
    RETAIN_GRAPH,
    DETACH_OTHER_NETWORK,
    RECOMPUTE_AFTER_STEP,
    RECOMPUTE_AFTER_WRITE,
    MOVE_STEP_AFTER_BACKWARD,
    SWAP_UPDATES,
    RECOMPUTE_AFTER_STEP_ANEW,
    RECOMPUTE_AFTER_WRITE_ANEW,
    STEP_ONCE_AFTER_LOOP,
    REPLACE_INFERENCE_MODE,
    REPEAT_PIECES,
    REPEAT_IN_GRAD_MODE,
    MOVE_VIEW_OUT_OF_NO_GRAD,
    MARK_DIRTY,
    SAVE_FOR_BACKWARD,
)
"""Repairs that leave the write as it is: an expert tries these first."""
AT_WRITE: tuple[Repair, ...] = (
    WRITE_NESTED_OUT_OF_PLACE,
    COLLECT_ROWS_IN_LIST,
    UPDATE_UNDER_NO_GRAD,
    UPDATE_LOOP_UNDER_NO_GRAD,
    WRITE_ROWS_BY_INDEX,
    FILL_BY_MASK,
    FILL_BY_LIKELY_MASK,
    REBUILD_LIST,
    WRITE_OUT_OF_PLACE,
    REPLACE_OPERATOR_FUNCTION,
    BIND_COPY_SOURCE,
    WRITE_UNDER_NO_GRAD,
    WRITE_LOOP_UNDER_NO_GRAD,
    DROP_REQUIRES_GRAD,
    COPY_ALIAS,
    CLONE_FIRST,
    CLONE_VIEW_FIRST,
    DROP_DATA,
    SET_DATA,
    RETURN_FROM_HOOK,
    SCATTER_VALUE,
)
"""Repairs that rewrite the writing statement, and may rebind the written name."""
AT_SAVE: tuple[Repair, ...] = (
    COPY_PIECES,
    CLONE_AT_SAVE,
    CLONE_OVERLAPPING,
    COPY_ON_CONTEXT,
    RETURN_COPY,
    MOVE_WRITE_AFTER_BACKWARD,
)
"""Repairs that copy what is kept, or move the write: the last resort."""
IF_NOTHING_ELSE: tuple[Repair, ...] = (DETACH_BEFORE_LOOP,)
"""Repairs that give up a gradient which another one would keep."""
REPAIRS = (*AROUND_WRITE, *AT_WRITE, *AT_SAVE)


def propose_candidates(
    text: str, finding: Finding, before: Analysis, repairs: Sequence[Repair] = REPAIRS
) -> Iterator[tuple[Repair, Candidate]]:
    """Yield every change worth an analysis, in the order in which an expert would try them."""
    context = RepairContext(text, finding.span.file, finding, before.tapes, before.findings)
    for repair in repairs:
        for candidate in repair.candidates_for(context):
            if repair not in AT_WRITE or _may_rebind(candidate, context):
                yield repair, candidate


def _may_rebind(candidate: Candidate, context: RepairContext) -> bool:
    """Return whether the names that the candidate rebinds can be rebound without harm."""
    return not (
        _captures_outer_name(candidate)
        or _loses_history(candidate, context.finding)
        or (bool(candidate.uses) and may_update_leaf(context.finding) and context.is_moved_by_steps)
        or sets_fixed_attribute(context.text, context.file, candidate)
        or (is_leaf_write(context.finding) and (is_made_leaf_later(candidate) or _rebinds_loop_target(candidate)))
    )


def _rebinds_loop_target(candidate: Candidate) -> bool:
    """Return whether only a loop's target would mean the new tensor: the container keeps the leaf."""
    written = ((use, use.written) for use in candidate.uses if use.written is not None)
    return any(is_loop_target(use.tree, use.statement, name) for use, name in written)


def _loses_history(candidate: Candidate, finding: Finding) -> bool:
    """Return whether rebinding the name would cut its history or take a parameter out of its module."""
    written = [use.written for use in candidate.uses if use.written is not None]
    if not written:
        return False
    if is_saved_write(finding) and _is_leaf_written(finding):
        return True
    writes = [event for event in finding.story if isinstance(event, Write) and event.span.row == finding.span.row]
    if any(_keeps_history(write) for write in writes):
        return True
    attribute = any(isinstance(node, cst.Attribute) for node in written)
    return attribute and any(_writes_parameter(write, finding) for write in writes)


def _keeps_history(write: Write) -> bool:
    """Return whether the tensor keeps a history that a new tensor would not get: it is written under `no_grad`."""
    declared = write.actor is not Actor.UNDECLARED  # the inside of a custom Function is never recorded
    return declared and not write.grad_mode and bool(write.tensor.requires_grad)


def _writes_parameter(write: Write, finding: Finding) -> bool:
    return _is_of_leaf(write.tensor) and _is_parameter(write.tensor, finding.story)


def _is_leaf_written(finding: Finding) -> bool:
    """Return whether a leaf that requires grad owns the written memory: gradients and optimizers are tied to that
    tensor."""
    written = {
        event.tensor.storage for event in finding.story if isinstance(event, Write) and event.span == finding.span
    }
    states = [event.of for event in finding.story if isinstance(event, View)]
    states += [state for event in finding.story if isinstance(state := getattr(event, "tensor", None), TensorState)]
    return any(state.storage in written and state.leaf and state.requires_grad for state in states)


def _is_of_leaf(tensor: TensorState) -> bool:
    return tensor.leaf if tensor.base is None else tensor.base_leaf


def _is_parameter(tensor: TensorState, story: tuple[Event, ...]) -> bool:
    made = [event.op for event in story if isinstance(event, Create) and event.tensor.storage == tensor.storage]
    return bool(tensor.requires_grad) or "Parameter" in made


def match_line_ends(candidate: Candidate, text: str) -> Candidate:
    """Return the candidate with its inserted lines ended as the file ends its own."""
    end = find_line_end(text)
    return replace(
        candidate, edits=tuple(replace(edit, content=edit.content.replace("\n", end)) for edit in candidate.edits)
    )


def _captures_outer_name(candidate: Candidate) -> bool:
    """Return whether the repair's assignment would turn a name of an outer scope into a local one."""
    return any(
        isinstance(use.written, cst.Name)
        and (function := use.tree.function_of(use.statement)) is not None
        and not is_bound_in(function, use.written.value)
        for use in candidate.uses
    )
