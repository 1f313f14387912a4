"""Inlay hints with what a line keeps in memory until backward, where a verified run has measured it."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from lsp.verifying import TRUSTED, verify

pytestmark = pytest.mark.xdist_group("lsp-verify")
NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.wide = nn.Linear(8, 1024)
        self.act = nn.LeakyReLU()
        self.out = nn.Linear(1024, 8)

    def forward(self, x):
        h = self.wide(x)
        h = self.widen(h)
        return self.out(h)

    def widen(self, h):
        return self.act(h)


if __name__ == "__main__":
    Net()(torch.randn(512, 8)).sum().backward()
"""
FORWARD, WIDE, ACT = 12, (13, "keeps 2.0 MiB"), (18, "keeps 2.0 MiB")
"""512 x 1024 floats are 2 MiB: the slope needs those it is given, the matrix after it those that it gives."""


@pytest.fixture
def uri(tmp_path: Path) -> str:
    return (tmp_path / "net.py").as_uri()


async def shown(editor, uri: str) -> set[tuple[int, str]]:
    end = types.Position(editor.texts[uri].count("\n") + 1, 0)
    params = types.InlayHintParams(types.TextDocumentIdentifier(uri), types.Range(types.Position(0, 0), end))
    hints = await editor.client.text_document_inlay_hint_async(params) or ()
    return {(hint.position.line + 1, hint.label) for hint in hints}


def change(editor, uri: str, text: str) -> None:
    editor.replace(uri, 0, len(editor.texts[uri]), text)


async def test_a_measured_line_says_what_it_keeps_until_its_function_changes(start, uri):
    editor = await start(initialization_options={**TRUSTED, "memoryHints": True})
    editor.open(uri, NET)
    assert await shown(editor, uri) == set()
    assert (await verify(editor, uri, FORWARD)).verdict == "not-reproduced"
    assert await shown(editor, uri) == {WIDE, ACT}  # 16 KiB, the result, are less than a hundredth
    change(editor, uri, "# moved by a line\n" + NET)
    assert await shown(editor, uri) == {(row + 1, label) for row, label in (WIDE, ACT)}
    change(editor, uri, NET.replace("return self.act(h)", "return self.act(h) + 1"))
    assert await shown(editor, uri) == {WIDE}
    change(editor, uri, NET.replace("h = self.wide(x)", "h = self.wide(x) + 1"))
    assert await shown(editor, uri) == set()
    change(editor, uri, NET)
    assert await shown(editor, uri) == {WIDE, ACT}


async def test_without_the_setting_nothing_is_measured(start, uri):
    editor = await start(initialization_options={**TRUSTED, "inlayHints": "off"})
    editor.open(uri, NET)
    await verify(editor, uri, FORWARD)
    assert await shown(editor, uri) == set()
    assert "measuring its memory" not in [report.value.get("message") for report in editor.progress]
