"""What an edit leaves valid: the outcomes of a file's last analysis, each with all it was computed from.

A function's outcome depends on its own text, on the units that bind the module-level names it asked for, on the bodies
of the functions it executed or looked into, and on the share of its budget that it was given; that of the module as a
program on every unit that does more than define, besides. What did not change between two readings is the same object
in both (`source.share`), so comparing is mostly comparing identities.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.merge import merge
from inplace_lsp.hazards.registry import findings
from inplace_lsp.interpret.entries.entries import Outcome, Reached
from inplace_lsp.interpret.python.bindings import bindings, stars
from inplace_lsp.interpret.state.facts import Facts, still_hold
from inplace_lsp.interpret.state.readings import Reading
from inplace_lsp.source import ir
from inplace_lsp.source.share import classes, functions, same_but_bodies
from inplace_lsp.source.units import Source, Unit
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
    """The last readings and outcomes of the files analysed most recently."""

    def __init__(self) -> None:
        self._files: OrderedDict[str, tuple[Source, dict[object, Judged]]] = OrderedDict()
        self._edit: Edit | None = None

    def source(self, file: str) -> Source | None:
        """How `file` was last read."""
        known = self._files.get(file)
        return known[0] if known else None

    def recall(
        self, file: str, key: object, span: Span, units: tuple[Unit, ...], facts: Facts, share: int
    ) -> Judged | None:
        """What was found out about `key`, moved to where its lines are now; None if an edit may have changed it, or if
        it is given another `share` of its budget now."""
        known = self._files[file][1].get(key) if file in self._files else None
        if known is None or known.outcome.incomplete.startswith("internal"):
            return None
        if known.outcome.share not in (0, share) or not still_hold(known.outcome.answers, facts):
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
        if move(known.outcome.span) != span:  # another function of the very same text
            return None
        tapes = [moved(tape, move) for tape in known.outcome.tapes]
        unreached = tuple(map(move, known.outcome.unreached))
        reached = {Reached(move(place), call and move(call)) for place, call in known.outcome.reached}
        return judged(replace(known.outcome, tapes=tapes, span=span, unreached=unreached, reached=reached), units)

    def store(self, file: str, source: Source, outcomes: dict[object, Judged]) -> None:
        """Remember all outcomes of a file in place of the former ones."""
        self._files[file] = source, outcomes
        self._files.move_to_end(file)
        while len(self._files) > FILES:
            self._files.popitem(last=False)


class Edit:
    """What is different between two readings of a file. `move`: where its lines are now, None if none moved."""

    def __init__(self, file: str, before: tuple[Unit, ...], now: tuple[Unit, ...]) -> None:
        self.before, self.now = before, now
        self._bindings = bindings(before), bindings(now)
        head, tail = _alike_at_the_ends(before, now)
        self._old, self._new = before[head : len(before) - tail], now[head : len(now) - tail]
        ends = [*zip(before[:head], now[:head], strict=True), *zip(_last(before, tail), _last(now, tail), strict=True)]
        self.move = _move(file, [*ends, *_matched(self._old, self._new)])
        self._gone = _functions(self._old) - _functions(self._new)
        self._classes = _classes(self._old), _classes(self._new)
        self._same_stars = stars(before) == stars(now)
        self._same: dict[str, bool] = {}

    def keeps(self, outcome: Outcome) -> bool:
        """Whether everything `outcome` was computed from is still there, and nothing else has taken its names."""
        if not self._same_stars or not outcome.read.isdisjoint(self._gone):
            return False
        if not all(self._reads_the_same(one) for one in outcome.read if isinstance(one, Reading)):
            return False
        if not outcome.definition and not self._does_the_same(outcome.asked):
            return False
        return all(map(self._binds_the_same, outcome.asked))

    def _reads_the_same(self, reading: Reading) -> bool:
        """Whether a class that methods were edited of still gives what was read off its text."""
        before, now = self._classes
        name = before.get(reading.definition)
        if name is None or reading.definition in now:
            return True
        return any(reading.holds_in(one) for one, path in now.items() if path == name)

    def _does_the_same(self, asked: set[str]) -> bool:
        """Whether the program meets the same statements, and the definitions it asks for, in the same order."""
        old, new = ([unit for unit in units if _matters(unit, asked)] for units in (self._old, self._new))
        return len(old) == len(new) and all(map(_alike, old, new))

    def _binds_the_same(self, name: str) -> bool:
        if name not in self._same:
            before, now = (names.get(name, ()) for names in self._bindings)
            alike = (_alike(old, new) or _imports_alike(old, new, name) for old, new in zip(before, now, strict=False))
            self._same[name] = len(before) == len(now) and all(alike)
        return self._same[name]


def _alike_at_the_ends(before: Sequence[Unit], now: Sequence[Unit]) -> tuple[int, int]:
    """How many units are the same from the beginning, and how many of the others from the end."""
    shorter = min(len(before), len(now))
    head = 0
    while head < shorter and before[head].statements == now[head].statements:
        head += 1
    tail = 0
    while tail < shorter - head and before[-1 - tail].statements == now[-1 - tail].statements:
        tail += 1
    return head, tail


def _last(units: Sequence[Unit], count: int) -> Sequence[Unit]:
    return units[len(units) - count :]


def _alike(before: Unit, now: Unit) -> bool:
    """Whether the units do the same when they are executed."""
    return same_but_bodies(before.statements, now.statements)


def _imports_alike(before: Unit, now: Unit, name: str) -> bool:
    """Whether both are imports that bring the same under `name`."""
    return all(map(_is_import, (*before.statements, *now.statements))) and _brings(before, name) == _brings(now, name)


def _is_import(statement: ir.Statement) -> bool:
    return isinstance(statement, ir.Import | ir.ImportFrom)


def _brings(unit: Unit, name: str) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for node in unit.statements:
        if isinstance(node, ir.ImportFrom):
            found += [(node.level, node.module, *one) for one in node.names if (one[1] or one[0]) == name]
        elif isinstance(node, ir.Import):
            found += [one for one in node.names if (one[1] or one[0].partition(".")[0]) == name]
    return found


def _functions(units: Sequence[Unit]) -> set[int]:
    return {id(function) for unit in units for function in functions(unit.statements)}


def _classes(units: Sequence[Unit]) -> dict[ir.ClassDef, str]:
    """The classes of the module by their dotted names."""
    return {one: path for unit in units for one, path in classes(unit.statements)}


def _matters(unit: Unit, asked: set[str]) -> bool:
    """Whether the unit does something when the module is run, besides naming functions nobody asks for."""
    return not (all(map(_only_defines, unit.statements)) and asked.isdisjoint(bindings((unit,))))


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
    """Whether evaluating `node` can do nothing: a constant, a name, a display of such. An attribute may be a view, or a
    property."""
    if isinstance(node, ir.Sequence):
        return all(map(_is_plain, node.items))
    return node is None or isinstance(node, ir.Const | ir.Name)


def _matched(before: Sequence[Unit], now: Sequence[Unit]) -> Iterator[tuple[Unit, Unit]]:
    """Each unit of `before` that is still there, with what it is now: of units alike the first with the first."""
    waiting: dict[object, list[Unit]] = {}
    for unit in now:
        waiting.setdefault(_shape(unit), []).append(unit)
    for old in before:
        others = waiting.get(_shape(old), [])
        at = next((at for at, new in enumerate(others) if _alike(old, new)), None)
        if at is not None:
            yield old, others.pop(at)


def _shape(unit: Unit) -> object:
    """What units have in common that are alike."""
    return tuple((type(one), one.place) for one in unit.statements)


def _move(file: str, pairs: Iterable[tuple[Unit, Unit]]) -> Move | None:
    """How the lines moved from the first to the second of all `pairs`; None if they did not."""
    starts = sorted((old.row, new.row) for old, new in pairs)
    return by_rows(file, starts) if any(old != new for old, new in starts) else None
