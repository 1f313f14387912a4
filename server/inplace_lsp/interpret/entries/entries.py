"""Run the entries of a file: the module as a program, and each function and method as if someone called it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial

from inplace_lsp.interpret.autograd.recorder import TorchError
from inplace_lsp.interpret.entries.budget import (
    MORE_STEPS,
    NOTHING,
    STEPS,
    STEPS_OF_PROGRAM,
    STEPS_TO_COVER_PROGRAM,
    Budget,
)
from inplace_lsp.interpret.entries.coverage import Coverage
from inplace_lsp.interpret.entries.dependent_modules import find_waiting_modules, makes_waiting_modules
from inplace_lsp.interpret.entries.entry import Entry, find_function, find_undecorated_function
from inplace_lsp.interpret.entries.fixture_values import find_fixture_value, is_test
from inplace_lsp.interpret.entries.fixtures import ClassFixture, ClassFixtures
from inplace_lsp.interpret.entries.inputs import find_tensor_names
from inplace_lsp.interpret.entries.mutated_state import Change, is_read
from inplace_lsp.interpret.entries.objects import make_input
from inplace_lsp.interpret.entries.omission import hand_on, leave_out
from inplace_lsp.interpret.entries.outcome import Outcome, find_given_parameters, record_run
from inplace_lsp.interpret.entries.program import ProgramRun, find_program_span
from inplace_lsp.interpret.entries.relevance import (
    FEW,
    PATHS,
    PATHS_COMPARED,
    Risk,
    is_forward,
    is_inert,
    is_training,
    make_flip_counter,
)
from inplace_lsp.interpret.entries.search import search_paths
from inplace_lsp.interpret.entries.unreached import Code
from inplace_lsp.interpret.machine import graphs
from inplace_lsp.interpret.machine.machine import (
    OTHER_MODULE_STEPS,
    OTHER_MODULE_STEPS_OF_NETWORKS,
    PACKAGE_STEPS,
    Machine,
    OutOfBudgetError,
)
from inplace_lsp.interpret.machine.signals import Break, Continue, Raised, Return
from inplace_lsp.interpret.python.functions import call_user, run_body
from inplace_lsp.interpret.python.inherited_parts import recognise_given
from inplace_lsp.interpret.python.parts_by_key import recognise_by_keys
from inplace_lsp.interpret.state.facts import Facts, RecordedFacts
from inplace_lsp.interpret.state.paths import USUAL, Choices, Conditions, Way, explore_paths
from inplace_lsp.interpret.state.values import (
    Bound,
    Class,
    Frame,
    Function,
    Instance,
    Items,
    Tensor,
    Unknown,
    Value,
)
from inplace_lsp.interpret.torch_api import custom_function
from inplace_lsp.interpret.torch_api.module_tree import is_module, name_tensors
from inplace_lsp.interpret.torch_api.optimizers import is_optimizer
from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit
from inplace_lsp.tape.model import NEVER, Span
from inplace_lsp.tape.names import TESTED
from inplace_lsp.uses.tensors import find_container_names

PROGRAM = "<module>"
"""The name of the module as a program."""


def run_program(
    units: Sequence[Unit], file: str, cancelled: Callable[[], None], facts: Facts, fixtures: ClassFixtures
) -> Outcome:
    """Execute the module from top to bottom, as `python file.py` would."""
    recorded = RecordedFacts(facts, file)

    def start_path(choices: Choices, steps: int) -> Start:
        run = ProgramRun(fixtures.runner, recorded, choices, steps)
        return run.machine, run.frame, lambda: run.execute_units(units)

    outcome = Outcome(PROGRAM, 0, find_program_span(file), answers=recorded.answers)
    budget = Budget(STEPS_OF_PROGRAM, steps_to_cover=STEPS_TO_COVER_PROGRAM)
    return run_paths(outcome, Code.of_units(file, units), start_path, cancelled, budget)


def run_function(
    entry: Entry,
    file: str,
    cancelled: Callable[[], None],
    facts: Facts,
    fixtures: ClassFixtures,
    share: int,
    *,
    even_inert: bool = False,
) -> Outcome:
    """Execute one function with inputs that its own text suggests. `share`: see Budget. `even_inert`: run it even if it
    can show no hazard."""
    span = entry.find_span(file)
    if not even_inert and is_inert(entry.definition) and not entry.definition.decorators:
        return Outcome(entry.name, id(entry.definition), span)
    if share >= NOTHING:
        return _leave_unrun(entry, span, share)
    handed_on = hand_on(entry, span, fixtures) if not even_inert else None
    if handed_on is not None:
        return handed_on
    recorded = RecordedFacts(facts, file)
    fixture = fixtures.find_fixture(entry.path, span, recorded) if entry.path else None
    if fixture is not None:
        recorded.answers |= fixture.answers
    if not even_inert:
        making = fixture.making if fixture is not None else None
        if making is not None and making.definition == id(entry.definition):
            return replace(making, span=span, answers=recorded.answers, share=share)
        left_out = leave_out(entry, span, fixtures, fixture, recorded)
        if left_out is not None:
            return left_out
    return _explore_entry(entry, span, cancelled, fixtures, fixture, recorded, Budget(STEPS, share))


def _leave_unrun(entry: Entry, span: Span, share: int) -> Outcome:
    """Return the outcome of a function for which nothing of the file's budget is left."""
    outcome = Outcome(entry.name, id(entry.definition), span, incomplete="not executed", share=share)
    outcome.read.add(outcome.definition)
    outcome.unreached = _find_code(entry, span).find_unreached_statements(frozenset())
    return outcome


