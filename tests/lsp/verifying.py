"""An editor that verifies: what the tests of the command share."""

from __future__ import annotations

import asyncio
import json
import sys
from types import SimpleNamespace
from typing import Any

from lsprotocol import types

from lsp.editor import Editor, position_at

COMMAND = "inplace-lsp.verify"
TRUSTED = {"trusted": True, "interpreter": sys.executable}
SECONDS = 180
"""Torch is loaded once a server, which takes long on a busy machine."""

HAZARD = """\
import torch


def loss_of(x):
    y = x.exp()
    y.add_(1)
    return y.sum()


x = torch.rand(3, requires_grad=True)
loss_of(x).backward()
"""
ENDLESS = """\
import torch


def spin(x):
    y = x.exp()
    while True:
        pass


spin(torch.rand(3))
"""


async def verify(editor: Editor, uri: str, row: int, token: str | None = None) -> Any:
    """The answer to the command, its fields as attributes."""
    params = types.ExecuteCommandParams(COMMAND, [uri, row], work_done_token=token)
    answer = await asyncio.wait_for(editor.client.workspace_execute_command_async(params), SECONDS)
    return json.loads(json.dumps(answer), object_hook=lambda fields: SimpleNamespace(**fields))


async def trace(editor: Editor, uri: str, offset: int, **how: str) -> Any:
    """The answer to `inplace/trace`."""
    at = position_at(editor.texts[uri], offset, editor.encoding)
    params = {"textDocument": {"uri": uri}, "position": {"line": at.line, "character": at.character}, **how}
    return await asyncio.wait_for(editor.client.protocol.send_request_async("inplace/trace", params), SECONDS)


def said(editor: Editor) -> str:
    """The last message that the user saw."""
    return editor.client.messages[-1].message
