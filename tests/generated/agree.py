"""The judge: what both recorders say of a program, and the smallest program on which they still differ."""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import random
import signal
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch

from inplace_lsp.hazards.registry import find_all
from inplace_lsp.tape.model import Reject, Tape, Write
from inplace_lsp.worker.recorder import observe_program
from kept import kept
from support import Answer, answer, observe, predicted
from truth import HELPERS, JUDGES
from zoo.settings import begin_run, list_options

SECONDS = 20.0
"""What a run of a program may take; the generated ones take a small part of one."""
SECONDS_OF_ALL = 120.0
"""What all runs of a program that depends on settings may take."""

BROKEN = tuple(
    f"{name}Error" for name in "Name UnboundLocal Attribute Type Value Index Key Syntax NotImplemented".split()
)
"""Errors that say that the program is no program: torch's refusals are RuntimeErrors."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What torch does with a program and what is predicted. `error` ended the plain run, `notes` tell of the other;
    `failure` is a crash of ours."""

    observed: Answer
    predicted: Answer
    error: str = ""
    failure: str = ""
    notes: str = ""

    @property
    def broken(self) -> bool:
        """Whether it is no program at all: one of its runs ended in a plain mistake."""
        return self.error.startswith(BROKEN) or any(f": {name}:" in self.notes for name in BROKEN)

    @property
    def agree(self) -> bool:
        """Whether both give the same set of (row, code)."""
        return self.observed == self.predicted and not self.failure

    @property
    def stray(self) -> bool:
        """Whether the program ended in an error that no finding accounts for."""
        return self.broken or (bool(self.error) and not self.observed)

    @property
    def wrong(self) -> bool:
        """Whether even the verdict (some hazard or none) differs."""
        return bool(self.observed) != bool(self.predicted)


class NeverEndsError(BaseException):
    """Not an Exception: a program that catches all of those in its loop would go on for ever."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise NeverEndsError in a block that takes longer, as a loop does that lost its last statement to shrinking."""

    def give_up(signum: int, frame: object) -> None:
        raise NeverEndsError(f"not done after {seconds} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def run_and_analyse(program: str) -> Verdict:
    """Run `program` under torch, with each combination of the settings that it asks for, and analyse its text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if "load_settings" in program:
                with deadline(SECONDS_OF_ALL):
                    return _judge_settings(program)
            with deadline(SECONDS):
                return _judge(program)
    except (
        Exception,
        NeverEndsError,
    ) as error:  # to be saved, not the end of the test
        return Verdict(frozenset(), frozenset(), failure=f"{type(error).__name__}: {error}")


def _judge(program: str) -> Verdict:
    tape = observe(program)
    seen = answer(find_all(tape))
    frames = _frames_at_the_end(program, tape, seen) if tape.error is not None else []
    return Verdict(seen, _predicted(program, seen, frames), tape.error or "", notes=" ".join(tape.notes))


def _judge_settings(program: str) -> Verdict:
    """What torch does with the program in any of its runs: one of them may end in an error, another go on."""
    seen, errors = kept("settings", (*JUDGES, *HELPERS), (program,), lambda: _run_with_all_settings(program))
    broken = (error for error in errors if error.startswith(BROKEN))
    return Verdict(seen, predicted(program), next(broken, ""))


def _run_with_all_settings(program: str) -> tuple[Answer, list[str]]:
    """What was found in the runs of the program with each combination of the settings that it asks for, and the errors
    that ended them."""
    seen: Answer = frozenset()
    errors: dict[str, None] = {}
    waiting: list[tuple[dict[str, int], int]] = [({}, 0)]
    while waiting:
        chosen, decided = waiting.pop()
        settings = begin_run(chosen)
        tape = observe_program(program, "program.py")
        seen |= answer(find_all(tape))
        if tape.error is not None:
            errors[tape.error] = None
        waiting += [
            ({**chosen, name: option}, at + 1)
            for at, name in enumerate(settings.asked)
            if at >= decided
            for option in range(1, len(list_options(name)))
        ]
    return seen, list(errors)


Rows = tuple[int, int]
"""A row that was executed last in a function, and the function's last row."""


def _frames_at_the_end(program: str, tape: Tape, seen: Answer) -> list[Rows]:
    """Where the program and its functions stood when an error ended the recorded run, outermost first.

    That run goes on where a backward alone failed; then it may end at a write that torch refuses later.
    """
    last = tape.events[-1] if tape.events else None
    refused = isinstance(last, Reject) or (isinstance(last, Write) and bool(last.refused))
    if refused and tape.notes and last is not None:
        call = last.call if isinstance(last, Write) else None
        return _ranges(program, [(0, (call or last.span).row)])
    return _ranges(program, _places_of_the_error(program)) if refused or not seen else []


def _places_of_the_error(program: str) -> list[tuple[int, int]]:
    """The first row of each function that an error leaves, and the row at which it does; outermost first."""
    torch.manual_seed(0)
    random.seed(0)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(program, "ended.py", "exec"), {"__name__": "__main__"})
    except Exception as error:
        frames = [(frame.f_code, row) for frame, row in traceback.walk_tb(error.__traceback__)]
        return [(code.co_firstlineno, row) for code, row in frames if code.co_filename == "ended.py"]
    finally:
        torch.set_grad_enabled(True)
    return []


