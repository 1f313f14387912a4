"""`inplace=True` dropped where it is declared: `nn.ReLU(inplace=True)` as `nn.ReLU()`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from inplace_lsp.fixes.arguments import inplace_flag, removal
from inplace_lsp.fixes.candidate import Candidate, Use, one_line
from inplace_lsp.fixes.site import Site, Tree, site_at, tree_at
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Span, Tape, Write


def drop_flag(text: str, finding: Finding, tapes: Iterable[Tape]) -> Iterator[Candidate]:
    """For a write that a module does because it was told to. `tapes` show what else the module writes."""
    places = [event.declared for event in finding.story if isinstance(event, Write) and event.declared]
    for place in dict.fromkeys(places):
        tree = tree_at(text, place) if place.file == finding.span.file else None
        found = _flag_at(tree, place) if tree else None
        if tree is not None and found is not None:
            call, argument = found
            after = tree.code(call.with_changes(args=[one for one in call.args if one is not argument]))
            message = f"Drop `inplace=True` on line {place.row}: `{one_line(after)}`"
            yield Candidate(message, (removal(tree, call, argument),), tuple(_uses(text, place, tapes)))


def _uses(text: str, declared: Span, tapes: Iterable[Tape]) -> Iterator[Use]:
    """Every statement through which the module writes, once."""
    writes = (event for tape in tapes for event in tape.events if isinstance(event, Write))
    places = dict.fromkeys(write.span for write in writes if write.declared == declared)
    for place in places:
        site = site_at(text, place)
        if site is not None:
            yield _use(site)


def _use(site: Site) -> Use:
    """`x = self.act(x)` and `return self.act(x)` leave no name with the old values behind; `y = self.act(x)` does."""
    value = getattr(site.statement, "value", None)
    argument = value.args[0].value if isinstance(value, cst.Call) and value.args else None
    if isinstance(argument, cst.Call):
        return Use(site.tree, site.statement, None)
    if not isinstance(argument, cst.Name):
        return Use(site.tree, site.statement, None, ("what was passed in",))
    targets = [one.target for one in site.statement.targets] if isinstance(site.statement, cst.Assign) else []
    rebound = isinstance(site.statement, cst.Return) or any(argument.deep_equals(target) for target in targets)
    return Use(site.tree, site.statement, argument, () if rebound else (argument.value,))


def _flag_at(tree: Tree, place: Span) -> tuple[cst.Call, cst.Arg] | None:
    """The innermost call at `place` with a literal `inplace=True`."""
    calls = [node for node in tree.covering(place) if isinstance(node, cst.Call)]
    for call in reversed(calls):
        argument = inplace_flag(tree, call)
        if argument is not None:
            return call, argument
    return None
