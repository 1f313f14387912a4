"""The search for a plan that runs: trial runs, mostly on the meta device, climbing by how far each one got."""

from __future__ import annotations

import ast
import heapq
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice

from inplace_lsp.messages.answers import Step
from inplace_lsp.messages.inputs import Inputs
from inplace_lsp.verify.inputs.asserted import meet_assertion
from inplace_lsp.verify.inputs.changes import (
    add_what_is_missing,
    enlarge_for_index,
    is_about_missing_part,
    propose_changes,
    propose_variants,
)
from inplace_lsp.verify.inputs.constructor_uses import find_kept_parameters
from inplace_lsp.verify.inputs.errors import (
    about_missing_module,
    is_about_in_place,
    is_about_leaves,
    is_lack_of_data,
    is_telling,
)
from inplace_lsp.verify.inputs.guess import Guesses
from inplace_lsp.verify.inputs.model import Probe, ProbeResult
from inplace_lsp.verify.inputs.plan import Plan
from inplace_lsp.verify.inputs.prepare import list_preparations, propose_preparations
from inplace_lsp.verify.inputs.program import Definition, Function, Parameter, parameters_of
from inplace_lsp.verify.inputs.recipes import Group, Recipe

SECONDS = 5.0
"""Of work; so long inputs are sought in one way."""
BATCH = 12
OFFERS = 3
Progress = tuple[int, ...]
_NO_FURTHER = 1
"""The end of a key: behind it come no steps, which are not above zero."""


@dataclass(order=True)
class _State:
    """A plan that failed; the heap gives the one that got furthest, of these the one least changed and drawn from."""

    key: tuple[Progress, int, int]
    depth: int = field(compare=False)
    plan: Plan = field(compare=False)
    error: str = field(compare=False)
    rest: Iterator[Plan] = field(compare=False)


