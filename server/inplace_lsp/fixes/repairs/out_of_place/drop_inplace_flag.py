"""Drop `inplace=True` where it is declared: `nn.ReLU(inplace=True)` becomes `nn.ReLU()`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.program.arguments import code_without_argument, find_inplace_flag, remove_argument
from inplace_lsp.fixes.program.candidate import Candidate, Use, shorten_to_line
from inplace_lsp.fixes.program.codes import REPAIRABLE
from inplace_lsp.fixes.program.later_reads import is_read_after
from inplace_lsp.fixes.program.on_tapes import INPUTS
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Site, Tree, site_at, tree_at
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Create, Save, Span, Tape, Write


def drop_inplace_flag(context: RepairContext) -> Iterator[Candidate]:
    """Repair a write by a module declared in place. The tapes show what else the module writes."""
    text, finding, tapes = context.text, context.finding, context.tapes
    places = [event.declared for event in finding.story if isinstance(event, Write) and event.declared]
    for place in dict.fromkeys(places):
        tree = tree_at(text, place) if place.file == finding.span.file else None
        if tree is not None:
            for flag in _flags_in(tree, place):
                yield from _drop_flags(tree, [flag], tuple(_module_uses(text, place, tapes)))
    yield from _drop_all_flags(text, finding, tapes) if places else ()


DROP_INPLACE_FLAG = Repair(REPAIRABLE, drop_inplace_flag)


def _drop_flags(tree: Tree, flags: Sequence[tuple[cst.Call, cst.Arg]], uses: tuple[Use, ...]) -> Iterator[Candidate]:
    edits = tuple(remove_argument(tree, call, argument) for call, argument in flags)
    rows = ", ".join(str(edit.span.row) for edit in edits)
    after = [shorten_to_line(code_without_argument(tree, call, argument)) for call, argument in flags]
    yield Candidate(f"Drop `inplace=True` on line{'s' * (len(edits) > 1)} {rows}: `{'`, `'.join(after)}`", edits, uses)


def _drop_all_flags(text: str, finding: Finding, tapes: Sequence[Tape]) -> Iterator[Candidate]:
    """Repair a statement that calls several modules which each write a saved tensor: `nn.Sequential`."""
    places = list(dict.fromkeys(place for tape in tapes for place in _harmful_declarations(tape, finding)))
    tree = tree_at(text, places[0]) if places else None
    if tree is None or any(place.file != finding.span.file for place in places):
        return
    flags: list[tuple[cst.Call, cst.Arg]] = []
    uses: list[Use] = []
    for place in places:
        flags += _flags_in(tree, place)
        uses += _module_uses(text, place, tapes)
    if len(flags) > 1:
        yield from _drop_flags(tree, flags, tuple(dict.fromkeys(uses)))


def _harmful_declarations(tape: Tape, finding: Finding) -> Iterator[Span]:
    """Yield the declarations of the modules that write a saved tensor at the finding."""
    saved: set[int] = set()
    for event in tape.events:
        if isinstance(event, Save):
            saved.add(event.tensor.storage)
        elif isinstance(event, Write) and event.span == finding.span and event.declared:
            yield from [event.declared] if event.tensor.storage in saved else []


def _module_uses(text: str, declared: Span, tapes: Sequence[Tape]) -> Iterator[Use]:
    """Yield every statement through which the module writes, once."""
    writes = [
        (event, tape)
        for tape in tapes
        for event in tape.events
        if isinstance(event, Write) and event.declared == declared
    ]
    for place in dict.fromkeys(event.span for event, _ in writes):
        site = site_at(text, place)
        if site is not None:
            passed = any(not _is_made_by_statement(event, tape) for event, tape in writes if event.span == place)
            names = {event.tensor.name for event, _ in writes if event.span == place}
            yield _use_of_passed_tensor(site, names) if passed else Use(site.tree, site.statement, None)


def _is_made_by_statement(write: Write, tape: Tape) -> bool:
    """Return whether the statement itself has made the written tensor, by an earlier layer of an `nn.Sequential`."""
    made = [
        event for event in tape.events if isinstance(event, Create) and event.tensor.storage == write.tensor.storage
    ]
    return bool(made) and made[0].op not in INPUTS and made[0].span == write.span


def _use_of_passed_tensor(site: Site, names: set[str]) -> Use:
    """Return the use of a module by a statement: `x = self.act(x)` and `return self.act(x)` leave no name with the old
    values; `y = self.act(x)` does if `x` is read again. `names` are those of the written tensors."""
    value = getattr(site.statement, "value", None)
    argument = value.args[0].value if isinstance(value, cst.Call) and value.args else None
    argument = _passed_tensor(site, names) or argument
    if isinstance(argument, cst.Call):
        return Use(site.tree, site.statement, None)
    if not isinstance(argument, cst.Name):
        return Use(site.tree, site.statement, None, ("what was passed in",))
    kept = keeps_old_values(site, value, argument)
    return Use(site.tree, site.statement, argument, (f"`{argument.value}`",) if kept else ())


def keeps_old_values(site: Site, value: object, argument: cst.Name) -> bool:
    """Return whether the variable that a statement passes to a module is read again, with the values it had."""
    if isinstance(value, cst.BaseExpression) and _is_read_again(site.tree, value, argument):
        return True
    targets = site.statement.targets if isinstance(site.statement, cst.Assign) else []
    rebound = any(argument.deep_equals(target.target) for target in targets)
    return not rebound and is_read_after(site.tree, site.statement, argument.value)


def _is_read_again(tree: Tree, value: cst.BaseExpression, name: cst.Name) -> bool:
    """Return whether the statement reads the name elsewhere too: `self.act(x) + x`."""
    every = [
        node
        for node in tree.nodes_within(tree.span_of(value))
        if isinstance(node, cst.Name) and node.value == name.value
    ]
    return len(every) > 1


def _passed_tensor(site: Site, names: set[str]) -> cst.Name | None:
    """Return the written tensor as the statement names it: `x` of `self.fc(self.act(x) * 2)`."""
    firsts = (call.args[0].value for call in site.tree.calls_in(site.statement) if call.args)
    return next((first for first in firsts if isinstance(first, cst.Name) and first.value in names), None)


def _flags_in(tree: Tree, place: Span) -> Iterator[tuple[cst.Call, cst.Arg]]:
    """Yield every call in the statement at `place` that says `inplace=True`."""
    for node in tree.nodes_within(place):
        argument = find_inplace_flag(tree, node) if isinstance(node, cst.Call) else None
        if isinstance(node, cst.Call) and argument is not None:
            yield node, argument
