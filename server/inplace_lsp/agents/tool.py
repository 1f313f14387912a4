"""What a tool is: its name and schemas for the client, and the call of the command line that answers it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from inplace_lsp.agents.call import ShowProgress
from inplace_lsp.agents.schemas import Schema

Arguments = Mapping[str, Any]
"""Those of a call, valid by the schema of its tool."""
Answer = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool. `answer` raises CallError. `runs_code`: it runs the user's code, and so has to be allowed."""

    name: str
    title: str
    description: str
    inputs: Mapping[str, Schema]
    required: tuple[str, ...] = ()
    output: Schema = field(default_factory=dict)
    answer: Callable[[Arguments, ShowProgress], Awaitable[Answer]]
    runs_code: bool = False

    @property
    def input_schema(self) -> dict[str, object]:
        """The JSON schema of the arguments."""
        return {
            "type": "object",
            "properties": dict(self.inputs),
            "required": list(self.required),
            "additionalProperties": False,
        }