@dataclass
class Search:
    """One search. `render` writes a plan as inputs; `last` is the error of the plan that got furthest, `best` the
    first plan that runs; if none does, the one that got furthest, given the settings that errors named. `clock` tells
    the seconds that have been spent."""

    guesses: Guesses
    target: Definition
    probe: Probe
    render: Callable[[Plan], Inputs]
    clock: Callable[[], float] = time.monotonic
    last: str = ""
    tried: int = 0
    best: Plan | None = None
    _called: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        self._called = _find_called(self.guesses.program.tree)

    def climb(self, first: Plan) -> Iterator[Inputs]:
        """Yield inputs that run, if `first` does not: change the plan that got furthest until time is up.

        Try without data first, which is quicker; if such inputs fail with data (an index too large, a text that is no
        mode), continue with data.
        """
        deadline = self.clock() + SECONDS
        self.best = first
        for data in (False, True):
            plan = self.best
            begin = self.probe([self.render(plan)], data=data)[0]
            if about_missing_module(begin.error or ""):
                self.last = begin.error or ""
                return
            if not _is_running(begin):
                seen = {plan.root.source()}
                yield from islice(self._climb_from(plan, begin, seen, deadline, data=data), OFFERS)

    def try_plan(self, plan: Plan) -> str:
        """Return the error of a trial run of one plan, "" if it runs."""
        return self.probe([self.render(plan)], data=True)[0].error or ""

    def variants(self, rows: tuple[int, ...]) -> Iterator[Inputs]:
        """Yield other ways through the function to `rows` that run, near the best plan."""
        deadline = self.clock() + SECONDS
        flags = self._flags_before(max(rows))
        plans = (
            (self.best.with_root(root) for root in propose_variants(self.best, self._guess_by_name, flags))
            if self.best
            else iter(())
        )
        yield from islice(self._running_variants(plans, set(), deadline), OFFERS)

    def _flags_before(self, row: int) -> list[Parameter]:
        """Return the constructor's parameters that it keeps and that the target reads up to a row."""
        owner = self.target.owner
        made = self.guesses.program.find_method(owner, "__init__") if owner is not None else None
        if made is None:
            return []
        attributes = (node for node in ast.walk(self.target.node) if isinstance(node, ast.Attribute))
        asked = {attribute.attr for attribute in attributes if attribute.lineno <= row}
        kept = {name for attribute, name in find_kept_parameters(made).items() if attribute in asked}
        return [parameter for parameter in parameters_of(made) if parameter.name in kept]

    def _running_variants(self, plans: Iterator[Plan], seen: set[str], deadline: float) -> Iterator[Inputs]:
        while (some := list(islice(plans, BATCH))) and self.clock() < deadline:
            for plan, result in self._try_plans(some, seen):
                if _is_running(result):
                    yield self.render(plan)

    def _climb_from(
        self, first: Plan, begin: ProbeResult, seen: set[str], deadline: float, *, data: bool
    ) -> Iterator[Inputs]:
        """Change the plan that got furthest until some run; offer all of that round."""
        heap = [self._state_of(first, 0, begin)]
        while heap and self.clock() < deadline:
            depth, some = self._next_plans(heap)
            found = False
            for plan, result in self._try_plans(some, seen, data=data):
                if _is_running(result):
                    self.best = plan if not found else self.best
                    found = True
                    yield self.render(plan)
                else:
                    heapq.heappush(heap, self._state_of(plan, depth + 1, result))
            if found:
                self.last = ""
                return
        if heap:
            self.last = heap[0].error
            self.best = heap[0].plan if _has_filled_settings(heap[0].plan) else self.best

    def _try_plans(
        self, plans: list[Plan], seen: set[str], *, data: bool = False
    ) -> Iterator[tuple[Plan, ProbeResult]]:
        fresh = [plan for plan in plans if self._is_new(plan, seen)]
        self.tried += len(fresh)
        results = self.probe([self.render(plan) for plan in fresh], data=data) if fresh else ()
        return zip(fresh, results, strict=False)

    def _is_new(self, plan: Plan, seen: set[str]) -> bool:
        text = plan.root.source()
        fresh = text not in seen
        seen.add(text)
        return fresh

    def _state_of(self, plan: Plan, depth: int, result: ProbeResult) -> _State:
        error = result.error or ""
        rest = self._change_plan(plan, error, result.rows)
        return _State((_progress_key(plan, result.steps, self._called), depth, self.tried), depth, plan, error, rest)

    def _change_plan(self, plan: Plan, error: str, rows: tuple[int, ...]) -> Iterator[Plan]:
        error = self._explain_error(plan, error)
        source = propose_changes(plan, error, _suspect_parameters(self.target, rows), self._guess_by_name)
        inside = _rows_inside(self.target, rows)
        largest = _largest_number_at(self.target.node, inside[0]) if inside else 0
        source = chain(enlarge_for_index(plan.root, error, largest), source)
        if inside and error.startswith("AssertionError"):
            source = chain(meet_assertion(plan.root, self.target.node, inside[0], error), source)
        if is_about_leaves(error):
            source = iter([*source][::-1])
        sure = chain(
            add_what_is_missing(plan.root, error, self.guesses.guess_held),
            propose_preparations(plan, self.guesses.program, error, rows),
        )
        yield from (plan.mend(root) for root in sure)
        yield from (plan.with_root(root) for root in source if self._takes_all(root))

    def _takes_all(self, root: Group) -> bool:
        """Return whether the constructor, where it is known, has a parameter for all that it is given."""
        made = root.get("receiver")
        owner = self.guesses.program.classes.get(made.head) if isinstance(made, Group) else None
        taken = self.guesses.program.constructor_parameters(owner) if owner is not None else None
        if not isinstance(made, Group) or taken is None or any(one.kind == "kwarg" for one in taken):
            return True
        known = {parameter.name for parameter in taken}
        return all(name.startswith("*") or name.isdigit() or name in known for name, _ in made.items)

    def _explain_error(self, plan: Plan, error: str) -> str:
        """Return the error of a run with data where that without data does not tell what was expected."""
        return error if is_telling(error) else self.try_plan(plan) or error

    def _guess_by_name(self, name: str) -> Recipe:
        return self.guesses.named(name)

    def _next_plans(self, heap: list[_State]) -> tuple[int, list[Plan]]:
        """Return the next changes of the best plan; one whose changes are used up is dropped. A setting that an error
        has named comes alone: what is missing besides shows only once it is there."""
        best = heapq.heappop(heap)
        found = list(islice(best.rest, 1))
        if not (found and found[0].mended > best.plan.mended and is_about_missing_part(best.error)):
            found += islice(best.rest, BATCH - 1)
        self.last = best.error
        if found:
            progress, cost, number = best.key
            best.key = (progress, cost + 1, number)
            heapq.heappush(heap, best)
        return best.depth, found


