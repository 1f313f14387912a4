"""What an edit leaves valid: the outcomes of a file's last analysis, each with all it was computed from.

A function's outcome depends on its own unit and on the units that bind the module-level names it asked for; that of the
module as a program on every unit that does more than define, and on the definitions it asked for. Units are the same as
long as their text is (`source.units` parses each text once), so comparing them is comparing identities.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.registry import findings, merge
from inplace_lsp.interpret.entries import Outcome
from inplace_lsp.interpret.facts import Facts, still_hold
from inplace_lsp.interpret.module_scope import bindings
from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit
from inplace_lsp.tape.model import Span
from inplace_lsp.tape.move import Move, by_rows, moved

FILES = 32
"""Files whose last analysis is remembered."""


@dataclass(slots=True)
class Judged:
    """An outcome with its findings. `units` are those of the file it was computed in; its rows are of that file."""

    outcome: Outcome
    findings: tuple[Finding, ...]
    units: tuple[Unit, ...]


def judged(outcome: Outcome, units: tuple[Unit, ...]) -> Judged:
    """Fold the tapes of `outcome`. Of its paths the first is kept, and those that show a finding."""
    found = [findings(tape) for tape in outcome.tapes]
    kept = [tape for at, tape in enumerate(outcome.tapes) if found[at] or at == 0]
    return Judged(replace(outcome, tapes=kept), merge(one for some in found for one in some), units)


class Memory:
    """The last outcomes of the files analysed most recently."""

    def __init__(self) -> None:
        self._files: OrderedDict[str, dict[object, Judged]] = OrderedDict()
        self._edit: Edit | None = None

    def recall(self, file: str, key: object, span: Span, units: tuple[Unit, ...], facts: Facts) -> Judged | None:
        """What was found out about `key`, moved to where its lines are now; None if an edit may have changed it."""
        known = self._files.get(file, {}).get(key)
        if known is None or known.outcome.incomplete.startswith("internal"):
            return None
        if not still_hold(known.outcome.answers, facts):
            return None
        if known.units is units:
            return known
        if self._edit is None or self._edit.before is not known.units or self._edit.now is not units:
            self._edit = Edit(file, known.units, units)
        if not self._edit.keeps(known.outcome):
            return None
        move = self._edit.move
        if move is None:
            return Judged(replace(known.outcome, span=span), known.findings, units)
        tapes = [moved(tape, move) for tape in known.outcome.tapes]
        return judged(replace(known.outcome, tapes=tapes, span=span), units)

    def store(self, file: str, outcomes: dict[object, Judged]) -> None:
        """Remember all outcomes of a file in place of the former ones."""
        self._files[file] = outcomes
        self._files.move_to_end(file)
        while len(self._files) > FILES:
            self._files.popitem(last=False)


class Edit:
    """What is different between two readings of a file. `move`: where its lines are now, None if none moved."""

    def __init__(self, file: str, before: tuple[Unit, ...], now: tuple[Unit, ...]) -> None:
        self.before, self.now = before, now
        self.move = _move(file, before, now)
        self._bindings = bindings(before), bindings(now)
        self._same: dict[str, bool] = {}
        self._does_the_same = _doing(before) == _doing(now)

    def keeps(self, outcome: Outcome) -> bool:
        """Whether everything `outcome` was computed from is still there, and nothing else has taken its names."""
        is_program = not outcome.definition
        return (self._does_the_same or not is_program) and all(map(self._binds_the_same, (*outcome.asked, "*")))

    def _binds_the_same(self, name: str) -> bool:
        if name not in self._same:
            before, now = (_texts(names.get(name, ())) for names in self._bindings)
            self._same[name] = before == now
        return self._same[name]


def _texts(units: Sequence[Unit]) -> list[int]:
    return [id(unit.statements) for unit in units]


def _doing(units: Sequence[Unit]) -> list[int]:
    """The units that do something when the module is run, besides giving a function or class its name."""
    return [id(unit.statements) for unit in units if not all(_only_defines(s) for s in unit.statements)]


def _only_defines(statement: ir.Statement) -> bool:
    """Whether the statement's text matters to the program only if its name is asked for, or its code called."""
    if isinstance(statement, ir.FunctionDef):
        return all(map(_is_name, statement.decorators)) and all(_is_plain(p.default) for p in statement.parameters)
    if isinstance(statement, ir.ClassDef):
        bare = all(map(_is_name, (*statement.decorators, *(a.value for a in statement.arguments))))
        return bare and all(map(_only_defines, statement.body))
    if isinstance(statement, ir.Assign):
        return _is_plain(statement.value) and all(isinstance(one, ir.Name) for one in statement.targets)
    if isinstance(statement, ir.Annotate):
        return _is_plain(statement.value) and isinstance(statement.target, ir.Name)
    if isinstance(statement, ir.ExprStatement):
        return _is_plain(statement.value)
    return isinstance(statement, ir.Jump)


def _is_name(node: ir.Expr) -> bool:
    return isinstance(node, ir.Name) or (isinstance(node, ir.Attribute) and _is_name(node.value))


def _is_plain(node: ir.Expr | None) -> bool:
    """Whether evaluating `node` can do nothing: a constant, a name, a display of such."""
    if isinstance(node, ir.Sequence):
        return all(map(_is_plain, node.items))
    return node is None or isinstance(node, ir.Const) or _is_name(node)


def _move(file: str, before: tuple[Unit, ...], now: tuple[Unit, ...]) -> Move | None:
    """How the lines moved from `before` to `now`; None if they did not."""
    rows: dict[int, list[int]] = {}
    for unit in reversed(now):
        rows.setdefault(id(unit.statements), []).append(unit.row)
    starts = [(u.row, rows[id(u.statements)].pop()) for u in before if rows.get(id(u.statements))]
    return by_rows(file, starts) if any(old != new for old, new in starts) else None
