"""`tape`: what happens to the tensor of a finding, version by version."""

from __future__ import annotations

from inplace_lsp.agents.call import ShowProgress, call_command
from inplace_lsp.agents.schemas import TEXT, TRACE, describe
from inplace_lsp.agents.tool import Answer, Arguments, Tool


async def _show_tape(arguments: Arguments, _: ShowProgress) -> Answer:
    place = f"{arguments['filename']}:{arguments['row']}"
    called = await call_command("tape", "--output-format", "json", "--", place)
    answer = called.read_json()
    return {**answer}


TAPE = Tool(
    name="tape",
    title="Show what happens to the tensor of a finding",
    description=(
        "Show what the analysis predicts for the tensor of a finding of `check`: which op made it, who saved it at "
        "which version, who wrote it, and which backward needs it. Nothing is run."
    ),
    inputs={
        "filename": describe(TEXT, "The file of the finding."),
        "row": describe({"type": "integer", "minimum": 1}, "The row of the finding."),
    },
    required=("filename", "row"),
    output=TRACE,
    answer=_show_tape,
)
