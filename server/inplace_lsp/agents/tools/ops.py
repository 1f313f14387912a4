"""`ops`: what an op of torch saves, views and writes."""

from __future__ import annotations

from inplace_lsp.agents.call import ShowProgress, call_command
from inplace_lsp.agents.schemas import OP, TEXT, describe
from inplace_lsp.agents.tool import Answer, Arguments, Tool


async def _describe_op(arguments: Arguments, _: ShowProgress) -> Answer:
    release = ("--torch", arguments["torch"]) if "torch" in arguments else ()
    called = await call_command("ops", "--output-format", "json", *release, "--", arguments["name"])
    answer = called.read_json()
    return {**answer}


OPS = Tool(
    name="ops",
    title="Tell what a torch op saves, views and writes",
    description=(
        "Tell what an op of torch saves for its backward, whether its result is a view, and what it writes: whether "
        "its input or its result may be written in place afterwards."
    ),
    inputs={
        "name": describe(TEXT, "Such as exp, F.relu, Tensor.add_ or nn.Linear."),
        "torch": describe(TEXT, "The release of torch; by default the project's."),
    },
    required=("name",),
    output=OP,
    answer=_describe_op,
)
