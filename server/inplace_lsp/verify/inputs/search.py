"""The search for a plan that runs: trial runs, mostly on the meta device, climbing by how far each one got."""

from __future__ import annotations

import ast
import heapq
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from inplace_lsp.verify.inputs.changes import changes, variants
from inplace_lsp.verify.inputs.errors import about_in_place, about_leaves, without_data
from inplace_lsp.verify.inputs.guess import Guesses
from inplace_lsp.verify.inputs.kept import kept_parameters
from inplace_lsp.verify.inputs.model import Inputs, Probe, ProbeResult
from inplace_lsp.verify.inputs.plan import Plan
from inplace_lsp.verify.inputs.program import Definition, Parameter, parameters
from inplace_lsp.verify.inputs.recipes import Recipe

SECONDS = 5.0
BATCH = 12
OFFERS = 3
Progress = tuple[int, ...]


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
    first that runs."""

    guesses: Guesses
    target: Definition
    probe: Probe
    render: Callable[[Plan], Inputs]
    seconds: float = SECONDS
    last: str = ""
    tried: int = 0
    best: Plan | None = None

    def climb(self, first: Plan) -> Iterator[Inputs]:
        """Inputs that run, if `first` does not: found by changing what got furthest, until time is up.

        Without data first, since that is quicker; if what runs so does not run with data (an index too large, a text
        that is no mode), on from there with data.
        """
        deadline = time.monotonic() + self.seconds
        self.best = first
        for data in (False, True):
            plan = self.best
            begin = self.probe([self.render(plan)], data=data)[0]
            if not _runs(begin):
                seen = {plan.root.source()}
                yield from islice(self._climb(plan, begin, seen, deadline, data=data), OFFERS)

    def variants(self, rows: tuple[int, ...]) -> Iterator[Inputs]:
        """Other ways through the function to `rows` that run, near the best plan."""
        deadline = time.monotonic() + self.seconds
        flags = self._flags(max(rows))
        plans = (
            (self.best.with_root(root) for root in variants(self.best, self._named, flags)) if self.best else iter(())
        )
        yield from islice(self._that_run(plans, set(), deadline), OFFERS)

    def _flags(self, row: int) -> list[Parameter]:
        """What the constructor takes and keeps under a name that the target asks for up to a row."""
        owner = self.target.owner
        made = self.guesses.program.method(owner, "__init__") if owner is not None else None
        if made is None:
            return []
        attributes = (one for one in ast.walk(self.target.node) if isinstance(one, ast.Attribute))
        asked = {one.attr for one in attributes if one.lineno <= row}
        kept = {name for attribute, name in kept_parameters(made).items() if attribute in asked}
        return [one for one in parameters(made) if one.name in kept]

    def _that_run(self, plans: Iterator[Plan], seen: set[str], deadline: float) -> Iterator[Inputs]:
        while (some := list(islice(plans, BATCH))) and time.monotonic() < deadline:
            for plan, result in self._tried(some, seen):
                if _runs(result):
                    yield self.render(plan)

    def _climb(
        self, first: Plan, begin: ProbeResult, seen: set[str], deadline: float, *, data: bool
    ) -> Iterator[Inputs]:
        """Change the plan that got furthest until some run; all of that round are offered."""
        heap = [self._state(first, 0, begin)]
        while heap and time.monotonic() < deadline:
            depth, some = self._next(heap)
            found = False
            for plan, result in self._tried(some, seen, data=data):
                if _runs(result):
                    self.best = plan if not found else self.best
                    found = True
                    yield self.render(plan)
                else:
                    heapq.heappush(heap, self._state(plan, depth + 1, result))
            if found:
                return
        self.last = heap[0].error if heap else self.last

    def _tried(self, plans: list[Plan], seen: set[str], *, data: bool = False) -> Iterator[tuple[Plan, ProbeResult]]:
        fresh = [plan for plan in plans if self._is_new(plan, seen)]
        self.tried += len(fresh)
        results = self.probe([self.render(plan) for plan in fresh], data=data) if fresh else ()
        return zip(fresh, results, strict=False)

    def _is_new(self, plan: Plan, seen: set[str]) -> bool:
        text = plan.root.source()
        fresh = text not in seen
        seen.add(text)
        return fresh

    def _state(self, plan: Plan, depth: int, result: ProbeResult) -> _State:
        error = result.error or ""
        rest = self._changed(plan, error, _suspects(self.target, result.rows))
        return _State((_key(self.target, result.rows), depth, self.tried), depth, plan, error, rest)

    def _changed(self, plan: Plan, error: str, suspects: frozenset[str]) -> Iterator[Plan]:
        source = changes(plan, error, suspects, self._named)
        if about_leaves(error):
            source = iter([*source][::-1])
        return (plan.with_root(root) for root in source)

    def _named(self, name: str) -> Recipe:
        return self.guesses.named(name)

    def _next(self, heap: list[_State]) -> tuple[int, list[Plan]]:
        """The next changes of the best plan; one whose changes are used up is dropped."""
        best = heapq.heappop(heap)
        found = list(islice(best.rest, BATCH))
        self.last = best.error
        if found:
            progress, cost, number = best.key
            best.key = (progress, cost + 1, number)
            heapq.heappush(heap, best)
        return best.depth, found


def _runs(result: ProbeResult) -> bool:
    error = result.error or ""
    return result.ok or ((without_data(error) or about_in_place(error)) and not about_leaves(error))


def _key(target: Definition, rows: tuple[int, ...]) -> Progress:
    """Smaller is further: first whether the target was entered at all, then the rows reached, outermost first."""
    inside = _inside(target, rows)
    return (0, *(-row for row in inside)) if inside else (1, *(-row for row in rows))


def _inside(target: Definition, rows: tuple[int, ...]) -> tuple[int, ...]:
    first, last = target.node.body[0].lineno, target.node.end_lineno or target.node.lineno
    at = next((i for i, row in enumerate(rows) if first <= row <= last), None)
    return rows[at:] if at is not None else ()


def _suspects(target: Definition, rows: tuple[int, ...]) -> frozenset[str]:
    """The parameters from which the statement that failed was computed, as far as assignments show."""
    inside = _inside(target, rows)
    if not inside:
        return frozenset()
    sources: dict[str, set[str]] = {}
    wanted: set[str] = set()
    for node in ast.walk(target.node):
        if not isinstance(node, ast.stmt) or node is target.node or node.lineno > inside[0]:
            continue
        read = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
        for one in ast.walk(node):
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                sources.setdefault(one.id, set()).update(read)
        if node.lineno <= inside[0] <= (node.end_lineno or node.lineno) and not hasattr(node, "body"):
            wanted |= read
    reached: set[str] = set()
    while wanted - reached:
        name = (wanted - reached).pop()
        reached.add(name)
        wanted |= sources.get(name, set())
    return frozenset(reached & {one.name for one in parameters(target.node)})
