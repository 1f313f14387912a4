"""Inputs to run a function with, found without running it: a directive, real calls, annotations, inference.

All that is made here is Python source; torch is not imported. What runs is decided by trial runs without data, which
the caller provides as `probe`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from inplace_lsp.messages.inputs import Inputs
from inplace_lsp.verify.inputs.call_variants import (
    CALLERS,
    call_twice,
    drive_whole_call,
    exceed_bounds,
    feed_back,
    find_callers,
    switch_to_eval,
)
from inplace_lsp.verify.inputs.calls_of import Callee, find_sites
from inplace_lsp.verify.inputs.callsites import find_call_sites
from inplace_lsp.verify.inputs.configs import find_shipped_configs
from inplace_lsp.verify.inputs.construction_sites import with_sites
from inplace_lsp.verify.inputs.directive import read_directive, write_directive
from inplace_lsp.verify.inputs.guess import Guesses
from inplace_lsp.verify.inputs.imports import find_imported_classes
from inplace_lsp.verify.inputs.model import Files, Hints, Missing, NoFiles, Probe
from inplace_lsp.verify.inputs.plan import (
    Plan,
    arguments_of,
    call_text,
    entry_of,
    first_plan,
    join_elements,
    lead_to,
    render_plan,
    with_inner,
)
from inplace_lsp.verify.inputs.program import Definition, Program, is_custom_function, read_program
from inplace_lsp.verify.inputs.search import Search
from inplace_lsp.verify.inputs.unfinished import invent_attributes, make_partly

PROGRAM = "<module>"


def find_candidates(
    text: str,
    filename: str,
    target: str,
    *,
    probe: Probe,
    module: str | None = None,
    workspace: Files | None = None,
    hints: Hints | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Inputs | Missing]:
    """Ways to run `target` of the file, best first; a `Missing` at the end says why there are no more. `clock` tells
    the seconds of work, of which a search may take some."""
    program = read_program(text, filename)
    if target == PROGRAM:
        yield Inputs("program")
        return
    definition = program.definitions.get(target) if program is not None else None
    if program is None or definition is None:
        what = "the file does not parse" if program is None else f"there is no function `{target}` in this file"
        yield Missing(target, what, "", 1, 0)
        return
    told = read_directive(program, definition, module)
    if told is not None:
        yield told  # who wrote a directive wants that and nothing else
        return
    files = workspace or NoFiles()
    real = list(find_call_sites(program, definition, module, files))
    yield from real
    program = _look_around(program, definition, module, files)
    search = partial(Search, probe=probe, clock=clock)
    elsewhere = _inputs_of_callers_elsewhere(program, definition, files, search)
    yield from _search_inputs(program, definition, module, search, hints or Hints(), [*_drive_whole(real)], elsewhere)


def _look_around(program: Program, target: Definition, module: str | None, files: Files) -> Program:
    """Return a program with what the project's other files tell about a function of it."""
    imported, configs = find_imported_classes(program, module, files), find_shipped_configs(program, files)
    program = replace(program, imported=imported, configs=configs)
    return with_sites(program, target, files, lambda home, owner: Guesses(home).make_instance(owner))


def _search_inputs(
    program: Program,
    target: Definition,
    module: str | None,
    make_search: Callable[..., Search],
    hints: Hints,
    whole: list[Inputs],
    elsewhere: Iterator[Inputs],
) -> Iterator[Inputs | Missing]:
    """Yield invented inputs. With `hints` there is something to find, and the search tries more ways to reach it: calls
    of its callers, those of other files after `whole` programs."""
    outer = entry_of(program, target)

    def written(plan: Plan) -> Inputs:
        inputs = render_plan(plan, program, module)
        nested = target.outer is not None and inputs.driver is None
        return inputs if outer is target or nested else lead_to(target, inputs, outer, program, module)

    first = first_plan(program, outer, hints)
    if target.outer is not None:
        first = with_inner(first, first_plan(program, target, hints))
    yield written(first)  # mostly right, and a real run tells more than a trial
    by_itself = replace(program, built={})
    if program.built:
        yield written(first_plan(by_itself, outer, hints))
    callers = _inputs_of_callers(by_itself, target, module, make_search, hints)
    if hints.callers:
        yield from callers
    search = make_search(guesses=Guesses(program), target=outer, render=written)
    yield from search.climb(first)
    joined = join_elements(search.best or first, hints.written)
    if joined is not None:
        yield written(joined)
        yield from make_search(guesses=Guesses(program), target=outer, render=written).climb(joined)
    yield from _keep_unfinished(search, search.best or first, program)
    best = search.best or first
    if hints.rows:
        plain = outer is target and not is_custom_function(target)
        more = [callers, iter(whole), elsewhere, search.variants(hints.rows)]
        yield from _find_ways(render_plan(best, program, module) if plain else None, more, target, program, module)
    yield _describe_missing(program, target, search.best or first, search, module)


