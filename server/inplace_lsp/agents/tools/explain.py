"""`explain`: the page of a code."""

from __future__ import annotations

from inplace_lsp.agents.call import CallError, ShowProgress, call_command
from inplace_lsp.agents.schemas import PAGE, TEXT, describe
from inplace_lsp.agents.tool import Answer, Arguments, Tool


async def _explain(arguments: Arguments, _: ShowProgress) -> Answer:
    called = await call_command("explain", "--", arguments["code"])
    if called.status:
        raise CallError(called.describe_failure())
    return {"page": called.output.strip()}


EXPLAIN = Tool(
    name="explain",
    title="Explain the code of a finding",
    description=(
        "Explain a code such as IP101: what happens, why it matters, programs that have the hazard and programs that "
        "do not, and what to write instead."
    ),
    inputs={"code": describe(TEXT, "The code, such as IP101, or its name, such as saved-tensor-modified.")},
    required=("code",),
    output=PAGE,
    answer=_explain,
)
