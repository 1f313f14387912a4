"""Several files: what is typed in a helper counts at once in the open file that calls it."""

import asyncio

import pytest
from lsprotocol import types

from lsp.editor import capabilities

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
        if [diagnostic.code for diagnostic in await editor.diagnostics(uri)] == wanted:
            return
        await asyncio.sleep(0.05)
    raise AssertionError((wanted, await editor.diagnostics(uri)))


async def offered(editor, uri, at):
    """What is offered once the analysis is at rest: a file that was just opened has its importers analysed again."""
    for _ in range(200):
        found = {action.title: action for action in await editor.actions(uri, at, at, only=["quickfix"])}
        if found:
            return found
        await asyncio.sleep(0.05)
    raise AssertionError("nothing is offered")


@pytest.mark.parametrize("is_open", [True, False])
async def test_a_write_in_a_helper_is_repaired_in_either_file(start, tmp_path, is_open):
    helper, caller = ((tmp_path / name).as_uri() for name in ("helper.py", "caller.py"))
    (tmp_path / "helper.py").write_text("pass\n" if is_open else HELPER)
    editor = await start()
    if is_open:
        editor.open(helper, HELPER)
    editor.open(caller, CALLER)
    await shown(editor, caller, ["IP101"])
    found = await offered(editor, caller, CALLER.index("shift(y)"))
    copied = found["Let the op keep a copy: `.clone()` on line 5"]
    (document,) = copied.edit.document_changes
    assert document.text_document.uri == caller
    written = next(action for title, action in found.items() if title.startswith("helper.py: Write out of place"))
    assert written.title.endswith("[unsafe]")
    (document,) = written.edit.document_changes
    assert (document.text_document.uri, document.text_document.version is None) == (helper, not is_open)
    (edit,) = document.edits
    assert (edit.range.start.line, edit.new_text) == (1, "t = t.add(1)")


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

    at = HELPER.index("t.add_(1)")
    editor.replace(helper, at, at + len("t.add_(1)"), "t.add(1)")
    await shown(editor, caller, [])


@pytest.mark.parametrize("module", ["helper.py", "helper/__init__.py"])
async def test_a_helper_that_is_deleted_and_made_again_counts_for_a_client_that_watches_no_files(
    start, tmp_path, module
):
    declared = capabilities()
    declared.workspace.did_change_watched_files = None
    editor = await start(declared)
    helper, caller = tmp_path / module, (tmp_path / "caller.py").as_uri()
    editor.open(caller, CALLER)
    await shown(editor, caller, [])
    for _ in range(2):
        helper.parent.mkdir(exist_ok=True)
        helper.write_text(HELPER)
        await shown(editor, caller, ["IP101"])
        helper.unlink()
        await shown(editor, caller, [])
