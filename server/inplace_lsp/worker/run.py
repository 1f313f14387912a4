"""One run of a job, in a process of its own: make the inputs, call the target, call backward on what it returns."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import ModuleType

import torch

from inplace_lsp.messages.answers import FailedAt, Raised, RunReport, Step
from inplace_lsp.messages.inputs import Driver
from inplace_lsp.messages.job import Job
from inplace_lsp.tape.codec import to_plain
from inplace_lsp.tape.memory_use import MemoryUse
from inplace_lsp.tape.model import Tape
from inplace_lsp.worker import arguments, project_files, recorder, target, unfinished
from inplace_lsp.worker.arguments import BadInputError
from inplace_lsp.worker.assertions import describe_with_numbers
from inplace_lsp.worker.command_line import fill_command_line
from inplace_lsp.worker.gradients import Gradients
from inplace_lsp.worker.intercept import Interception, TargetReached
from inplace_lsp.worker.missing_data import make_up_data
from inplace_lsp.worker.module_path import give_back_path
from inplace_lsp.worker.modules import Decorator, SiblingFinder, SourceFile, load_file, run_as_main
from inplace_lsp.worker.no_cuda import map_cuda_to_cpu
from inplace_lsp.worker.origin import describe_origin, find_failed_line
from inplace_lsp.worker.process_group import make_up_groups
from inplace_lsp.worker.recording import EnoughSeenError
from inplace_lsp.worker.safe_text import describe_error, show_value
from inplace_lsp.worker.sandbox import WRITE, Sandbox
from inplace_lsp.worker.stand_in_errors import StandInError
from inplace_lsp.worker.standins import StandIn, StandIns, refuse_value
from inplace_lsp.worker.weights import do_without_weights

MODULE = "<module>"


class EndedError(Exception):
    """The code under test did not reach an end that could be judged; the message says what it did instead."""


class TooLongError(BaseException):
    """One of several candidates has used up its time."""


class JobRun:
    """A job that is run once: plainly, or `recorded`."""

    def __init__(self, job: Job, sandbox: Sandbox, *, backward: bool = True) -> None:
        self.job = job
        self._backward = backward
        self.sandbox = sandbox
        self.notes: list[str] = []
        self.failed = ""
        self.steps: list[Step] = []
        self.raised: Raised | None = None
        self.failed_at: FailedAt | None = None
        self.needed = ""
        self._memory: MemoryUse | None = None
        self._interception = Interception()
        self._walking = False
        self._asserted = ""
        self.gradients = Gradients()
        self.device = job.device or "cpu"
        give_back_path()
        sys.path[:0] = [folder for folder in job.path if folder not in sys.path]
        if os.path.isabs(job.filename):
            sys.meta_path.append(SiblingFinder(job.filename, job.path))
        fill_command_line(self.notes.append)
        make_up_data(self.notes.append)
        if not job.on_cuda:
            make_up_groups(self.notes.append)
        self._stand_ins = StandIns()
        self._stand_ins.install_finder()
        folders = [os.path.dirname(job.filename), *job.path]
        project_files.add_read_folders(folders, may_write=WRITE in job.allow)

    def produce_report(self, *, recorded: bool) -> RunReport:
        """Do the run and return its report: the error, the tape if `recorded`, and why it cannot be judged if so
        (`failed`)."""
        error: str | None = None
        tape: Tape | None = None
        with self._device_context(), map_cuda_to_cpu(self.device, self._job_text()), self.gradients.watch_walks():
            try:
                run = self._prepare_run()
                if self.job.measures:
                    error = self._run_measured(run, by_line=recorded)
                else:
                    error, tape = self._run_recorded(run) if recorded else (self._run_plainly(run), None)
            except (BadInputError, EndedError) as problem:
                self.failed = str(problem)
                self.failed_at = self._find_failed_line(problem)
        replaced = recorder.find_replaced_backward()
        if replaced and not self.gradients.walked and error is None:
            self.failed = (
                self.failed or f"the code has replaced `{replaced}`, and no call of torch's own backward was seen"
            )
        if self.sandbox.threads:
            started = f"{self.sandbox.threads} thread(s) were started without the module threading"
            self.notes.append(f"{started}; what they did to tensors is not recorded")
        return RunReport(
            error=error,
            failed=self.failed,
            needed=self.needed,
            notes=tuple(self._all_notes()),
            not_installed=tuple(self._stand_ins.missing),
            given_tensors=tuple(self._stand_ins.given_tensors),
            tape="" if tape is None else json.dumps(to_plain(tape)),
            gradients=tuple(self.gradients.found),
            caught=tuple(self.gradients.caught[-10:]),
            raised=self.raised,
            failed_at=self.failed_at,
            memory=self._memory,
        )

    def _all_notes(self) -> Iterator[str]:
        """Yield what is to be known of the run besides its outcome."""
        yield from (*self.notes, *self._notes_about_stand_ins(), *unfinished.NOTES)
        yield from dict.fromkeys(self.sandbox.refusals)

    def _notes_about_stand_ins(self) -> Iterator[str]:
        """Yield notes about the layers and pictures of missing libraries that were made up, if any."""
        if self._stand_ins.random:
            listed = ", ".join(f"`{name}`" for name in self._stand_ins.random)
            yield f"{listed}: with random pictures or weights, since that library is not installed"
        if self._stand_ins.made_up:
            listed = ", ".join(f"`{name}`" for name in self._stand_ins.made_up)
            yield f"{listed}: taken for layers with a weight that keep their input, since that library is not installed"

    def attempt_call(self) -> tuple[str | None, list[Step]]:
        """Call the target without a backward; return the error, and the steps of the file it went through, outermost
        first."""
        try:
            with map_cuda_to_cpu("cpu", self._job_text()):
                run = self._prepare_run()
                error = self._run_plainly(run)
        except (BadInputError, EndedError) as problem:
            return str(problem), _traceback_steps(problem, self.job.filename)
        return self.failed or self._asserted or error, self.steps

    def _job_text(self) -> str:
        """Return the text of the job's files."""
        driver = self.job.inputs.driver
        return self.job.text + (driver.text if driver is not None else "")

    def _run_plainly(self, run: Callable[[], None]) -> str | None:
        return recorder.run_plainly(run, self.job.seed)

    def _run_measured(self, run: Callable[[], None], *, by_line: bool) -> str | None:
        """Run plainly, and measure the peak of the memory that it needs, or count what is alive line by line."""
        from inplace_lsp.worker.memory import LiveMemory, Peak, measure_peak  # noqa: PLC0415 - few runs measure
        from inplace_lsp.worker.places import Places  # noqa: PLC0415

        files, entries = self._own_files(), (recorder.backward_through.__code__,)
        counter = LiveMemory(Places(files, entries, self.job.path)) if by_line else contextlib.nullcontext()
        with contextlib.nullcontext(Peak()) if by_line else measure_peak(self.device) as peak, counter as lines:
            error = self._run_plainly(run)
        self._memory = lines.describe(peak) if lines is not None else MemoryUse(peak.size, peak.counter)
        return error

    def _own_files(self) -> frozenset[str]:
        driver = self.job.inputs.driver
        return frozenset({self.job.filename, *([driver.filename] if driver is not None else [])})

    def _run_recorded(self, run: Callable[[], None]) -> tuple[str | None, Tape]:
        events, error, refusals = recorder.record_run(
            run,
            self._own_files(),
            self.job.seed,
            assume_on_return=self.job.target == MODULE,
            roots=self.job.path,
            note=self.notes.append,
            made_up=self._made_up_files(),
            goes_on=True,
        )
        return error, Tape(self.job.target, events, error, refusals=refusals)

    def _made_up_files(self) -> dict[str, str]:
        """Return the file names of the expressions that verify itself made up, with the inputs they stand for."""
        inputs = self.job.inputs
        if inputs.source not in ("annotation", "inferred"):
            return {}
        texts = {
            **inputs.arguments,
            "self": inputs.receiver or "",
            "call": inputs.driver.call if inputs.driver is not None else "",
        }
        return {f"<{name}>": name for name, text in texts.items() if "lambda" in (text or "")}

    def _device_context(self) -> contextlib.AbstractContextManager[object]:
        return contextlib.nullcontext() if self.device == "cpu" else torch.device(self.device)

    def _prepare_run(self) -> Callable[[], None]:
        """Do all that comes before the part that is judged; return what remains to be run."""
        recorder.set_seed(self.job.seed)
        job = self.job
        if job.inputs.driver is not None:
            return self._guard_end(self._run_driver)
        if job.target == MODULE:
            do_without_weights(self.notes.append, self._stand_ins)
            return self._guard_end(lambda: run_as_main(self._source_file()))
        with self._translate_exits():
            inner = self._interception if target.LOCALS in job.target else None
            module = self._load_module(self._source_file(target=job.target, decorator=inner), self._outermost_name())
            if not job.inputs.receiver:  # a constructor that lacks weights is left unfinished
                do_without_weights(self.notes.append, self._stand_ins)
            call = self._prepare_call(module, inner)
        return self._guard_end(call)

    def _describe_origin(self, problem: Exception) -> Raised | None:
        """Describe what torch itself raised. `within`: in the target, or in a backward through its result; `entered`:
        the target had been called by then."""
        job = self.job
        origin = describe_origin(problem, job.filename, job.rows)
        if origin is None:
            return None
        within = origin.within or self._walking or job.target == MODULE
        return replace(origin, within=within, entered=within or self._interception.called)

    def _find_failed_line(self, problem: BaseException) -> FailedAt | None:
        return find_failed_line(problem, self.job.filename, self.job.rows)

    def _source_file(self, target: str = "", decorator: Decorator | None = None) -> SourceFile:
        return SourceFile(self.job.text, self.job.filename, self.job.module, target, decorator)

    def _load_module(self, file: SourceFile, *wanted: str) -> ModuleType:
        """Run a file, for the names that its inputs use and those that are `wanted` besides."""
        try:
            module, error = load_file(file, {*wanted, *self._names_in_inputs()})
        except (Exception, SystemExit) as problem:
            raise BadInputError(f"the file cannot be imported: {describe_error(problem)}") from problem
        if error is not None:
            self.notes.append(f"the file was run up to its first error: {describe_error(error)}")
        self.gradients.namespaces.append(vars(module))
        setup = self.job.inputs.setup
        if setup:
            try:
                exec(compile(setup, "<setup>", "exec", dont_inherit=True), vars(module))
            except Exception as problem:
                raise BadInputError(f"setup: {describe_error(problem)}") from problem
        self.gradients.forget_walks()
        return module

    def _outermost_name(self) -> str:
        return self.job.target.partition(".")[0]

    def _names_in_inputs(self) -> set[str]:
        inputs = self.job.inputs
        texts = [
            inputs.receiver,
            *inputs.arguments.values(),
            inputs.driver.call if inputs.driver is not None else None,
        ]
        used: set[str] = set()
        for text in filter(None, texts):
            with contextlib.suppress(SyntaxError, ValueError):  # reported where it is evaluated
                used |= {
                    node.id for node in ast.walk(ast.parse(text.strip(), mode="eval")) if isinstance(node, ast.Name)
                }
        return used

    def _prepare_call(self, module: ModuleType, inner: Interception | None) -> Callable[[], None]:
        """Return the call of the target, or of the function round it."""
        inputs, path = self.job.inputs, self.job.target
        names = arguments.expression_names(module)
        outer = target.outermost_function(path)
        receiver = None if inputs.receiver is None else target.Receiver(inputs.receiver, names, self.device)
        function = target.find_callable(module, outer, receiver)
        given = arguments.evaluate_inputs(inputs.arguments, names, self.device)
        self.gradients.namespaces.insert(0, {**given, "self": function if callable(function) else None})
        positional, named = arguments.bind_arguments(function, given) if inner is None else ((), {})

        def call() -> None:
            if receiver is not None:
                receiver.make_ready()
                self.gradients.forget_walks()
            if inner is not None:
                self._run_nested(function, given, inner)
                return
            self._interception.called = True
            self._walk_result(function(*positional, **named))

        return call

    def _run_nested(self, function: Callable[..., object], given: Mapping[str, object], inner: Interception) -> None:
        """Run the outer function; if it has not called the inner one but returns it, call that."""
        path = self.job.target
        positional, named = arguments.bind_arguments(function, target.select_parameters(function, given))
        result = target.finish_result(function(*positional, **named))
        returned = None if inner.called else target.inner_function(result, path)
        if returned is not None:
            positional, named = arguments.bind_arguments(returned, target.select_parameters(returned, given))
            result = returned(*positional, **named)
        if not inner.called:
            outer, _, name = path.rpartition(target.LOCALS)
            raise EndedError(f"{outer} neither called nor returned {name} with these inputs")
        self._walk_result(result, of_target=returned is not None)

    def _walk_result(self, result: object, *, of_target: bool = True) -> None:
        """Call backward on what was returned, unless the code has called backward itself."""
        result = target.finish_result(result)
        if isinstance(result, StandIn):
            refuse_value(result)
        if self._backward and not self.gradients.walked:
            self._walking = of_target
            recorder.backward_through(result)

    def _run_driver(self) -> None:
        """Run the program that calls the target: up to that call, or `whole`."""
        driver = self.job.inputs.driver
        assert driver is not None
        interception = self._interception = Interception(None if driver.whole else self._stop_at_target)
        name, call = self.job.target, driver.call
        try:
            with interception.watch_apply():
                same = os.path.realpath(driver.filename) == os.path.realpath(self.job.filename)
                own = self._source_file(target=name, decorator=interception)
                if same and not call:
                    run_as_main(own)
                else:
                    module = self._load_module(own, self._outermost_name())
                    self._run_driver_file(driver, module if same else None)
        except TargetReached:
            return
        if not interception.called:
            raise EndedError(f"{os.path.basename(driver.filename)} ran to its end without a call of {name}")

    def _run_driver_file(self, driver: Driver, module: ModuleType | None) -> None:
        file = SourceFile(driver.text, driver.filename, driver.module)
        if not driver.call:
            run_as_main(file)
            return
        module = module or self._load_module(file)
        called = eval(compile(driver.call, "<call>", "eval", dont_inherit=True), vars(module))
        self._walk_result(called, of_target=False)

    def _stop_at_target(self, result: object) -> None:
        self._walk_result(result)
        raise TargetReached

    def _guard_end(self, work: Callable[[], None]) -> Callable[[], None]:
        """Return `work` such that an end that is no exception of the code (`sys.exit`) is no failure."""

        def run() -> None:
            try:
                with self._translate_exits():
                    work()
            except BadInputError as problem:
                self.failed, self.steps = str(problem), _traceback_steps(problem, self.job.filename)
                self.failed_at = self._find_failed_line(problem)
            except EndedError as problem:
                self.failed = str(problem)
            except Exception as problem:
                self.steps = _traceback_steps(problem, self.job.filename)
                self._asserted = describe_with_numbers(problem) if isinstance(problem, AssertionError) else ""
                self.raised = self._describe_origin(problem)
                self.failed_at = self._find_failed_line(problem)
                self.needed = str(problem) if isinstance(problem, StandInError) else ""
                self.sandbox.note_refusal(problem)
                raise

        return run

    @contextlib.contextmanager
    def _translate_exits(self) -> Iterator[None]:
        try:
            yield
        except (TargetReached, TooLongError, EnoughSeenError):
            raise
        except SystemExit as problem:
            if self.job.target != MODULE or problem.code not in (None, 0):
                raise EndedError(f"the code called sys.exit({show_value(problem.code)})") from None
        except (Exception, EndedError):
            raise
        except BaseException as problem:
            raise EndedError(f"the code raised {describe_error(problem)}") from None


def _traceback_steps(error: BaseException, filename: str) -> list[Step]:
    """Return the steps of the file in the traceback of an exception, or of its cause."""
    found: list[Step] = []
    at = (error.__cause__ or error).__traceback__
    while at is not None:
        if at.tb_frame.f_code.co_filename == filename:
            found.append((at.tb_lineno, at.tb_lasti))
        at = at.tb_next
    return found
