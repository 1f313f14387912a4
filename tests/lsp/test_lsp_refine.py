"""The first answer comes without jedi; what jedi knows refines it."""

import asyncio
import sys

from inplace_lsp.lsp.session import refiner as jedi_process
from lsp.editor import SECONDS

DOCUMENTED = '''\
import torch

def f(x, w):
    """
    :type x: torch.Tensor
    :type w: torch.Tensor
    """
    y = x * w
    w += 1
    return y
'''


async def codes(editor, uri):
    return [diagnostic.code for diagnostic in await editor.diagnostics(uri)]


async def test_types_that_jedi_infers_arrive_later(start, tmp_path):
    uri = (tmp_path / "documented.py").as_uri()
    editor = await start()
    editor.open(uri, DOCUMENTED)
    assert await codes(editor, uri) == []
    for _ in range(600):
        if await codes(editor, uri) == ["IP101"]:
            break
        await asyncio.sleep(0.05)
    assert await codes(editor, uri) == ["IP101"]


async def test_the_process_of_jedi_ends_when_nobody_asks(monkeypatch):
    monkeypatch.setattr(jedi_process, "IDLE_SECONDS", 0.01)
    refiner = jedi_process.Refiner(session=None)
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "input()", stdin=asyncio.subprocess.PIPE)
    refiner._process = process
    refiner._end_when_idle()
    assert await asyncio.wait_for(process.wait(), SECONDS) != 0
    assert refiner._process is None
