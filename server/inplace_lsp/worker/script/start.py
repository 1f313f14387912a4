"""What the user's interpreter is started with: `python start.py TAPE [-m] SCRIPT [ARGS...]`.

TAPE is the file that the tape of an in-place error is written to, as JSON:
`{"tape": {...}, "uncaught": bool, "torch": "2.13.0", "python": "3.11.7"}`. If the program ends by an error of torch's
that the recorder has nothing to tell of, `tape` is null, and there are `error`, its text, and `unseen`, the lines that
started what cannot be watched. This file runs by its path, in an
interpreter that need not have this package; so it makes the package known first, but does not put its folder on the
path of modules.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import sys
from typing import Any

_watching = contextlib.ExitStack()
"""Open until the process ends: threads may go on when the script itself is through."""


def main() -> None:
    """Run the program; ends the process as the program would."""
    out, *rest = sys.argv[1:]
    as_module = rest[0] == "-m"
    name, *arguments = rest[1:] if as_module else rest
    os.environ.setdefault("TORCHDYNAMO_DISABLE", "1")  # compiled code would run past the recorder
    _make_known()
    try:
        import torch  # noqa: F401, PLC0415
    except ImportError as error:
        sys.exit(f"inplace-lsp: {sys.executable} cannot load torch: {error}")
    from inplace_lsp.worker.script import program  # noqa: PLC0415  (known only now)

    run = program.module(name, arguments) if as_module else program.script(name, arguments)
    told = _Told(out)
    unseen: dict[tuple[str, int], None] = {}
    try:
        _watched(run, told, unseen)
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:
        if program.was_not_found(error):
            sys.stderr.write(f"inplace-lsp: cannot run {name}: {error}\n")
            sys.exit(2)
        told.ended_by(error, unseen)
        program.report(error)
        sys.exit(1)


def _watched(run: Any, told: _Told, unseen: dict[tuple[str, int], None]) -> None:
    from inplace_lsp.worker.script import program  # noqa: PLC0415
    from inplace_lsp.worker.script.watch import Watch  # noqa: PLC0415

    program.report_of_threads()
    _watching.enter_context(Watch(told.tell, unseen).watching())
    run()


class _Told:
    """The last in-place error that was raised, kept in the file from that moment on."""

    def __init__(self, out: str) -> None:
        self._out = out
        self._error: BaseException | None = None
        self._plain: Any = None

    def tell(self, tape: Any, error: BaseException) -> None:
        """An in-place error is raised."""
        from inplace_lsp.tape.codec import to_plain  # noqa: PLC0415

        self._error, self._plain = error, to_plain(tape)
        self._write(uncaught=False)

    def ended_by(self, error: BaseException, unseen: dict[tuple[str, int], None]) -> None:
        """The program has ended by `error`; whether it is, or came of, the one that was told. `unseen` are the lines
        that started what could not be watched."""
        seen: BaseException | None = error
        while seen is not None and seen is not self._error:
            seen = seen.__cause__ or seen.__context__
        if seen is not None:
            self._write(uncaught=True)
        elif isinstance(error, RuntimeError) and self._error is None:
            self._write(uncaught=True, error=str(error), unseen=list(unseen))

    def _write(self, *, uncaught: bool, **more: Any) -> None:
        import torch  # noqa: PLC0415

        versions = {"torch": torch.__version__, "python": sys.version.split()[0]}
        said = {"tape": self._plain, "uncaught": uncaught, **versions, **more}
        with open(self._out, "w", encoding="utf-8") as file:
            json.dump(said, file)


def _make_known() -> None:
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