def _ranges(program: str, places: list[tuple[int, int]]) -> list[Rows]:
    return [(row, _last_row(program, first, row, outermost=at == 0)) for at, (first, row) in enumerate(places)]


def _last_row(program: str, first: int, row: int, *, outermost: bool) -> int:
    """The last row of the function whose code begins at row `first`; for the module that of the statement at `row`."""
    nodes = ast.parse(program).body if outermost else list(ast.walk(ast.parse(program)))
    kinds = ast.stmt if outermost else ast.FunctionDef | ast.ClassDef
    wanted = row if outermost else first
    starts = (
        node for node in nodes if isinstance(node, kinds) and _first_row(node) <= wanted <= (node.end_lineno or 0)
    )
    return max((node.end_lineno or row for node in starts if outermost or _first_row(node) == first), default=row)


def _first_row(node: ast.AST) -> int:
    decorators = getattr(node, "decorator_list", [])
    return min([getattr(node, "lineno", 0), *(decorator.lineno for decorator in decorators)])


def _predicted(program: str, seen: Answer, frames: list[Rows]) -> Answer:
    """What is predicted, but of what was never reached: the program is cut behind the statement that ended it, and
    the rest of the functions it ended in does not count."""
    if not frames:
        return predicted(program)
    reached = "\n".join(program.splitlines()[: frames[0][1]]) + "\n"
    behind = {row for last, end in frames[1:] for row in range(last + 1, end + 1)}
    return frozenset(line for line in predicted(reached) if line in seen or line[0] not in behind)


Shape = tuple[frozenset[str], frozenset[str], str]


def shape(verdict: Verdict) -> Shape:
    """What kind of disagreement it is: the codes that one side alone has, and how the run ended."""
    missed = frozenset(code for _, code in verdict.observed - verdict.predicted)
    needless = frozenset(code for _, code in verdict.predicted - verdict.observed)
    return missed, needless, verdict.error[:40] + verdict.failure[:40]


def shrink(program: str, rounds: int = 4) -> str:
    """The program with as many statements dropped as it can lose and still run and be judged as differently."""
    wanted = shape(run_and_analyse(program))
    for _ in range(rounds):
        smaller = _pass(program, wanted)
        if smaller == program:
            break
        program = smaller
    return program


def _pass(program: str, wanted: Shape) -> str:
    for rows in reversed(_statements(program)):
        candidate = _without(program, rows)
        if candidate is not None and _differs_alike(candidate, wanted):
            program = candidate
    return _unwrapped(program, wanted)


def _unwrapped(program: str, wanted: Shape) -> str:
    """The program with bodies in place of their compound statements, where that still differs."""
    for row, end in reversed(_statements(program)):
        lines = program.splitlines()
        if end > row and end <= len(lines) and lines[row - 1].rstrip().endswith(":"):
            body = [line.removeprefix("    ") for line in lines[row:end] if not line.strip().startswith("except")]
            candidate = "\n".join([*lines[: row - 1], *body, *lines[end:]]) + "\n"
            if _is_whole(candidate) and _differs_alike(candidate, wanted):
                program = candidate
    return program


def _differs_alike(program: str, wanted: Shape) -> bool:
    verdict = run_and_analyse(program)
    return not verdict.agree and not verdict.broken and shape(verdict) == wanted


def _statements(program: str) -> list[tuple[int, int]]:
    """First and last row of every statement, outer ones before their parts; and of the headers that can be dropped."""
    return sorted(
        {
            (node.lineno, node.end_lineno or node.lineno)
            for node in ast.walk(ast.parse(program))
            if isinstance(node, ast.stmt)
        }
    )


def _without(program: str, rows: tuple[int, int]) -> str | None:
    """The program without the statement on those rows (a `pass` in its place where a block would be empty)."""
    lines = program.splitlines()
    if rows[1] > len(lines) or lines[rows[0] - 1].strip() == "pass":
        return None
    indent = " " * (len(lines[rows[0] - 1]) - len(lines[rows[0] - 1].lstrip()))
    for instead in ([], [f"{indent}pass"]):
        text = "\n".join([*lines[: rows[0] - 1], *instead, *lines[rows[1] :]]) + "\n"
        if _is_whole(text):
            return text
    return None


def _is_whole(program: str) -> bool:
    """Whether it parses, and names nothing that it does not bind."""
    try:
        tree = ast.parse(program)
    except SyntaxError:
        return False
    bound = _bound_names(tree)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return defined <= used and all(name in bound or hasattr(builtins, name) for name in used)


def _bound_names(tree: ast.Module) -> set[str]:
    """The names that a program binds anywhere."""
    bound: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            bound.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
    return bound


def difference(program: str, verdict: Verdict) -> Iterator[str]:
    """The program with what each side says, as comments on its lines."""
    for row, line in enumerate(program.splitlines(), start=1):
        notes = [
            *(f"missed {code}" for at, code in sorted(verdict.observed - verdict.predicted) if at == row),
            *(f"without need {code}" for at, code in sorted(verdict.predicted - verdict.observed) if at == row),
            *(f"both {code}" for at, code in sorted(verdict.predicted & verdict.observed) if at == row),
        ]
        yield f"{line}  # {', '.join(notes)}" if notes else line
    if verdict.error:
        yield f"# torch: {verdict.error.splitlines()[0]}"
    if verdict.failure:
        yield f"# failure: {verdict.failure}"
