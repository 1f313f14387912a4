"""What the user's interpreter is started with: `python start.py FOLDER [--memory] [-m] SCRIPT [ARGS...]`.

Each process that has an in-place error writes a file of its own into FOLDER, as JSON:
`{"tape": {...}, "uncaught": bool, "caught": [tape, ...], "rank": 0, "torch": "2.13.0", "python": "3.11.7"}`; `caught`
are the tapes of the errors before it, which the program has caught; `rank` is null unless a launcher has started
several. If the program ends by an error of torch's that the recorder cannot explain, `tape` is
null, and there are `error`, its text, and `unseen`, the lines that started what cannot be watched.
With `--memory` each process also writes a file with the suffix `.memory`: a `KeptMemory` as JSON.

This file runs by its path, in an interpreter that need not have this package; so it makes the package known first, but
does not put its folder on the path of modules.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import socket
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from inplace_lsp.tape.model import Tape
    from inplace_lsp.tape.plain import Plain
    from inplace_lsp.worker.script.memory import MemoryMeter

_RANKS = ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK")
"""The variables in which torchrun and accelerate, srun and mpirun give a process its rank."""

AT_MOST = 20
"""Maximum number of caught errors that are reported."""

_watching = contextlib.ExitStack()
"""Open until the process ends: threads may go on when the script itself is through."""


def main() -> None:
    """Run the program; end the process as the program would."""
    folder, *rest = sys.argv[1:]
    measures = rest[0] == "--memory"
    rest = rest[measures:]
    as_module = rest[0] == "-m"
    name, *arguments = rest[1:] if as_module else rest
    os.environ.setdefault("TORCHDYNAMO_DISABLE", "1")  # compiled code would run past the recorder
    _make_importable()
    try:
        import torch  # noqa: F401, PLC0415
    except ImportError as error:
        sys.exit(f"inplace-lsp: {_explain_missing_torch(error)}")
    from inplace_lsp.worker.script import program  # noqa: PLC0415  (known only now)

    run = program.prepare_module(name, arguments) if as_module else program.prepare_script(name, arguments)
    errors = _ErrorFile(folder)
    unseen: dict[tuple[str, int], None] = {}
    try:
        with _measured_memory(folder) if measures else contextlib.nullcontext() as meter:
            _run_watched(run, errors, unseen, meter)
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:
        if program.was_not_found(error):
            sys.stderr.write(f"inplace-lsp: cannot run {name}: {error}\n")
            sys.exit(2)
        errors.write_ending(error, unseen)
        program.report_error(error)
        sys.exit(1)


def _explain_missing_torch(error: ImportError) -> str:
    """Return why torch cannot be loaded, and what to do about it."""
    if error.name != "torch":  # it is there, and broken
        return f"{sys.executable} cannot load torch: {error}"
    return (
        f"{sys.executable} has no torch: install it, `{sys.executable} -m pip install torch`, or name the Python that "
        "has it: `inplace-lsp trace --python PATH ...`"
    )


@contextlib.contextmanager
def _measured_memory(folder: str) -> Iterator[MemoryMeter]:
    """Measure what the graphs keep, and write it when the program ends, however it ends."""
    from inplace_lsp.tape.plain import to_plain  # noqa: PLC0415
    from inplace_lsp.worker.script.memory import MemoryMeter  # noqa: PLC0415

    meter = MemoryMeter()
    try:
        yield meter
    finally:
        _write_json(folder, "memory", to_plain(meter.report(_find_rank())))


def _run_watched(
    run: Callable[[], None], errors: _ErrorFile, unseen: dict[tuple[str, int], None], meter: MemoryMeter | None
) -> None:
    from inplace_lsp.worker.script.own_frames import hide_own_frames  # noqa: PLC0415
    from inplace_lsp.worker.script.watch import Watch  # noqa: PLC0415

    hide_own_frames()
    _watching.enter_context(Watch(errors.write_tape, unseen, meter).watch_thread())
    run()


class _ErrorFile:
    """The in-place errors that were raised, kept in a file from that moment on: of each place the first."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._plain: Mapping[str, Plain] | None = None
        self._by_place: dict[object, Mapping[str, Plain]] = {}

    def write_tape(self, tape: Tape, _error: BaseException) -> None:
        """Write the tape of an in-place error that is being raised."""
        from inplace_lsp.tape.codec import to_plain  # noqa: PLC0415

        place = _find_place(tape)
        if place in self._by_place or len(self._by_place) == AT_MOST:
            return
        self._plain = self._by_place[place] = to_plain(tape)
        self._write_file(uncaught=False)

    def write_ending(self, error: BaseException, unseen: dict[tuple[str, int], None]) -> None:
        """Write how the program ended: by an error with a tape, or by one that could not be watched; `unseen` are the
        lines that started what could not be watched."""
        from inplace_lsp.tape.codec import to_plain  # noqa: PLC0415
        from inplace_lsp.worker.script.carried_tape import find_tape  # noqa: PLC0415

        tape = find_tape(error)
        if tape is not None:
            self._by_place.pop(_find_place(tape), None)
            self._plain = to_plain(tape)
            self._write_file(uncaught=True)
        elif isinstance(error, RuntimeError) and self._plain is None:
            self._write_file(uncaught=True, error=str(error), unseen=list(unseen))

    def _write_file(self, *, uncaught: bool, **more: object) -> None:
        import torch  # noqa: PLC0415

        versions = {"torch": torch.__version__, "python": sys.version.split()[0]}
        caught = [plain for plain in self._by_place.values() if plain != self._plain]
        said = {
            "tape": self._plain, "uncaught": uncaught, "caught": caught, "rank": _find_rank(), **versions, **more,
        }  # fmt: skip
        _write_json(self._folder, "json", said)


def _write_json(folder: str, suffix: str, said: object) -> None:
    """Write this process's file with that suffix, at once or not at all: a launcher kills the others once one has
    failed."""
    name = os.path.join(folder, f"{socket.gethostname()}-{os.getpid()}")
    with open(name, "w", encoding="utf-8") as file:
        json.dump(said, file)
    os.replace(name, f"{name}.{suffix}")


def _find_place(tape: Tape) -> object:
    """Return the file and row where torch raised."""
    return tuple((event.span.file, event.span.row) for event in tape.events[-1:])


def _find_rank() -> int | None:
    """Return the rank that a launcher gave this process."""
    rank = next((os.environ[name] for name in _RANKS if name in os.environ), "")
    return int(rank) if rank.isdecimal() else None


def _make_importable() -> None:
    """Let `inplace_lsp` be imported from where this file lies."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    spec = importlib.util.spec_from_file_location(
        "inplace_lsp", os.path.join(package, "__init__.py"), submodule_search_locations=[package]
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["inplace_lsp"] = module
    spec.loader.exec_module(module)


if __name__ == "__main__":
    main()