def _find_code(entry: Entry, span: Span) -> Code:
    """Return the code of a function."""
    own = entry.definition.parameters[0].name if entry.path and entry.definition.parameters else ""
    return Code(span.file, ((entry.unit.row, entry.definition.body),), own=own)


def _explore_entry(
    entry: Entry,
    span: Span,
    cancelled: Callable[[], None],
    fixtures: ClassFixtures,
    fixture: ClassFixture | None,
    recorded: RecordedFacts,
    budget: Budget,
) -> Outcome:
    """Execute a function along the paths that matter."""
    machine, frame = fixtures.runner.machine, fixtures.runner.frame
    takes_options = entry.definition.name == "forward"
    trains = is_training(entry.definition)
    begin_path = fixtures.runner.begin_path
    if fixture is not None:
        begin_path = partial(fixture.begin_path, takes_options=takes_options)
    examined = frozenset(fixtures.effects.examined)
    tensors: list[frozenset[str]] = []

    def start_path(choices: Choices, steps: int) -> Start:
        begin_path(choices, steps, span, recorded)
        is_first = not tensors
        if trains or (is_first and is_forward(entry.definition)):  # other paths of a forward pass run the same layers
            machine.allow_other_modules(OTHER_MODULE_STEPS_OF_NETWORKS, PACKAGE_STEPS)
        return machine, frame, lambda: _run_entry(machine, frame, entry, fixture, tensors)

    given = find_given_parameters(entry.definition, is_method=bool(entry.path))
    made_with = tuple(name for name in fixture.made_with if name not in given) if fixture is not None else ()
    outcome = Outcome(entry.name, id(entry.definition), span, given, made_with, answers=recorded.answers)
    outcome.read |= examined
    code = _find_code(entry, span)
    if fixture is None:
        return run_paths(outcome, code, start_path, cancelled, budget)
    constructor = fixture.find_constructor(span.file) if takes_options else None
    made = Made(constructor, fixture.executed, fixture.find_changes)
    run_paths(outcome, code, start_path, cancelled, budget, made)
    outcome.read |= fixture.read_for_changes
    return outcome


