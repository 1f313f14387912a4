"""`trace`: run a script, and if torch raises, name the line that wrote."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import anyio

from inplace_lsp.agents.call import CallError, ShowProgress, call_command
from inplace_lsp.agents.schemas import RUN, TEXT, describe
from inplace_lsp.agents.tool import Answer, Arguments, Tool

MOST = 20_000
"""The characters that are shown of what a script prints."""
LIMIT_SECONDS = 600.0


async def _trace(arguments: Arguments, _: ShowProgress) -> Answer:
    limit = arguments.get("timeout", LIMIT_SECONDS)
    with tempfile.TemporaryDirectory(prefix="inplace-lsp-", ignore_cleanup_errors=True) as folder:
        written = Path(folder) / "trace.json"
        module = ["-m"] if arguments.get("module") else []
        with anyio.move_on_after(limit) as time:
            words = ("trace", "--json", str(written), *module, "--", arguments["script"])
            called = await call_command(*words, *arguments.get("arguments", ()))
        if time.cancelled_caught:
            raise CallError(f"the script was ended after {limit:g} s; `timeout` gives it more time")
        trace = json.loads(written.read_text(encoding="utf-8")) if written.exists() else None
    return {"status": called.status, "output": called.output[-MOST:], "log": called.log[-MOST:], "trace": trace}


TRACE = Tool(
    name="trace",
    title="Run a script and explain its in-place error",
    description=(
        "Run a script as it is, and explain the in-place errors that torch raises: which line wrote the tensor, which "
        "line had saved it, and what happened in between. This runs the user's code, and has to be allowed when the "
        "server is started."
    ),
    inputs={
        "script": describe(TEXT, "The script, or the name of a module."),
        "arguments": describe({"type": "array", "items": TEXT}, "Its arguments."),
        "module": describe({"type": "boolean", "default": False}, "Whether `script` is a module, as in `python -m`."),
        "timeout": describe(
            {"type": "number", "exclusiveMinimum": 0, "default": LIMIT_SECONDS}, "The time limit, in seconds."
        ),
    },
    required=("script",),
    output=RUN,
    answer=_trace,
    runs_code=True,
)
