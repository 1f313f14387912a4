"""inplace/why: an error of torch's in, the places of the workspace that explain it out."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from lsp.editor import SECONDS, Editor, capabilities

HAZARD = "import torch\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\n'é😀'; y.add_(1)\ny.sum().backward()\n"
FINE = HAZARD.replace("x.exp()", "x + 1")
MESSAGE = (
    "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
    "[torch.cuda.FloatTensor [3]], which is output 0 of ExpBackward0, is at version 1; expected version 0 instead."
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"good.py": FINE, "bad.py": HAZARD, "opened.py": FINE}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


async def begin(start, folder: Path | None) -> Editor:
    folders = [types.WorkspaceFolder(folder.as_uri(), folder.name)] if folder else None
    return await start(capabilities("visual-studio-code"), workspace_folders=folders)


async def ask(editor: Editor, **params: object):
    return await asyncio.wait_for(editor.client.protocol.send_request_async("inplace/why", params), SECONDS)


async def test_the_write_is_found_in_a_file_that_is_not_open(start, folder: Path):
    editor = await begin(start, folder)
    answer = await ask(editor, text=MESSAGE)
    assert (answer.error.kind, answer.error.op, answer.error.found) == ("saved", "ExpBackward0", 1)
    first = answer.candidates[0]
    assert (first.rank, first.code, first.filename, first.location.row) == (1, "IP101", str(folder / "bad.py"), 4)
    assert first.uri == (folder / "bad.py").as_uri()
    where = first.range.start
    assert (where.line, where.character) == (3, len("'é😀'; ".encode("utf-16-le")) // 2)
    assert "1. bad.py:4:7: IP101" in answer.text


async def test_open_files_count_as_they_are_typed(start, folder: Path):
    editor = await begin(start, folder)
    editor.open((folder / "bad.py").as_uri(), FINE)
    editor.open((folder / "opened.py").as_uri(), HAZARD)
    answer = await ask(editor, text=MESSAGE)
    assert [Path(candidate.filename).name for candidate in answer.candidates] == ["opened.py"]


async def test_a_file_without_a_workspace(start, folder: Path):
    editor = await begin(start, None)
    editor.open((folder / "bad.py").as_uri(), HAZARD)
    answer = await ask(editor, text=MESSAGE)
    assert answer.candidates[0].uri == (folder / "bad.py").as_uri()


async def test_nothing_fits(start, folder: Path):
    editor = await begin(start, folder)
    answer = await ask(editor, text="a leaf Variable that requires grad is being used in an in-place operation.")
    assert (answer.error.kind, list(answer.candidates)) == ("leaf", [])
    assert "Nothing in 3 files fits." in answer.text


async def test_another_text_is_no_error(start, folder: Path):
    editor = await begin(start, folder)
    assert await ask(editor, text="RuntimeError: CUDA out of memory") is None
    with pytest.raises(JsonRpcException, match="`text`"):
        await ask(editor, log=MESSAGE)


async def test_a_client_may_name_the_folders(start, folder: Path):
    editor = await begin(start, None)
    answer = await ask(editor, text=MESSAGE, folders=[folder.as_uri()])
    assert answer.candidates[0].uri == (folder / "bad.py").as_uri()
    with pytest.raises(JsonRpcException, match="`folders`"):
        await ask(editor, text=MESSAGE, folders="here")
