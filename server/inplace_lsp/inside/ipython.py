"""`%load_ext inplace_lsp`: `%%inplace` as the first line of a cell shows the trace of its in-place error below it.

The line is taken out before IPython compiles the cell, which otherwise runs as any other: with its own traceback,
display and `await`.
"""

from __future__ import annotations

import base64
import html
import linecache
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from inplace_lsp.hazards.finding import Sources
from inplace_lsp.inside.watching import Lines, Watching, describe_missing, describe_tape, hide_recorder, tape_behind
from inplace_lsp.tape.model import Span, Tape
from inplace_lsp.tape.move import move_tape

MAGIC = "%%inplace"
USAGE = "%inplace on: watch every cell from now on. %inplace off: only those that begin with %%inplace."
EARLIER = "If an earlier cell made the graph, watch that one, too: `%inplace on` watches every cell from now on."


class Cell(Protocol):
    """IPython's description of a cell before it runs."""

    raw_cell: str


class Events(Protocol):
    """IPython's registry of callbacks."""

    def register(self, event: str, function: Callable[..., None]) -> None:
        """Call `function` at each `event`."""

    def unregister(self, event: str, function: Callable[..., None]) -> None:
        """Call it no longer."""


class Compiler(Protocol):
    """IPython's compiler, which knows the cells by the names of their code."""

    def format_code_name(self, name: str) -> tuple[str, str] | None:
        """Return "Cell" and "In[3]", None for a file."""


class Shell(Protocol):
    """The part of IPython's `InteractiveShell` that is used."""

    events: Events
    compile: Compiler
    input_transformers_cleanup: list[Callable[[list[str]], list[str]]]
    showtraceback: Callable[..., None]

    def register_magic_function(self, func: Callable[[str], None], magic_kind: str, magic_name: str) -> None:
        """Register a magic."""


ErrorTriple = tuple[type[BaseException], BaseException, object]
"""What `sys.exc_info` gives."""

_loaded: dict[int, Extension] = {}
"""The extension of each shell that has loaded it, by the shell's identity."""


def load_extension(shell: Shell) -> None:
    """Register the magics with `shell`."""
    if id(shell) not in _loaded:
        _loaded[id(shell)] = Extension(shell)


def unload_extension(shell: Shell) -> None:
    """Remove the magics from `shell`."""
    extension = _loaded.pop(id(shell), None)
    if extension is not None:
        extension.unload()


class Extension:
    """Watches the cells that ask for it, or all, and shows what it saw under their errors."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._watching = Watching()
        self._all_cells = False
        self._show_plain = shell.showtraceback
        shell.showtraceback = self._show_traceback
        shell.input_transformers_cleanup.append(without_magic)
        shell.events.register("pre_run_cell", self._before_cell)
        shell.events.register("post_run_cell", self._after_cell)
        shell.register_magic_function(self.inplace, "line", "inplace")

    def unload(self) -> None:
        """Leave IPython and torch as they were."""
        self._shell.showtraceback = self._show_plain
        self._shell.input_transformers_cleanup.remove(without_magic)
        self._shell.events.unregister("pre_run_cell", self._before_cell)
        self._shell.events.unregister("post_run_cell", self._after_cell)
        self._watching.end_watching()

    def inplace(self, line: str) -> None:
        """Watch every cell from now on (`%inplace on`), or only those that begin with `%%inplace` (`%inplace off`)."""
        wanted = line.strip()
        if wanted in ("on", "off"):
            self._all_cells = wanted == "on"
        else:
            print(USAGE)  # noqa: T201

    def _before_cell(self, cell: Cell) -> None:
        self._watching.unseen.clear()
        if not (self._all_cells or asks_to_watch(cell.raw_cell)):
            return
        try:
            self._watching.start_watching()
        except ImportError as error:
            print(f"%%inplace: {sys.executable} cannot load torch: {error}", file=sys.stderr)  # noqa: T201

    def _after_cell(self, _result: object) -> None:
        self._watching.stop_watching()

    def _show_traceback(self, exc_tuple: ErrorTriple | None = None, *arguments: object, **options: object) -> None:
        """Show an error as IPython does, without our frames, and below it what we know of it."""
        error = (exc_tuple or sys.exc_info())[1]
        if error is None or not self._watching.has_started:
            self._show_plain(exc_tuple, *arguments, **options)
            return
        hide_recorder(error)
        self._show_plain(exc_tuple, *arguments, **options)
        self._show_trace(error)

    def _show_trace(self, error: BaseException) -> None:
        tape = tape_behind(error)
        if tape is not None:
            _display_trace(Trace(*name_cells(tape, self._shell.compile)))
        elif self._watching.is_on and (words := describe_missing(error, self._watching)):
            print(f"{words}\n{EARLIER}", file=sys.stderr)  # noqa: T201


def without_magic(lines: list[str]) -> list[str]:
    """Return the lines of a cell without `%%inplace` as the first: an empty one, so that the others keep their numbers,
    unless another magic follows, which has to stand first."""
    if not lines or lines[0].strip() != MAGIC:
        return lines
    return lines[1:] if lines[1:] and lines[1].startswith("%%") else ["\n", *lines[1:]]


def asks_to_watch(cell: str) -> bool:
    """Return whether `%%inplace` is among the magics that a cell begins with."""
    for line in cell.lstrip().splitlines():
        if line.strip() == MAGIC:
            return True
        if not line.startswith("%%"):
            return False
    return False


def name_cells(tape: Tape, compiler: Compiler) -> tuple[Tape, Sources]:
    """Return the tape with cells called as tracebacks call them (`Cell In[3]`), and the lines of all its files."""
    lines = Lines()

    def name_cell(span: Span) -> Span:
        label = compiler.format_code_name(span.file)
        if label is None:
            return span
        name = " ".join(label)
        lines[name] = linecache.getlines(span.file)
        return replace(span, file=name)

    named = move_tape(tape, name_cell)
    return replace(named, function=named.events[-1].span.file), lines


class Trace:
    """A trace as IPython displays it: a drawing in a notebook, text in a terminal."""

    def __init__(self, tape: Tape, lines: Sources) -> None:
        self._tape = tape
        self._lines = lines

    def __repr__(self) -> str:
        return describe_tape(self._tape, self._lines).rstrip("\n")

    def _repr_html_(self) -> str:
        from inplace_lsp.report.trace_svg import trace_svg  # noqa: PLC0415  (only in a notebook)

        drawing = base64.b64encode(trace_svg(self._tape, self._lines, origin="observed").encode()).decode()
        words = html.escape(repr(self), quote=True)
        return (  # as an image, so that the notebook and the drawing keep their own styles
            '<div style="overflow-x: auto">'
            f'<img style="max-width: none" alt="{words}" src="data:image/svg+xml;base64,{drawing}"></div>'
        )


def _display_trace(trace: Trace) -> None:
    from IPython.display import display  # noqa: PLC0415  (it runs us)

    display(trace)
