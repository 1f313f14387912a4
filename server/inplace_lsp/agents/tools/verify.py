"""`verify`: run a function with torch, and see whether its findings are real."""

from __future__ import annotations

from inplace_lsp.agents.call import ShowProgress, call_command
from inplace_lsp.agents.schemas import TEXT, VERDICT, describe
from inplace_lsp.agents.tool import Answer, Arguments, Tool


async def _verify(arguments: Arguments, _: ShowProgress) -> Answer:
    place = arguments["filename"]
    if "function" in arguments:
        place += f"::{arguments['function']}"
    elif "row" in arguments:
        place += f":{arguments['row']}"
    options = [f"--{name}={arguments[name]}" for name in ("timeout", "device") if name in arguments]
    called = await call_command("verify", "--output-format", "json", *options, "--", place)
    answer = called.read_json()
    return {**answer, "problems": called.problems}


VERIFY = Tool(
    name="verify",
    title="Prove a finding by running the function with torch",
    description=(
        "Run a function, or a whole file, with torch in a sandbox, and tell whether its findings are real: confirmed "
        "(torch raises), silent (the gradient is wrong and nothing is raised), not-reproduced or inconclusive. This "
        "runs the user's code, and has to be allowed when the server is started."
    ),
    inputs={
        "filename": describe(TEXT, "The file."),
        "row": describe({"type": "integer", "minimum": 1}, "A row of the function, such as that of a finding."),
        "function": describe(TEXT, "The function's qualified name, instead of a row: Net.forward."),
        "timeout": describe({"type": "number", "exclusiveMinimum": 0}, "The time limit of a run, in seconds."),
        "device": describe({"type": "string", "pattern": "^(auto|cpu|cuda(:[0-9]+)?)$"}, "Where to run it."),
    },
    required=("filename",),
    output=VERDICT,
    answer=_verify,
    runs_code=True,
)