def _has_filled_settings(plan: Plan) -> bool:
    """Return whether errors of earlier runs named settings that the plan lacked, and it got them."""
    receiver = plan.root.get("receiver")
    return plan.mended > 0 and not list_preparations(receiver.source() if receiver is not None else "")


def _is_running(result: ProbeResult) -> bool:
    error = result.error or ""
    return result.ok or ((is_lack_of_data(error) or is_about_in_place(error)) and not is_about_leaves(error))


def _progress_key(plan: Plan, steps: tuple[Step, ...], called: frozenset[int]) -> Progress:
    """Return a key that is smaller the further a run got: how many errors were mended, whether the target was entered,
    then the rows reached, and on those of `called` the instructions; of two at the same call, the one that entered it.
    """
    inside = steps[len(steps) - len(_rows_inside(plan.target, tuple(row for row, _ in steps))) :]
    entered = 0 if inside else 1 if steps else 2
    reached = (-at for row, place in inside or steps for at in (row, place if row in called else 0))
    return (-plan.mended, entered, *reached, _NO_FURTHER)


def _find_called(tree: ast.AST) -> frozenset[int]:
    """Return the rows with calls that may enter other code of the file: of names and of what `self` holds."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and _may_enter(node.func))
    return frozenset(row for node in calls for row in range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _may_enter(function: ast.expr) -> bool:
    holder = function.value if isinstance(function, ast.Attribute) else function
    return isinstance(holder, ast.Name) and (holder is function or holder.id == "self")


def _rows_inside(target: Definition, rows: tuple[int, ...]) -> tuple[int, ...]:
    first, last = target.node.body[0].lineno, target.node.end_lineno or target.node.lineno
    at = next((i for i, row in enumerate(rows) if first <= row <= last), None)
    return rows[at:] if at is not None else ()


def _suspect_parameters(target: Definition, rows: tuple[int, ...]) -> frozenset[str]:
    """Return the parameters from which the statement that failed was computed, as far as assignments show."""
    inside = _rows_inside(target, rows)
    if not inside:
        return frozenset()
    before = [node for node in _statements_in(target.node) if node.lineno <= inside[0]]
    wanted = {name for node in before if _is_plain_at(node, inside[0]) for name in _names_of(node, ast.Load)}
    reached: set[str] = set()
    sources = _find_sources(before)
    while wanted - reached:
        name = (wanted - reached).pop()
        reached.add(name)
        wanted |= sources.get(name, set())
    return frozenset(reached & {parameter.name for parameter in parameters_of(target.node)})


def _largest_number_at(node: Function, row: int) -> int:
    """Return the largest whole number that the plain statements on a row name; 0 if they name none."""
    constants = (
        inner.value
        for statement in _statements_in(node)
        if statement.lineno <= row and _is_plain_at(statement, row)
        for inner in ast.walk(statement)
        if isinstance(inner, ast.Constant)
    )
    return max((value for value in constants if type(value) is int), default=0)


def _statements_in(node: Function) -> Iterator[ast.stmt]:
    """Yield the statements of a function, those in its blocks included."""
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.stmt) and inner is not node)


def _is_plain_at(node: ast.stmt, row: int) -> bool:
    """Return whether a statement without a body goes on to a row."""
    return (node.end_lineno or node.lineno) >= row and not hasattr(node, "body")


def _find_sources(statements: list[ast.stmt]) -> dict[str, set[str]]:
    """Return the names that statements bind, each with the names that these statements read."""
    found: dict[str, set[str]] = {}
    for node in statements:
        for name in _names_of(node, ast.Store):
            found.setdefault(name, set()).update(_names_of(node, ast.Load))
    return found


def _names_of(node: ast.AST, how: type[ast.expr_context]) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, how)}
