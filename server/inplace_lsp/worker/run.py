"""One run of a job, in a process of its own: make the inputs, call the target, walk what it returns."""

from __future__ import annotations

import ast
import contextlib
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import torch

from inplace_lsp.tape.codec import to_plain
from inplace_lsp.tape.model import Tape
from inplace_lsp.worker import arguments, project_files, recorder, target
from inplace_lsp.worker.arguments import BadInputError
from inplace_lsp.worker.gradients import Gradients
from inplace_lsp.worker.intercept import Interception, Reached
from inplace_lsp.worker.modules import File, load, run_as_main
from inplace_lsp.worker.no_cuda import staying_on_cpu
from inplace_lsp.worker.origin import describe_origin
from inplace_lsp.worker.standins import StandIn, StandIns, refuse
from inplace_lsp.worker.wall import Wall
from inplace_lsp.worker.words import describe, show

MODULE = "<module>"


class EndedError(Exception):
    """The code under test did not come to an end that could be judged; the message says what it did instead."""


class TooLongError(BaseException):
    """One of several tries has used up its time."""


class Run:
    """A job that is run once: plainly, or `recorded`."""

    def __init__(self, job: dict[str, Any], wall: Wall, *, backward: bool = True) -> None:
        self.job = job
        self._backward = backward
        self.wall = wall
        self.notes: list[str] = []
        self.failed = ""
        self.rows: list[int] = []
        self.raised: dict[str, Any] | None = None
        self._interception = Interception()
        self._walking = False
        self.gradients = Gradients()
        self.device = str(job.get("device") or "cpu")
        sys.path[:0] = [one for one in job.get("path") or () if one not in sys.path]
        self._stand_ins = StandIns()
        self._stand_ins.stand()
        project_files.read_from([os.path.dirname(str(job["filename"])), *(job.get("path") or ())])

    def result(self, *, recorded: bool) -> dict[str, Any]:
        """What came of it: the error, the tape if `recorded`, and why it cannot be judged if so (`failed`)."""
        error: str | None = None
        tape: Tape | None = None
        with self._device(), staying_on_cpu(self.device, self._text()), self.gradients.watching():
            try:
                run = self._prepared()
                error, tape = self._recorded(run) if recorded else (self._plain(run), None)
            except (BadInputError, EndedError) as problem:
                self.failed = str(problem)
        if self.wall.threads:
            started = f"{self.wall.threads} thread(s) were started past the module threading"
            self.notes.append(f"{started}; what they did to tensors is not recorded")
        return {
            "error": error,
            "failed": self.failed or None,
            "notes": [*self.notes, *dict.fromkeys(self.wall.refused)],
            "not_installed": [[name, *place] for name, place in self._stand_ins.missing.items()],
            "given_tensors": list(self._stand_ins.given_tensors),
            "tape": None if tape is None else to_plain(tape),
            "gradients": self.gradients.found,
            "caught": self.gradients.caught[-10:],
            "raised": self.raised,
        }

    def attempt(self) -> tuple[str | None, list[int]]:
        """Call the target without a backward; the error, and the rows of the file it went through, outermost first."""
        try:
            with staying_on_cpu("cpu", self._text()):
                run = self._prepared()
                error = self._plain(run)
        except (BadInputError, EndedError) as problem:
            return str(problem), _rows(problem, self.job["filename"])
        return self.failed or error, self.rows

    def _text(self) -> str:
        """What is written in the files of the job."""
        return str(self.job["text"]) + str((self.job["inputs"].get("driver") or {}).get("text", ""))

    def _plain(self, run: Callable[[], None]) -> str | None:
        return recorder.run_plainly(run, self.job["seed"])

    def _recorded(self, run: Callable[[], None]) -> tuple[str | None, Tape]:
        files = [self.job["filename"], (self.job["inputs"].get("driver") or {}).get("filename")]
        events, error = recorder.record(
            run,
            frozenset(one for one in files if one),
            self.job["seed"],
            assume_on_return=self.job["target"] == MODULE,
            roots=tuple(self.job.get("path") or ()),
            note=self.notes.append,
            made_up=self._made_up(),
        )
        return error, Tape(self.job["target"], events, error)

    def _made_up(self) -> dict[str, str]:
        """The file names of the expressions that verify itself has thought of, with what they are for."""
        inputs = self.job["inputs"]
        if inputs.get("source") not in ("annotation", "inferred"):
            return {}
        texts = {
            **inputs["arguments"],
            "self": inputs.get("receiver") or "",
            "call": (inputs["driver"] or {}).get("call", ""),
        }
        return {f"<{name}>": name for name, text in texts.items() if "lambda" in (text or "")}

    def _device(self) -> Any:
        return contextlib.nullcontext() if self.device == "cpu" else torch.device(self.device)

    def _prepared(self) -> Callable[[], None]:
        """All that can be done before the part that is judged; what remains to be run."""
        recorder.set_seed(self.job["seed"])
        job, inputs = self.job, self.job["inputs"]
        if inputs.get("driver"):
            return self._guarded(self._by_driver)
        if job["target"] == MODULE:
            return self._guarded(lambda: run_as_main(self._file()))
        with self._ends():
            inner = self._interception if target.LOCALS in job["target"] else None
            module = self._loaded(self._file(target=job["target"], decorator=inner))
            call = self._call(module, inner)
        return self._guarded(call)

    def _origin(self, problem: Exception) -> dict[str, Any] | None:
        """What torch itself raised. `within`: in the target, or in a walk of what it has returned; `entered`: the
        target had been called by then."""
        job = self.job
        origin = describe_origin(problem, job["filename"], tuple(job.get("rows") or (0, 0)))
        if origin is None:
            return None
        within = origin["within"] or self._walking or job["target"] == MODULE
        return {**origin, "within": within, "entered": within or self._interception.called}

    def _file(self, **more: Any) -> File:
        return File(self.job["text"], self.job["filename"], self.job.get("module"), **more)

    def _loaded(self, file: File) -> ModuleType:
        try:
            module, error = load(file, self._wanted())
        except (Exception, SystemExit) as problem:
            raise BadInputError(f"the file cannot be imported: {describe(problem)}") from problem
        if error is not None:
            self.notes.append(f"the file was run as far as it goes: {describe(error)}")
        self.gradients.namespaces.append(vars(module))
        setup = self.job["inputs"].get("setup") or ""
        if setup:
            try:
                exec(compile(setup, "<setup>", "exec", dont_inherit=True), vars(module))
            except Exception as problem:
                raise BadInputError(f"setup: {describe(problem)}") from problem
        self.gradients.forget()
        return module

    def _wanted(self) -> set[str]:
        """The names of the module that the run needs: the target, and what its inputs are made of."""
        inputs = self.job["inputs"]
        texts = [
            inputs.get("receiver"),
            *inputs.get("arguments", {}).values(),
            (inputs.get("driver") or {}).get("call"),
        ]
        used: set[str] = set()
        for text in filter(None, texts):
            with contextlib.suppress(SyntaxError, ValueError):  # told where it is evaluated
                used |= {one.id for one in ast.walk(ast.parse(text.strip(), mode="eval")) if isinstance(one, ast.Name)}
        return {self.job["target"].partition(".")[0], *used}

    def _call(self, module: ModuleType, inner: Interception | None) -> Callable[[], None]:
        """The call of the target, or of the function round it."""
        inputs, path = self.job["inputs"], self.job["target"]
        names = arguments.names_of(module)
        outer = target.outermost(path)
        function = target.callable_of(module, outer, inputs.get("receiver"), names, self.device)
        given = arguments.evaluate(inputs["arguments"], names, self.device)
        self.gradients.namespaces.insert(0, {**given, "self": function if callable(function) else None})
        if inner is not None:
            return lambda: self._nested(function, given, inner)
        positional, named = arguments.bound(function, given)

        def call() -> None:
            self._interception.called = True
            self._walk(function(*positional, **named))

        return call

    def _nested(self, function: Callable[..., Any], given: dict[str, Any], inner: Interception) -> None:
        """Run the outer function; if it has not called the inner one but returns it, call that."""
        path = self.job["target"]
        positional, named = arguments.bound(function, target.parameters_of(function, given))
        result = target.finished(function(*positional, **named))
        returned = None if inner.called else target.inner_function(result, path)
        if returned is not None:
            positional, named = arguments.bound(returned, target.parameters_of(returned, given))
            result = returned(*positional, **named)
        if not inner.called:
            outer, _, name = path.rpartition(target.LOCALS)
            raise EndedError(f"{outer} neither called nor returned {name} with these inputs")
        self._walk(result, of_target=returned is not None)

    def _walk(self, result: Any, *, of_target: bool = True) -> None:
        """A backward on what was returned, unless the code has walked its graph itself."""
        result = target.finished(result)
        if isinstance(result, StandIn):
            refuse(result)
        if self._backward and not self.gradients.walked:
            self._walking = of_target
            recorder.backward_through(result)

    def _by_driver(self) -> None:
        """Run the program that calls the target: as far as that call, or `whole`."""
        driver = self.job["inputs"]["driver"]
        interception = self._interception = Interception(None if driver.get("whole") else self._reached)
        name, call = self.job["target"], driver.get("call")
        try:
            with interception.watching():
                same = os.path.realpath(driver["filename"]) == os.path.realpath(self.job["filename"])
                own = self._file(target=name, decorator=interception)
                if same and not call:
                    run_as_main(own)
                else:
                    module = self._loaded(own)
                    self._drive(driver, module if same else None)
        except Reached:
            return
        if not interception.called:
            raise EndedError(f"{os.path.basename(driver['filename'])} ran to its end without a call of {name}")

    def _drive(self, driver: dict[str, Any], module: ModuleType | None) -> None:
        file = File(driver["text"], driver["filename"], driver.get("module"))
        if not driver.get("call"):
            run_as_main(file)
            return
        if module is None:
            module, error = load(file)
            if error is not None:
                raise error
        called = eval(compile(driver["call"], "<call>", "eval", dont_inherit=True), vars(module))
        self._walk(called, of_target=False)

    def _reached(self, result: Any) -> None:
        self._walk(result)
        raise Reached

    def _guarded(self, work: Callable[[], None]) -> Callable[[], None]:
        """`work`, with an end that is no exception of the code (`sys.exit`) told from one that is."""

        def run() -> None:
            try:
                with self._ends():
                    work()
            except (BadInputError, EndedError) as problem:
                self.failed = str(problem)
            except Exception as problem:
                self.rows = _rows(problem, self.job["filename"])
                self.raised = self._origin(problem)
                self.wall.note_refusal(problem)
                raise

        return run

    @contextlib.contextmanager
    def _ends(self) -> Iterator[None]:
        try:
            yield
        except (Reached, TooLongError):
            raise
        except SystemExit as problem:
            if self.job["target"] != MODULE or problem.code not in (None, 0):
                raise EndedError(f"the code called sys.exit({show(problem.code)})") from None
        except (Exception, EndedError):
            raise
        except BaseException as problem:
            raise EndedError(f"the code raised {describe(problem)}") from None


def _rows(error: BaseException, filename: str) -> list[int]:
    """The rows of the file in the traceback of an exception and of what caused it."""
    cause = error.__cause__ or error
    frames = traceback.extract_tb(cause.__traceback__)
    return [frame.lineno for frame in frames if frame.filename == filename and frame.lineno is not None]