def _find_no_changes() -> tuple[Change, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Made:
    """How the object of a method was made: by a `constructor`, which `executed` the statements with these ids. What it
    left out may write when the method calls it. `find_changes`: see ClassFixture."""

    constructor: Code | None = None
    executed: frozenset[int] = frozenset()
    find_changes: Callable[[], tuple[Change, ...]] = _find_no_changes


def _run_entry(
    machine: Machine, frame: Frame, entry: Entry, fixture: ClassFixture | None, tensors: list[frozenset[str]]
) -> None:
    """Run a function along one path; `tensors` holds the names that it uses as tensors, found on the first path."""
    owner, instance = (fixture.owner, fixture.instance) if fixture is not None else (None, None)
    if fixture is not None and machine.path.conditions.ages_object:
        fixture.age_object()
    named = find_function(frame, entry, owner)
    function = find_undecorated_function(named, entry.definition) if named is not None else None
    if named is None or function is None:
        return
    if not tensors:
        tensors.append(find_tensor_names(entry.definition, frame))
    decorated = None if function is named else named
    result = _call_function(machine, function, tensors[0], owner, instance, decorated)
    drive_object(machine, result)
    makes_object = function.name == "__init__" and makes_waiting_modules(machine, instance)
    _run_waiting_modules(machine, instance if makes_object else result)


def _run_waiting_modules(machine: Machine, made: Value | None) -> None:
    """Run the forward passes of modules that an entry has made and that no other entry knows completely."""
    for module, forward in find_waiting_modules(machine, made):
        machine.allow_other_modules(OTHER_MODULE_STEPS)  # as an entry of its own
        names = find_tensor_names(forward.definition, forward.frame)
        _call_function(machine, forward, names, forward.owner, module, None)


Start = tuple[Machine, Frame, Callable[[], None]]


def run_paths(
    outcome: Outcome,
    code: Code,
    start: Callable[[Choices, int], Start],
    cancelled: Callable[[], None],
    budget: Budget,
    made: Made | None = None,
) -> Outcome:
    """Run an entry along its paths: `start` prepares a run, which executes `code`. `made`: the object of a method."""
    outcome.share = budget.share
    made = made or Made()
    runs = _PathRuns(outcome, start, cancelled, budget, made)
    saw_all = explore_paths(runs.run_path, runs.find_way)
    if runs.cut_off or not saw_all:
        runs.run_other_options()
    runs.coverage.executed |= made.executed
    unreached = runs.search_unreached(code)
    if (runs.cut_off or not saw_all) and not outcome.incomplete and (unreached or runs.may_show_more()):
        outcome.incomplete = runs.cut_off or "too many paths"
    if outcome.incomplete:
        outcome.unreached = unreached
    outcome.called.discard(outcome.definition)
    outcome.steps = budget.spent
    outcome.cost += budget.spent
    return outcome


class _PathRuns:
    """The runs of one entry, and what each adds to its outcome."""

    def __init__(
        self,
        outcome: Outcome,
        start: Callable[[Choices, int], Start],
        cancelled: Callable[[], None],
        budget: Budget,
        made: Made,
    ) -> None:
        self._outcome, self._start, self._cancelled, self._budget = outcome, start, cancelled, budget
        self._object = made
        self.coverage = Coverage()
        self.risk = Risk()
        self.cut_off = ""
        self._made: list[Choices] = []
        self._may_search = True
        self._is_searching = False

    def find_way(self) -> Way | None:
        """Return a way to code that no run has executed yet, None if there is none or the budget for it is spent."""
        if not self.may_cover():
            return None
        return self.coverage.find_way(also_saving=self.risk.lacks_saves(), also_following=self.risk.has_both())

    def may_show_more(self) -> bool:
        """Return whether another path may show a hazard: the runs saved and wrote, or code that may is left."""
        return self._count_worthwhile_paths() > 1

    def _count_worthwhile_paths(self) -> int:
        """Return how many paths to explore, guided ones not counted."""
        if self.risk.has_both():
            return PATHS
        wanted = self.coverage.list_wanted_code(also_saving=self.risk.lacks_saves(), also_following=False)
        return FEW if wanted else 1

    def run_path(self, choices: Choices) -> int:
        """Run one path. Return how many are worth taking, 0 if the budget is spent."""
        self._cancelled()
        self._made.append(choices)
        is_guided = self._is_searching or bool(choices.way.guide)
        machine, frame, run = self._start(choices, self._budget.find_steps(is_guided))
        began, ledger = len(machine.recorder.events), machine.recorder.ledger
        if ledger is not None:
            self._may_search = False  # comparing two texts needs the same paths for both
            ledger.begin_run()
        cut_off = _run_to_end(run)
        self.cut_off = self.cut_off or cut_off
        if len(self._made) == 1 and cut_off:
            self._outcome.incomplete = cut_off
            self._may_search = False  # other paths are as long
        self._budget.spend_steps(is_guided, machine.steps)
        if ledger is not None:
            ledger.close_run(machine.recorder.events)
        record_run(self._outcome, machine, frame)
        self.coverage.note_run(machine)
        if ledger is not None:  # comparing two texts needs the same paths for both
            return 0 if self._budget.is_spent() else PATHS_COMPARED
        choices.count_worth_flipping = make_flip_counter(machine, self.coverage)
        self._outcome.read |= machine.looked_into  # what was skipped, too
        self.risk.note_run(machine, began)
        return 0 if self._budget.is_spent() else self._count_worthwhile_paths()

    def run_other_options(self) -> None:
        """Run one path that takes none of the first options: of a function with very many branches, flipping single
        decisions does not come to the run that skips them all. It has steps of its own."""
        if not (self._may_search and self.risk.has_both()):
            return
        usual, self._budget = self._budget, Budget(MORE_STEPS, self._budget.share)
        self.run_path(Choices(conditions=Conditions(takes_last=True)))
        usual.spent += self._budget.spent
        self._budget = usual

    def _search_with_options(self, search: _Search) -> None:
        """Go on with other options than the defaults, to reach statements of the function and of the constructor."""
        if not any(choices.took_default for choices in self._made):
            return
        maker = self._object.constructor
        constructor = _Search(self, maker) if maker is not None else None
        for searched in (search, constructor):
            if searched is not None and searched.may_go_on():
                searched.run_guided(Conditions(opens_defaults=True))

    def search_unreached(self, code: Code) -> tuple[Span, ...]:
        """Try other paths, and other options of the constructor, to reach the statements that no run has reached.
        Return those of `code` that stay unreached."""
        decided = self.cut_off or any(choices.taken or choices.took_default for choices in self._made)
        if not decided and not self._depends_on_age(code):
            return ()
        search = _Search(self, code)
        if not self._may_search:
            return search.unreached
        cut_off = self.cut_off
        self._is_searching = True
        self._search_with_options(search)
        if self.may_cover() and self._depends_on_age(code) and search.misses_something():
            search.run_guided(Conditions(ages_object=True))
        usual = [choices for choices in self._made if choices.conditions in (USUAL, Conditions(ages_object=True))]
        search_paths(usual, search.run_path, search.may_go_on)
        self.cut_off = cut_off  # a search that is cut off leaves no more unseen than there was before
        return search.unreached

    def _depends_on_age(self, code: Code) -> bool:
        """Return whether the runs read what other methods change in the object."""
        changes = self._object.find_changes()
        return bool(changes) and is_read(changes, (body for _, body in code.parts), self._outcome.called)

    def may_cover(self) -> bool:
        """Return whether the budget allows another run to code that no run has executed."""
        return self._budget.may_cover()


def _run_to_end(run: Callable[[], None]) -> str:
    """Call `run`. Return why it was cut off, "" if it was not."""
    try:
        run()
    except (Return, Break, Continue, Raised, TorchError):
        pass
    except OutOfBudgetError:
        return "too long to follow every path"
    except RecursionError:
        return "nested too deeply"
    return ""


class _Search:
    """The search for paths to the statements of `code` that are `unreached`."""

    def __init__(self, runs: _PathRuns, code: Code) -> None:
        self._runs, self._code, self._executed = runs, code, runs.coverage.executed
        self.unreached = code.find_unreached_statements(self._executed)

    def may_go_on(self) -> bool:
        """Return whether there is something to be found, and budget to find it."""
        return bool(self.unreached) and self._runs.may_cover()

    def misses_something(self) -> bool:
        """Return whether no run reached some code that may write, or that calls a method of the same object."""
        return bool(self.unreached) or self._code.has_unreached_call(self._executed)

    def run_path(self, choices: Choices) -> bool:
        """Run one path. Return whether it executed code that no run had executed."""
        before = len(self._executed)
        self._runs.run_path(choices)
        self.unreached = self._code.find_unreached_statements(self._executed)
        return len(self._executed) > before

    def run_guided(self, conditions: Conditions) -> None:
        """Run the first options, then all that leads to code which is skipped on the way."""
        self._runs.coverage.begin_again()
        self.run_path(Choices(conditions=conditions))
        while self._runs.may_cover() and (way := self._runs.find_way()) is not None:
            self.run_path(Choices((), way, conditions=conditions))


def _call_function(
    machine: Machine,
    function: Function,
    tensors: frozenset[str],
    owner: Class | None,
    instance: Value | None,
    decorated: Function | None,
) -> Value:
    """Execute `function`, decorators included, with symbolic inputs; `tensors` are names its body uses as tensors."""
    if owner is not None and function.name == "forward" and custom_function.is_custom_function(owner):
        return _apply_custom_function(machine, function, tensors, owner)
    outer = function.frame
    frame = Frame(outer.file, outer.row, function.name, module=outer.find_module_scope(), owner=owner)
    frame.tensors = tensors
    parameters = _bind_self(function, frame, instance)
    if function.name == "forward" and frame.self is not None and owner is not None and owner.is_module():
        machine.gradient_evidence = True
        tensors |= {parameter.name for parameter in parameters} - find_container_names(function.definition)
    if machine.recorder.ledger is not None:
        machine.recorder.ledger.note_object(frame.self)
    _bind_inputs(machine, function, frame, parameters, tensors)
    recognise_given(machine, function.definition, frame.names)
    recognise_by_keys(machine, function.definition, frame.names)
    if decorated is not None:
        return _call_decorated_function(machine, decorated, frame, parameters)
    return _run_body(machine, function, frame, [frame.names[parameter.name] for parameter in parameters])


def _run_body(machine: Machine, function: Function, frame: Frame, given: list[Value]) -> Value:
    """Execute the body of a function, then walk the graphs that its caller or pytest may walk."""
    owner = frame.owner
    machine.called.add(id(function.definition))
    is_backward = owner is not None and function.name == "backward" and custom_function.is_custom_function(owner)
    # autograd calls it without grad mode, unless somebody asks for a graph of the gradients
    with machine.recorder.set_grad_mode(False) if is_backward else nullcontext():
        result = run_body(machine, function, frame, function.definition)
    graphs.walk_stored_graphs(machine, given)
    if is_test(function) and graphs.walk_tested_graphs(machine, list(frame.names.values())):
        machine.path.assumed = (TESTED,)
    return result


def _bind_self(function: Function, frame: Frame, instance: Value | None) -> Sequence[ir.Parameter]:
    """Bind the first parameter of a method to its object. Return the other parameters."""
    parameters = function.definition.parameters
    if frame.owner is None or function.kind == "staticmethod" or not parameters:
        return parameters
    frame.self = frame.owner if function.kind == "classmethod" or instance is None else instance
    frame.names[parameters[0].name] = frame.self
    return parameters[1:]


def _bind_inputs(
    machine: Machine, function: Function, frame: Frame, parameters: Sequence[ir.Parameter], tensors: frozenset[str]
) -> None:
    """Bind the parameters to symbolic inputs."""
    of_optimizer = frame.owner is not None and _is_optimizer(frame.owner)
    for parameter in parameters:
        value = find_fixture_value(machine, function, parameter.name, partial(_make_plain_input, machine))
        if value is not None and is_module(value):
            name_tensors(value, parameter.name)
        value = value or make_input(machine, function, parameter, tensors)
        if isinstance(value, Unknown):
            value.argument = True
        frame.names[parameter.name] = _cut_graph(value) if of_optimizer else value


def _make_plain_input(machine: Machine, function: Function, parameter: ir.Parameter) -> Value:
    """Return a symbolic input of a fixture."""
    return make_input(machine, function, parameter, frozenset())


def _cut_graph(value: Value) -> Value:
    """Return the value as one that carries no graph."""
    if isinstance(value, Unknown):
        value.graphless = True
    elif isinstance(value, Tensor):
        value.requires_grad = NEVER
    elif isinstance(value, Items) and (more := value.more) is not None:
        value.more = lambda: _cut_graph(more())
    return value


def _call_decorated_function(
    machine: Machine, decorated: Function, frame: Frame, parameters: Sequence[ir.Parameter]
) -> Value:
    """Call the function that the decorators returned with the inputs bound in the frame."""
    first = [frame.self] if frame.self is not None else []
    given = [frame.names[parameter.name] for parameter in parameters if parameter.kind in ("normal", "positional")]
    named = {parameter.name: frame.names[parameter.name] for parameter in parameters if parameter.kind == "keyword"}
    return call_user(machine, decorated, [*first, *given], named)


def _is_optimizer(owner: Class) -> bool:
    """Return whether the class is an optimizer: its methods pass gradients, states and numbers to each other."""
    return any(is_optimizer(name) for cls in owner.list_lineage() for name in cls.library)


def _apply_custom_function(machine: Machine, function: Function, tensors: frozenset[str], owner: Class) -> Value:
    """Run the forward of a custom Function as `apply` runs it, and walk its result as a caller may."""
    parameters = list(function.definition.parameters)
    if not isinstance(owner.look_up("setup_context"), Function):
        parameters = parameters[1:]
    machine.gradient_evidence = True
    arguments = [make_input(machine, function, parameter, tensors) for parameter in parameters]
    result = custom_function.apply_function(machine, owner, arguments, owner.name)
    graphs.walk_returned_graphs(machine, result)
    return result


ENTRY = "__entry__"
"""The method of a model's class that calls an object in the order of its framework."""


def drive_object(machine: Machine, value: Value | None) -> None:
    """Call the methods of an object in the order of its framework, if it has one."""
    entry = value.cls.look_up(ENTRY) if isinstance(value, Instance) else None
    if isinstance(value, Instance) and isinstance(entry, Function):
        machine.gradient_evidence = True
        machine.call(Bound(value, entry), [], {}, ENTRY)
