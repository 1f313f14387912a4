"""A client as coding agents have it: the SDK's own, over stdio."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

HAZARD = """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.add_(1)
y.sum().backward()
"""
FINE = "import torch\n\nx = torch.rand(3, requires_grad=True)\ny = x + 1\ny.add_(1)\ny.sum().backward()\n"
ERROR = (
    "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
    "[torch.FloatTensor [3]], which is output 0 of ExpBackward0, is at version 1; expected version 0 instead."
)
COMMAND = Path(sys.executable).with_name("inplace-lsp")


@asynccontextmanager
async def connected(folder: Path, *options: str, **environment: str) -> AsyncIterator[Client]:
    """A client of a server that was started in `folder`."""
    server = StdioServerParameters(
        command=str(COMMAND), args=["mcp", *options], cwd=str(folder), env=environment or None
    )
    async with Client(server) as client:
        yield client


async def ask(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The answer of a tool, which must be one; the SDK holds it against the schema."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, said(result)
    answer: dict[str, Any] = result.structured_content
    return answer


async def refuse(client: Client, tool: str, **arguments: Any) -> str:
    """Why a tool has no answer: one sentence."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, said(result)
    sentence = said(result)
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    return sentence


def said(result: Any) -> str:
    """What the agent's model reads."""
    [content] = result.content
    text: str = content.text
    return text
