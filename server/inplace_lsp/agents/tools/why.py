"""`why`: from torch's error message to the line that wrote."""

from __future__ import annotations

from inplace_lsp.agents.call import ShowProgress, call_command
from inplace_lsp.agents.schemas import ANSWER, TEXT, describe
from inplace_lsp.agents.tool import Answer, Arguments, Tool


async def _explain_error(arguments: Arguments, show: ShowProgress) -> Answer:
    words = ("why", "--output-format", "agent", "--progress", "json", "--", "-", *arguments.get("paths", ()))
    called = await call_command(*words, text=arguments["error"], show=show)
    answer = called.read_json()
    return {**answer, "problems": called.problems}


WHY = Tool(
    name="why",
    title="Find the write that explains torch's error",
    description=(
        "Find the line that caused a PyTorch error about an in-place write, such as `one of the variables needed for "
        "gradient computation has been modified by an inplace operation`, without running anything. Torch's message "
        "names the op that needs the tensor, not the line that wrote it; this ranks the writes that explain it."
    ),
    inputs={
        "error": describe(TEXT, "Torch's message with its traceback, or a whole log that contains it."),
        "paths": describe(
            {"type": "array", "items": TEXT},
            "The files and folders of the program that failed; by default the folder that the server was started in.",
        ),
    },
    required=("error",),
    output=ANSWER,
    answer=_explain_error,
)
