"""libcst is native: an editor's copy of the server may have none for the user's Python. All but the repairs works."""

import sys

from lsp.editor import Editor

SERVE = (
    sys.executable,
    "-c",
    "import sys; sys.modules['libcst'] = None\nfrom inplace_lsp.cli.main import main\nmain()",
    "serve",
)
HAZARD = """\
import torch

def loss(x):
    y = x.exp()
    y.add_(1)
    return y.sum()
"""


async def test_findings_stay_and_the_user_is_told_what_is_missing(tmp_path):
    uri = (tmp_path / "hazard.py").as_uri()
    editor = Editor()
    await editor.start(command=SERVE)
    editor.open(uri, HAZARD)
    assert [diagnostic.code for diagnostic in await editor.diagnostics(uri)] == ["IP101"]

    at = HAZARD.index("y.add_")
    titles = [action.title for action in await editor.actions(uri, at, at, ["quickfix"])]
    assert titles == ["Verify by running", "Ignore IP101 on this line", "Ignore IP101 in this file"]
    assert any("pip install libcst" in message.message for message in editor.client.messages)

    editor.replace(uri, len(HAZARD), len(HAZARD), "\ndef broken(:\n")
    assert [diagnostic.code for diagnostic in await editor.diagnostics(uri)] == ["IP101"]
    assert await editor.stop() == 0
