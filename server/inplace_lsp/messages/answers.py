"""What comes back from the worker: the report of each run, and the answer to a job that is made of them."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.tape.memory_use import MemoryUse

Step = tuple[int, int]
"""Where a frame of a traceback is: its row, and its instruction, which distinguishes calls on one row."""


@dataclass(frozen=True)
class Raised:
    """What torch itself raised in a run, and the file names and rows that it went through, the last ones.

    `within`: while the target ran, or in a backward through its result; `entered`: the target had been called by then;
    `inside`: it came from torch's own code, not from a call in code that may have handed it over.
    """

    error: str
    within: bool
    entered: bool
    inside: bool
    places: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class FailedAt:
    """Where the code itself raised what ended a run: the file, the row and the text of its innermost line of the
    project, and the row of the target that led there, 0 if none did or that is the line itself."""

    file: str
    row: int
    text: str
    led_from: int = 0


@dataclass(frozen=True)
class Gradient:
    """The gradient of a leaf: the name the user knows it by ("" if none), its shape, and numbers evenly spread."""

    name: str
    shape: tuple[int, ...]
    numbers: tuple[float, ...]


@dataclass(frozen=True)
class RunReport:
    """What a run says of itself; of one that could not, the worker says why it `failed`, and whether it was too `late`.

    `error`: the exception that ended the code, and `failed_at` where that was raised. `needed`: what is missing, if
    that error was a value needed of a module that is not installed. `tape`: the recorded one as JSON, which the
    worker passes on unread. `gradients`: those of each backward. `caught`: torch's errors that left a backward.
    `held_back_by`: what kept its writes in its own folder. `not_installed`: the modules that had stand-ins;
    `given_tensors`: which of those were called with tensors. `output`: what the code printed. `memory`: what the
    run needed, if that was asked for: a plain run measures the peak, a recorded one counts line by line.
    """

    error: str | None = None
    failed: str = ""
    late: bool = False
    needed: str = ""
    notes: tuple[str, ...] = ()
    not_installed: tuple[str, ...] = ()
    given_tensors: tuple[str, ...] = ()
    tape: str = ""
    gradients: tuple[tuple[Gradient, ...], ...] = ()
    caught: tuple[str, ...] = ()
    raised: Raised | None = None
    failed_at: FailedAt | None = None
    held_back_by: tuple[str, ...] = ()
    output: str = ""
    memory: MemoryUse | None = None


@dataclass(frozen=True)
class Trial:
    """Whether the target accepts the inputs of a candidate, by its number, and if not, why.

    `steps`: those of the target's file in the traceback, outermost first. `fault`: it did not come to an end.
    `undecided`: data were asked for of a tensor that has none, so that only a run with data can tell.
    """

    candidate: int
    ok: bool
    error: str | None = None
    steps: tuple[Step, ...] = ()
    fault: bool = False
    undecided: bool = False


@dataclass(frozen=True)
class Answer:
    """The answer to the job `id`: two reports for one to verify, a trial for each candidate of one to probe.

    `failed`: why there are none. `seconds` is the time it took, `worked` that of processors, `waited` that in which
    none was free. `left`: the folders of runs that could not be removed.
    """

    id: int | None = None
    plain: RunReport | None = None
    recorded: RunReport | None = None
    trials: tuple[Trial, ...] = ()
    failed: str = ""
    cancelled: bool = False
    seconds: float = 0.0
    worked: float = 0.0
    waited: float = 0.0
    left: tuple[str, ...] = ()
