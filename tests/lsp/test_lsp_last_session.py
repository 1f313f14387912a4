"""What the last session found is shown at once when the file is opened unchanged; what an analysis finds counts."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol.types import Diagnostic

from inplace_lsp.lsp.documents import last_session
from inplace_lsp.user_cache import drop_oldest
from lsp.editor import SECONDS, Editor

CALLER = "import torch\nfrom helper import touch\n\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\ntouch(y)\n"
CALLER += "y.sum().backward()\n"
HAZARD = "import torch\n\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\ny += 1\ny.sum().backward()\n"
FINE = HAZARD.replace("y += 1", "y = y + 1")


@pytest.fixture(params=["vscode-languageclient-11.0.0", "emacs"])
def client(request: pytest.FixtureRequest) -> str:
    """One that asks for diagnostics, and one that waits for them."""
    return str(request.param)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INPLACE_LSP_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "editor"


async def until(true: Callable[[], bool]) -> None:
    """Wait until the server has written what it keeps."""
    for _ in range(int(SECONDS / 0.02)):
        if true():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("nothing was kept")


async def find_first_shown(editor: Editor, uri: str) -> list[Diagnostic]:
    """Return the diagnostics that are shown first, before the analysis is done."""
    shown = (
        await editor.diagnostics(uri) if editor.pulls else (await editor.news(uri, editor.versions[uri])).diagnostics
    )
    return list(shown)


async def session(start, path: Path, folder: Path, *, keeps: bool = True) -> list[str]:
    """Open a file, for as long as it takes to keep what is found; the codes that are shown first."""
    editor = await start()
    editor.open(path.as_uri(), path.read_text())
    first = [str(found.code) for found in await editor.diagnostics(path.as_uri())]
    if keeps:
        await until(lambda: bool(list(folder.glob("*.entry"))))
    assert await editor.stop() == 0
    return first


def falsify(folder: Path, **changes: object) -> None:
    """Have the last session say something else, so that what it said can be told from an analysis."""
    [entry] = folder.glob("*.entry")
    data = json.dumps({**json.loads(entry.read_bytes().partition(b"\n")[2]), **changes}).encode()
    entry.write_bytes(hashlib.sha256(data).hexdigest().encode() + b"\n" + data)


async def test_an_unchanged_file_shows_what_the_last_session_found_until_the_analysis_is_done(
    start, tmp_path: Path, folder: Path
):
    path = tmp_path / "train.py"
    path.write_text(HAZARD)
    assert await session(start, path, folder) == ["IP101"]
    falsify(folder, findings=[])
    editor = await start()
    editor.open(path.as_uri(), HAZARD)
    assert await find_first_shown(editor, path.as_uri()) == []
    for _ in range(600):
        if list(await editor.diagnostics(path.as_uri())):
            break
        await asyncio.sleep(0.05)
    assert [found.code for found in await editor.diagnostics(path.as_uri())] == ["IP101"]


async def test_it_is_the_same_diagnostic(start, tmp_path: Path, folder: Path):
    path = tmp_path / "train.py"
    path.write_text(HAZARD)
    editor = await start()
    editor.open(path.as_uri(), HAZARD)
    first = await editor.diagnostics(path.as_uri())
    await until(lambda: bool(list(folder.glob("*.entry"))))
    again = await start()
    again.open(path.as_uri(), HAZARD)
    assert await again.diagnostics(path.as_uri()) == first


@pytest.mark.parametrize("changed", ["text", "module", "configuration", "version"])
async def test_what_may_have_changed_is_not_shown(start, tmp_path: Path, folder: Path, changed: str):
    path, helper = tmp_path / "train.py", tmp_path / "helper.py"
    path.write_text(CALLER)
    helper.write_text("def touch(t):\n    t.add_(1)\n")
    assert await session(start, path, folder) == ["IP101"]
    if changed == "text":
        path.write_text(CALLER.replace("touch(y)\n", "touch(y + 1)\n"))
    elif changed == "module":
        helper.write_text("def touch(t):\n    return t.add(1)\n")
    elif changed == "configuration":
        (tmp_path / "pyproject.toml").write_text("[tool.inplace-lsp]\nignore = ['IP101']\n")
    else:
        falsify(folder, key="that of another version", findings=[])
    assert await session(start, path, folder, keeps=False) == (["IP101"] if changed == "version" else [])


@pytest.mark.parametrize(
    "entry",
    [{"answers": 3}, {"answers": {"/main.py": [1]}}, {"findings": [{"span": "x"}]}, {"gaps": 1}, {"types": [[1]]}],
    ids=str,
)
async def test_an_entry_of_another_shape_is_none(start, tmp_path: Path, folder: Path, entry: dict[str, object]):
    path = tmp_path / "train.py"
    path.write_text(HAZARD)
    await session(start, path, folder)
    falsify(folder, **entry)
    assert await session(start, path, folder, keeps=False) == ["IP101"]


async def test_a_saved_text_is_known_to_the_next_session(start, tmp_path: Path, folder: Path):
    path = tmp_path / "train.py"
    path.write_text(FINE)
    uri = path.as_uri()
    editor = await start()
    editor.open(uri, FINE)
    await editor.diagnostics(uri)
    await until(lambda: bool(list(folder.glob("*.entry"))))
    [entry] = folder.glob("*.entry")
    before = entry.stat().st_mtime_ns
    at = FINE.index("y = y + 1")
    editor.replace(uri, at, at + len("y = y + 1"), "y += 1")
    await editor.diagnostics(uri)
    assert entry.stat().st_mtime_ns == before
    editor.save(uri)
    await until(lambda: entry.stat().st_mtime_ns != before)
    path.write_text(HAZARD)
    falsify(folder, findings=[])
    again = await start()
    again.open(uri, HAZARD)
    assert await find_first_shown(again, uri) == []


def test_a_thousand_files_are_kept(tmp_path: Path):
    for number in range(last_session.MOST + 3):
        (tmp_path / f"{number}.entry").write_text("")
    drop_oldest(tmp_path, last_session.MOST)
    assert len(list(tmp_path.iterdir())) == last_session.MOST
