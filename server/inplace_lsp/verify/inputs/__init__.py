"""Inputs to run a function with, found without running it: a directive, real calls, annotations, inference.

All that is made here is Python source; torch is not imported. What runs is decided by trial runs without data, which
the caller provides as `probe`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from inplace_lsp.verify.inputs.callsites import call_sites
from inplace_lsp.verify.inputs.configs import shipped_configs
from inplace_lsp.verify.inputs.directive import directive, ready_to_fill_in
from inplace_lsp.verify.inputs.guess import Guesses
from inplace_lsp.verify.inputs.imports import imported_classes
from inplace_lsp.verify.inputs.model import Files, Hints, Inputs, Missing, NoFiles, Probe
from inplace_lsp.verify.inputs.plan import (
    Plan,
    call_text,
    first_plan,
    is_custom_function,
    led_to,
    render,
    with_inner,
)
from inplace_lsp.verify.inputs.program import Definition, Program, read
from inplace_lsp.verify.inputs.search import Search
from inplace_lsp.verify.inputs.ways import callers, twice, whole

PROGRAM = "<module>"


def candidates(
    text: str,
    filename: str,
    target: str,
    *,
    probe: Probe,
    module: str | None = None,
    workspace: Files | None = None,
    hints: Hints | None = None,
) -> Iterator[Inputs | Missing]:
    """Ways to run `target` of the file, best first; a `Missing` at the end says why there are no more."""
    program = read(text, filename)
    if target == PROGRAM:
        yield Inputs("program")
        return
    definition = program.definitions.get(target) if program is not None else None
    if program is None or definition is None:
        what = "the file does not parse" if program is None else f"there is no function `{target}` in this file"
        yield Missing(target, what, "", 1, 0)
        return
    told = directive(program, definition)
    if told is not None:
        yield told  # who wrote a directive wants that and nothing else
        return
    files = workspace or NoFiles()
    real = list(call_sites(program, definition, module, files))
    yield from real
    imported, configs = imported_classes(program, module, files), shipped_configs(program, files)
    program = replace(program, imported=imported, configs=configs)
    yield from _searched(program, definition, module, probe, hints or Hints(), real)


def _searched(
    program: Program, target: Definition, module: str | None, probe: Probe, hints: Hints, real: list[Inputs]
) -> Iterator[Inputs | Missing]:
    """Inputs made up. Where there are `hints` there is something to be found, and more ways are gone to reach it."""
    outer = _entry(program, target)

    def written(plan: Plan) -> Inputs:
        inputs = render(plan, program, module)
        nested = target.outer is not None and inputs.driver is None
        return inputs if outer is target or nested else led_to(target, inputs, outer, program, module)

    first = first_plan(program, outer, hints)
    if target.outer is not None:
        first = with_inner(first, first_plan(program, target, hints))
    yield written(first)  # mostly right, and a real run tells more than a trial
    search = Search(Guesses(program), outer, probe, written)
    yield from search.climb(first)
    if hints.rows:
        best = search.best or first
        if outer is target and not is_custom_function(target):
            yield twice(render(best, program, module), target, program, module)
        yield from _through_callers(program, target, module, hints)
        yield from (replace(one, driver=replace(one.driver, whole=True)) for one in real if one.driver)
        yield from search.variants(hints.rows)
    yield _missing(program, target, search.best or first, search, module)


def _through_callers(program: Program, target: Definition, module: str | None, hints: Hints) -> Iterator[Inputs]:
    for caller in callers(program, target):
        inputs = render(first_plan(program, caller, hints), program, module)
        if inputs.driver is None:
            yield replace(inputs, receiver=None, arguments={}, driver=whole(program, module, call_text(inputs, caller)))


def _entry(program: Program, target: Definition) -> Definition:
    """What has to be called for the target to run: what it is nested in, the forward of a backward."""
    while target.outer is not None:
        target = target.outer
    if is_custom_function(target) and target.node.name == "backward":
        return program.definitions.get(target.qualname.removesuffix("backward") + "forward", target)
    return target


def _missing(program: Program, target: Definition, first: Plan, search: Search, module: str | None) -> Missing:
    inputs = render(first, program, module)
    wanted = ", ".join(f"`{name}`" for name in inputs.arguments) or "the arguments"
    what = f"no values were found for {wanted} with which `{target.qualname}` runs"
    if search.last:
        what += f"; the best try ended with: {search.last.splitlines()[0]}"
    node = target.node
    row = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    filled = ready_to_fill_in(dict(inputs.arguments), inputs.receiver)
    return Missing(target.qualname, what, filled, row, node.col_offset)
