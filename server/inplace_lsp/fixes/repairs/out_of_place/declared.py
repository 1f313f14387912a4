"""`inplace=True` dropped where it is declared: `nn.ReLU(inplace=True)` as `nn.ReLU()`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.program.arguments import inplace_flag, removal, without_argument
from inplace_lsp.fixes.program.candidate import Candidate, Use, one_line
from inplace_lsp.fixes.program.flow import is_read_after
from inplace_lsp.fixes.program.on_tapes import INPUTS
from inplace_lsp.fixes.program.site import Site, Tree, site_at, tree_at
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Create, Save, Span, Tape, Write


def drop_flag(text: str, finding: Finding, tapes: Sequence[Tape]) -> Iterator[Candidate]:
    """For a write that a module does because it was told to. `tapes` show what else the module writes."""
    places = [event.declared for event in finding.story if isinstance(event, Write) and event.declared]
    for place in dict.fromkeys(places):
        tree = tree_at(text, place) if place.file == finding.span.file else None
        if tree is not None:
            for flag in _flags_in(tree, place):
                yield from _dropped(tree, [flag], tuple(_uses(text, place, tapes)))
    yield from _all_dropped(text, finding, tapes) if places else ()


def _dropped(tree: Tree, flags: Sequence[tuple[cst.Call, cst.Arg]], uses: tuple[Use, ...]) -> Iterator[Candidate]:
    edits = tuple(removal(tree, call, argument) for call, argument in flags)
    rows = ", ".join(str(edit.span.row) for edit in edits)
    after = [one_line(without_argument(tree, call, argument)) for call, argument in flags]
    yield Candidate(f"Drop `inplace=True` on line{'s' * (len(edits) > 1)} {rows}: `{'`, `'.join(after)}`", edits, uses)


def _all_dropped(text: str, finding: Finding, tapes: Sequence[Tape]) -> Iterator[Candidate]:
    """For several modules that each write what was saved when the one statement calls them: `nn.Sequential`."""
    places = list(dict.fromkeys(place for tape in tapes for place in _harmful(tape, finding)))
    tree = tree_at(text, places[0]) if places else None
    if tree is None or not all(place.file == finding.span.file for place in places):
        return
    flags = [flag for place in places for flag in _flags_in(tree, place)]
    uses = dict.fromkeys(use for place in places for use in _uses(text, place, tapes))
    if len(flags) > 1:
        yield from _dropped(tree, flags, tuple(uses))


def _harmful(tape: Tape, finding: Finding) -> Iterator[Span]:
    """Where the modules are declared that write at the finding what some op has saved."""
    saved: set[int] = set()
    for event in tape.events:
        if isinstance(event, Save):
            saved.add(event.tensor.storage)
        elif isinstance(event, Write) and event.span == finding.span and event.declared:
            yield from [event.declared] if event.tensor.storage in saved else []


def _uses(text: str, declared: Span, tapes: Sequence[Tape]) -> Iterator[Use]:
    """Every statement through which the module writes, once."""
    writes = [
        (event, tape)
        for tape in tapes
        for event in tape.events
        if isinstance(event, Write) and event.declared == declared
    ]
    for place in dict.fromkeys(event.span for event, _ in writes):
        site = site_at(text, place)
        if site is not None:
            passed = any(not _is_made_on_the_way(event, tape) for event, tape in writes if event.span == place)
            names = {event.tensor.name for event, _ in writes if event.span == place}
            yield _use(site, names) if passed else Use(site.tree, site.statement, None)


def _is_made_on_the_way(write: Write, tape: Tape) -> bool:
    """Whether the statement itself has made the written tensor: by a layer in front, in an `nn.Sequential`."""
    made = [one for one in tape.events if isinstance(one, Create) and one.tensor.storage == write.tensor.storage]
    return bool(made) and made[0].op not in INPUTS and made[0].span == write.span


def _use(site: Site, names: set[str]) -> Use:
    """`x = self.act(x)` and `return self.act(x)` leave no name with the old values behind; `y = self.act(x)` does if
    `x` is read again. `names` are those of the written tensors."""
    value = getattr(site.statement, "value", None)
    argument = value.args[0].value if isinstance(value, cst.Call) and value.args else None
    argument = _passed(site, names) or argument
    if isinstance(argument, cst.Call):
        return Use(site.tree, site.statement, None)
    if not isinstance(argument, cst.Name):
        return Use(site.tree, site.statement, None, ("what was passed in",))
    targets = [one.target for one in site.statement.targets] if isinstance(site.statement, cst.Assign) else []
    rebound = any(argument.deep_equals(target) for target in targets)
    again = isinstance(value, cst.BaseExpression) and _is_named_again(site.tree, value, argument)
    kept = again or (not rebound and is_read_after(site.tree, site.statement, argument.value))
    return Use(site.tree, site.statement, argument, (f"`{argument.value}`",) if kept else ())


def _is_named_again(tree: Tree, value: cst.BaseExpression, name: cst.Name) -> bool:
    """`self.act(x) + x`: what else the statement does with the name."""
    every = [one for one in tree.within(tree.span(value)) if isinstance(one, cst.Name) and one.value == name.value]
    return len(every) > 1


def _passed(site: Site, names: set[str]) -> cst.Name | None:
    """The written tensor as the statement names it: `x` of `self.fc(self.act(x) * 2)`."""
    firsts = (one.args[0].value for one in site.tree.calls_in(site.statement) if one.args)
    return next((one for one in firsts if isinstance(one, cst.Name) and one.value in names), None)


def _flags_in(tree: Tree, place: Span) -> Iterator[tuple[cst.Call, cst.Arg]]:
    """Every call in the statement at `place` that says `inplace=True`."""
    for node in tree.within(place):
        argument = inplace_flag(tree, node) if isinstance(node, cst.Call) else None
        if isinstance(node, cst.Call) and argument is not None:
            yield node, argument