def _keep_unfinished(search: Search, best: Plan, program: Program) -> Iterator[Inputs]:
    """Yield inputs with an object that its constructor leaves unfinished, if no others run."""
    partly = make_partly(best) if search.last else None
    if partly is not None:
        partly = invent_attributes(partly, program, search.try_plan(partly))
        yield search.render(partly)
        yield from search.climb(partly)


def _find_ways(
    inputs: Inputs | None, more: list[Iterator[Inputs]], target: Definition, program: Program, module: str | None
) -> Iterator[Inputs]:
    """Yield other ways to a target than one call: two calls, `more` ways, the call in other modes."""
    if inputs is not None:
        yield call_twice(inputs, target, program, module)
    for ways in more:
        yield from ways
    if inputs is not None:
        yield from _vary_inputs(inputs, target, program, module)


def _drive_whole(real: list[Inputs]) -> Iterator[Inputs]:
    """Yield the programs that reach the target, to be run to their end."""
    return (replace(inputs, driver=replace(inputs.driver, whole=True)) for inputs in real if inputs.driver)


def _vary_inputs(inputs: Inputs, target: Definition, program: Program, module: str | None) -> Iterator[Inputs]:
    yield from switch_to_eval(inputs, target)
    yield from exceed_bounds(inputs, target)
    yield from feed_back(inputs, target, program, module)


def _inputs_of_callers(
    program: Program, target: Definition, module: str | None, make_search: Callable[..., Search], hints: Hints
) -> Iterator[Inputs]:
    """Yield calls of the functions that call the target; of those that a finding names, a search makes more."""
    for caller in find_callers(program, target, hints.callers):
        written = _writer_of_calls(program, module, caller)
        first = first_plan(program, caller, hints)
        yield written(first)
        if hints.callers:
            yield from make_search(guesses=Guesses(program), target=caller, render=written).climb(first)


def _inputs_of_callers_elsewhere(
    program: Program, target: Definition, files: Files, make_search: Callable[..., Search]
) -> Iterator[Inputs]:
    """Yield calls of the functions of other files that call the target."""
    sites = (site for site in find_sites(program, Callee.of_module(program, target), files) if not site.own)
    callers = {site.within.qualname: site for site in sites if site.within is not None and site.within.outer is None}
    for site in list(callers.values())[:CALLERS]:
        assert site.within is not None
        other = _look_around(site.program, site.within, site.module, files)
        written = _writer_of_calls(other, site.module, site.within)
        first = first_plan(other, site.within, Hints())
        yield written(first)
        yield from make_search(guesses=Guesses(other), target=site.within, render=written).climb(first)


def _writer_of_calls(program: Program, module: str | None, caller: Definition) -> Callable[[Plan], Inputs]:
    """Return what writes a plan for a caller as a program that is judged as a whole."""

    def write(plan: Plan) -> Inputs:
        inputs = render_plan(plan, program, module)
        call = inputs.driver.call if inputs.driver is not None else call_text(inputs, caller)
        return replace(inputs, receiver=None, arguments={}, driver=drive_whole_call(program, module, call or ""))

    return write


def _describe_missing(program: Program, target: Definition, first: Plan, search: Search, module: str | None) -> Missing:
    inputs = render_plan(first, program, module)
    wanted = ", ".join(f"`{name}`" for name in arguments_of(first)) or "the arguments"
    what = f"no values were found for {wanted} with which `{target.qualname}` runs"
    if search.last:
        what += f"; the best try ended with: {search.last.splitlines()[0]}"
    node = target.node
    row = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    filled = write_directive(arguments_of(first), inputs.receiver)
    return Missing(target.qualname, what, filled, row, node.col_offset)
