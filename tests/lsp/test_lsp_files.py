"""Several files: what is typed in a helper counts at once in the open file that calls it."""

import asyncio

from lsprotocol import types

HELPER = "def shift(t):\n    t.add_(1)\n    return t\n"
CALLER = """\
import torch
from helper import shift

x = torch.rand(3, requires_grad=True)
y = x.exp()
shift(y)
y.sum().backward()
"""


async def shown(editor, uri, wanted):
    for _ in range(200):
        if [one.code for one in await editor.diagnostics(uri)] == wanted:
            return
        await asyncio.sleep(0.05)
    raise AssertionError((wanted, await editor.diagnostics(uri)))


async def test_a_write_in_a_helper_shows_at_the_call_and_follows_what_is_typed_there(start, tmp_path):
    (tmp_path / "helper.py").write_text(HELPER.replace("t.add_(1)", "pass"))
    helper, caller = ((tmp_path / name).as_uri() for name in ("helper.py", "caller.py"))
    (tmp_path / "caller.py").write_text(CALLER)
    editor = await start()
    editor.open(caller, CALLER)
    await shown(editor, caller, [])

    editor.open(helper, HELPER)  # not saved: the disk still has the harmless one
    await shown(editor, caller, ["IP101"])
    (found,) = await editor.diagnostics(caller)
    assert editor.part(caller, found.range) == "shift(y)"
    assert found.message.startswith("helper.py, line 2: ")
    written = found.related_information[0].location
    assert (written.uri, written.range.start) == (helper, types.Position(1, 0))
    assert await editor.actions(caller, CALLER.index("shift(y)"), CALLER.index("shift(y)"), only=["quickfix"]) == []

    at = HELPER.index("t.add_(1)")
    editor.replace(helper, at, at + len("t.add_(1)"), "t.add(1)")
    await shown(editor, caller, [])
