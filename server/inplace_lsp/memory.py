"""Keep what an edit leaves valid: the outcomes of a file's last analysis, with their dependencies.

A function's outcome depends on its own text, on the units that bind the module-level names it looked up, on the bodies
of the functions it executed or looked into, and on its share of the budget; that of the module as a program also
depends on every unit that does more than define. What did not change between two readings is the same object in both
(`source.share`), so comparing is mostly comparing identities.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.merge import merge_findings
from inplace_lsp.hazards.registry import find_all
from inplace_lsp.interpret.entries.outcome import Outcome, Reached
from inplace_lsp.interpret.entries.quiet_units import Definitions, ObservedUnit, only_binds
from inplace_lsp.interpret.python.bindings import find_binding_units, find_bound_names, find_star_imports
from inplace_lsp.interpret.python.table_fillers import find_filling_units
from inplace_lsp.interpret.state.class_facts import ClassFact
from inplace_lsp.interpret.state.facts import Answer, CurrentAnswers, Question
from inplace_lsp.source import ir
from inplace_lsp.source.lines import MatchedLines
from inplace_lsp.source.plain_definitions import calls_no_code
from inplace_lsp.source.share import find_classes, find_functions, is_same_but_bodies
from inplace_lsp.source.units import Source, Unit
from inplace_lsp.tape.model import Span, Tape
from inplace_lsp.tape.move import MoveByRows, move_tape

GONE = -(10**9)
"""The row of what stood in lines that have changed."""
FILES = 32
"""Files whose last analysis is remembered."""


@dataclass(slots=True)
class JudgedOutcome:
    """An outcome with its findings. `units` are those of the file in whose last reading it held; its rows are of that
    file, but for the `move`: an edit moves only what has findings, the rest when somebody looks at it.
    `observed`: of a program, the table that was edited last."""

    outcome: Outcome
    findings: tuple[Finding, ...]
    units: tuple[Unit, ...]
    observed: ObservedUnit | None = None
    move: MoveByRows | None = None

    def find_span(self) -> Span:
        """Return where the entry is."""
        return self.outcome.span if self.move is None else self.move(self.outcome.span)

    def find_reached(self) -> set[Reached]:
        """Return the places that it reached."""
        return self.outcome.reached if self.move is None else _move_reached(self.outcome.reached, self.move)

    def list_tapes(self) -> Iterator[tuple[Tape, MoveByRows | None]]:
        """Yield the tapes, each with the move that is still to be made."""
        return ((tape, self.move) for tape in self.outcome.tapes)

    def find_unreached(self) -> tuple[Span, ...]:
        """Return the statements that it did not reach."""
        return self.outcome.unreached if self.move is None else tuple(map(self.move, self.outcome.unreached))


@dataclass(frozen=True, slots=True)
class Rebinding:
    """An edit of a program that gives other values to names which nobody has asked for: the unit `now`, `before` the
    edit another, binds them. `known`: the outcome before, at its current lines; `units`: the program before."""

    known: JudgedOutcome
    units: tuple[Unit, ...]
    before: Unit
    now: Unit

    def find_observed(self) -> ObservedUnit | None:
        """Return what is known of the former unit, None if it was not observed."""
        observed = self.known.observed
        return observed if observed is not None and _is_alike(observed.unit, self.before) else None

    def find_definitions(self) -> Definitions:
        """Return what the unit needs of other modules, as far as that is known."""
        return self.known.observed.defined if self.known.observed is not None else ()


def judge_outcome(outcome: Outcome, units: tuple[Unit, ...]) -> JudgedOutcome:
    """Find the hazards in the tapes of `outcome`. Keep the tape of its first path, and those with a finding."""
    found = [find_all(tape) for tape in outcome.tapes]
    kept = [tape for at, tape in enumerate(outcome.tapes) if found[at] or at == 0]
    return JudgedOutcome(
        replace(outcome, tapes=kept), merge_findings(finding for some in found for finding in some), units
    )


def _may_recall(outcome: Outcome, answers: CurrentAnswers, share: int) -> bool:
    """Return whether an outcome is complete enough to keep, and rests on a budget and facts that still hold."""
    if outcome.failed:
        return False
    return outcome.share in (0, share) and answers.are_as(outcome.answers)


def outdate_outcome(known: JudgedOutcome, lines: MatchedLines, renamed: Mapping[int, int]) -> JudgedOutcome:
    """Return what was known of an entry before an edit, at the current lines, without what it said about the lines that
    have changed. `renamed`: the edited functions, as they were and as they are."""
    file = known.outcome.span.file
    starts = [(1, 1), (lines.above + 1, GONE), (len(lines.old) - lines.below + 1, len(lines.new) - lines.below + 1)]
    moved = _move_outcome(known.outcome, known.move) if known.move is not None else known.outcome
    moved = _move_outcome(moved, MoveByRows(file, starts if lines.above else starts[1:]))
    outcome = replace(moved, called={renamed.get(one, one) for one in moved.called})
    judged = judge_outcome(outcome, known.units) if known.findings else JudgedOutcome(outcome, (), known.units)
    return replace(judged, findings=tuple(finding for finding in judged.findings if _is_placed(finding)))


def _is_placed(finding: Finding) -> bool:
    return all(span.row > 0 for span in (finding.span, *(note.span for note in finding.related)))


@dataclass(frozen=True, slots=True)
class _Remembered:
    """The last reading of a file, its outcomes by their keys, and all answers that they rest on."""

    source: Source
    outcomes: dict[object, JudgedOutcome]
    answers: dict[Question, Answer]


class AnalysisMemory:
    """The last readings and outcomes of the files analysed most recently."""

    def __init__(self) -> None:
        self._files: OrderedDict[str, _Remembered] = OrderedDict()
        self._edit: SourceEdit | None = None

    def forget_files(self) -> None:
        """Forget all files."""
        self._files.clear()
        self._edit = None

    def last_source(self, file: str) -> Source | None:
        """Return the last reading of `file`."""
        known = self._files.get(file)
        return known.source if known else None

    def list_outcomes(self, file: str) -> Mapping[object, JudgedOutcome]:
        """Return the last outcomes of `file` by their keys."""
        known = self._files.get(file)
        return known.outcomes if known else {}

    def list_answers(self, file: str) -> Mapping[Question, Answer]:
        """Return the answers that the last outcomes of `file` rest on."""
        known = self._files.get(file)
        return known.answers if known else {}

    def recall(
        self, file: str, key: object, span: Span, units: tuple[Unit, ...], answers: CurrentAnswers, share: int
    ) -> JudgedOutcome | None:
        """Return the outcome of `key`, moved to its current lines; None if an edit may have changed it, or if its
        `share` of the budget differs now."""
        known = self._find_known(file, key, answers, share)
        if known is None or known.units is units:
            return known
        edit = self._edit_between(file, known.units, units)
        return _move_to_current_lines(known, edit, span) if edit.leaves_valid(known.outcome) else None

    def find_rebinding(
        self, file: str, key: object, span: Span, units: tuple[Unit, ...], answers: CurrentAnswers
    ) -> Rebinding | None:
        """Return how the program of `key` differs from the last one, if that is all: see Rebinding."""
        known = self._find_known(file, key, answers, 1)
        if known is None or known.outcome.incomplete or known.outcome.runs != 1:
            return None
        edit = self._edit_between(file, known.units, units)
        found = edit.find_rebound_unit(known.outcome)
        moved = _move_to_current_lines(known, edit, span) if found is not None else None
        return Rebinding(moved, known.units, *found) if found is not None and moved is not None else None

    def _find_known(self, file: str, key: object, answers: CurrentAnswers, share: int) -> JudgedOutcome | None:
        known = self.list_outcomes(file).get(key)
        return known if known is not None and _may_recall(known.outcome, answers, share) else None

    def _edit_between(self, file: str, before: tuple[Unit, ...], now: tuple[Unit, ...]) -> SourceEdit:
        """Return what changed between two readings; the last answer is kept, since all functions of a file ask."""
        if self._edit is None or self._edit.before is not before or self._edit.now is not now:
            self._edit = SourceEdit(file, before, now)
        return self._edit

    def store(self, file: str, source: Source, outcomes: dict[object, JudgedOutcome]) -> None:
        """Store all outcomes of a file in place of the former ones."""
        self._files[file] = _Remembered(source, outcomes, self._merge_answers(file, outcomes))
        self._files.move_to_end(file)
        while len(self._files) > FILES:
            self._files.popitem(last=False)

    def _merge_answers(self, file: str, outcomes: Mapping[object, JudgedOutcome]) -> dict[Question, Answer]:
        """Return the answers that the outcomes rest on. Most are known from the last analysis, whose answers stay with
        them until the file is forgotten: an answer that nobody rests on any more is asked for, and costs no outcome."""
        former = self.list_outcomes(file)
        merged = dict(self.list_answers(file))
        for key, judged in outcomes.items():
            answers = judged.outcome.answers
            if key not in former or former[key].outcome.answers is not answers:
                merged.update(answers)
        return merged


def _move_to_current_lines(known: JudgedOutcome, edit: SourceEdit, span: Span) -> JudgedOutcome | None:
    """Return what is known of the entry that is at `span` now; None if it was another one of the very same text."""
    move = edit.move_after(known.move)
    if edit.move is None:
        if known.find_span() == span:
            return replace(known, units=edit.now)
        settled = _move_outcome(known.outcome, move) if move is not None else known.outcome
        return JudgedOutcome(replace(settled, span=span), known.findings, edit.now, known.observed)
    assert move is not None
    if move(known.outcome.span) != span:
        return None
    if known.findings:
        return replace(judge_outcome(_move_outcome(known.outcome, move), edit.now), observed=known.observed)
    return JudgedOutcome(known.outcome, (), edit.now, known.observed, move)


def _move_outcome(outcome: Outcome, move: MoveByRows) -> Outcome:
    return replace(
        outcome,
        tapes=[move_tape(tape, move) for tape in outcome.tapes],
        span=move(outcome.span),
        unreached=tuple(map(move, outcome.unreached)),
        reached=_move_reached(outcome.reached, move),
    )


def _move_reached(reached: set[Reached], move: MoveByRows) -> set[Reached]:
    return {Reached(move(place), call and move(call)) for place, call in reached}


class SourceEdit:
    """The difference between two readings of a file. `move`: the move of its lines, None if none moved."""

    def __init__(self, file: str, before: tuple[Unit, ...], now: tuple[Unit, ...]) -> None:
        self.before, self.now = before, now
        self._bindings = find_binding_units(before), find_binding_units(now)
        self._fillings = find_filling_units(before), find_filling_units(now)
        head, tail = _alike_at_the_ends(before, now)
        self._old, self._new = before[head : len(before) - tail], now[head : len(now) - tail]
        ends = [
            *zip(before[:head], now[:head], strict=True),
            *zip(_last_units(before, tail), _last_units(now, tail), strict=True),
        ]
        self.move = _find_move(file, [*ends, *_match_units(self._old, self._new)])
        self._gone = _function_ids(self._old) - _function_ids(self._new)
        self._classes = _class_names(self._old), _class_names(self._new)
        self._same_stars = find_star_imports(before) == find_star_imports(now)
        self._same: set[str] = set()
        self._moves: dict[MoveByRows, MoveByRows] = {}

    def move_after(self, before: MoveByRows | None) -> MoveByRows | None:
        """Return the move of what has to be moved by `before` first. Many outcomes of a file have the same."""
        if before is None or self.move is None:
            return before or self.move
        if before not in self._moves:
            self._moves[before] = before.combine_with(self.move)
        return self._moves[before]

    def leaves_valid(self, outcome: Outcome) -> bool:
        """Return whether all dependencies of `outcome` still exist, and nothing else has taken their names."""
        if not self._old and not self._new:  # lines have moved, that is all
            return True
        return self._keeps_what_was_read(outcome) and (
            bool(outcome.definition) or self._find_changed_units(outcome.asked) == []
        )

    def find_rebound_unit(self, outcome: Outcome) -> tuple[Unit, Unit] | None:
        """Return the unit of a program, before and now, that binds the same names to other values, if nothing else is
        another and these names were not looked up."""
        changed = self._find_changed_units(outcome.asked) if self._keeps_what_was_read(outcome) else None
        if changed is None or len(changed) != 1 or not all(map(only_binds, changed[0])):
            return None
        before, now = (set(find_bound_names(unit.statements)) for unit in changed[0])
        return changed[0] if before == now and before.isdisjoint(outcome.asked) else None

    def _keeps_what_was_read(self, outcome: Outcome) -> bool:
        """Return whether the code that was executed or looked into is the same, and so are the names looked up."""
        if not self._same_stars or not outcome.read.isdisjoint(self._gone):
            return False
        if not all(self._reads_the_same(source) for source in outcome.read if isinstance(source, ClassFact)):
            return False
        return self._bind_the_same(outcome.asked)

    def _reads_the_same(self, reading: ClassFact) -> bool:
        """Return whether a class with edited methods still gives what was read from its text."""
        before, now = self._classes
        name = before.get(reading.definition)
        if name is None or reading.definition in now:
            return True
        return any(reading.holds_in(definition) for definition, path in now.items() if path == name)

    def _find_changed_units(self, asked: set[str]) -> list[tuple[Unit, Unit]] | None:
        """Return the units that do something else for the program, before and now; None if others are executed, or the
        definitions that it looks up are met in another order."""
        old, new = ([unit for unit in units if _is_relevant(unit, asked)] for units in (self._old, self._new))
        if len(old) != len(new):
            return None
        pairs = zip(old, new, strict=True)
        return [(before, now) for before, now in pairs if not _does_the_same(before, now, asked)]

    def _bind_the_same(self, names: set[str]) -> bool:
        """Return whether the units that bind the names, or fill the tables of these names, do the same."""
        if not all(map(self._binds_the_same, names - self._same)):
            return False
        self._same |= names
        return True

    def _binds_the_same(self, name: str) -> bool:
        before, now = (
            [*names.get(name, ()), *fillings.get(name, ())]
            for names, fillings in zip(self._bindings, self._fillings, strict=True)
        )
        alike = (_is_alike(old, new) or _is_same_import(old, new, name) for old, new in zip(before, now, strict=False))
        return len(before) == len(now) and all(alike)


def _alike_at_the_ends(before: Sequence[Unit], now: Sequence[Unit]) -> tuple[int, int]:
    """Return the number of equal units from the beginning, and of the others from the end."""
    shorter = min(len(before), len(now))
    head = 0
    while head < shorter and before[head].statements == now[head].statements:
        head += 1
    tail = 0
    while tail < shorter - head and before[-1 - tail].statements == now[-1 - tail].statements:
        tail += 1
    return head, tail


def _last_units(units: Sequence[Unit], count: int) -> Sequence[Unit]:
    return units[len(units) - count :]


def _is_alike(before: Unit, now: Unit) -> bool:
    """Return whether executing both units does the same."""
    return is_same_but_bodies(before.statements, now.statements)


def _is_same_import(before: Unit, now: Unit, name: str) -> bool:
    """Return whether both are imports that bind the same under `name`."""
    return all(map(_is_import, (*before.statements, *now.statements))) and _imported_names(
        before, name
    ) == _imported_names(now, name)


def _is_import(statement: ir.Statement) -> bool:
    return isinstance(statement, ir.Import | ir.ImportFrom)


def _imported_names(unit: Unit, name: str) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for node in unit.statements:
        if isinstance(node, ir.ImportFrom):
            found += [(node.level, node.module, *alias) for alias in node.names if (alias[1] or alias[0]) == name]
        elif isinstance(node, ir.Import):
            found += [alias for alias in node.names if (alias[1] or alias[0].partition(".")[0]) == name]
    return found


def _function_ids(units: Sequence[Unit]) -> set[int]:
    return {id(function) for unit in units for function in find_functions(unit.statements)}


def _class_names(units: Sequence[Unit]) -> dict[ir.ClassDef, str]:
    """Return the classes of the module with their dotted names."""
    return {found: path for unit in units for found, path in find_classes(unit.statements)}


def _is_relevant(unit: Unit, asked: set[str]) -> bool:
    """Return whether executing the unit may do more than define what nobody looks up: a class statement with bases may
    call an `__init_subclass__`, also one of another file."""
    return not _is_unasked_definition(unit, asked) or any(arguments for _, arguments in _list_class_headers(unit))


def _is_unasked_definition(unit: Unit, asked: set[str]) -> bool:
    """Return whether the unit only defines names that nobody looks up."""
    return calls_no_code(unit.statements) and asked.isdisjoint(find_binding_units((unit,)))


def _list_class_headers(unit: Unit) -> list[tuple[str, tuple[ir.Argument, ...]]]:
    """Return the dotted name and the bases of each class of the unit."""
    return [(name, found.arguments) for found, name in find_classes(unit.statements)]


def _does_the_same(before: Unit, now: Unit, asked: set[str]) -> bool:
    """Return whether two relevant units do the same for a program that looks up the names `asked`: members of a class
    that nobody looks up are of no matter to a hook that is called with it, unless that reads them."""
    if _is_alike(before, now):
        return True
    is_unasked = _is_unasked_definition(before, asked) and _is_unasked_definition(now, asked)
    return is_unasked and _list_class_headers(before) == _list_class_headers(now)


def _match_units(before: Sequence[Unit], now: Sequence[Unit]) -> Iterator[tuple[Unit, Unit]]:
    """Yield each unit of `before` that still exists, with its current unit, equal units in order."""
    waiting: dict[object, list[Unit]] = {}
    for unit in now:
        waiting.setdefault(_unit_shape(unit), []).append(unit)
    for old in before:
        others = waiting.get(_unit_shape(old), [])
        at = next((at for at, new in enumerate(others) if _is_alike(old, new)), None)
        if at is not None:
            yield old, others.pop(at)


def _unit_shape(unit: Unit) -> object:
    """Return a key that equal units share."""
    return tuple((type(statement), statement.place) for statement in unit.statements)


def _find_move(file: str, pairs: Iterable[tuple[Unit, Unit]]) -> MoveByRows | None:
    """Return the move of the lines from the first to the second of all `pairs`; None if they did not move."""
    starts = sorted((old.row, new.row) for old, new in pairs)
    return MoveByRows(file, starts) if any(old != new for old, new in starts) else None
