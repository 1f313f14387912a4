"""The environment whose packages are read: what the project, the settings or the editor say of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types

from environments import PROGRAM, make_environment
from lsp.editor import Editor


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a program, beside an environment that nothing names."""
    make_environment(tmp_path / "packages")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "train.py").write_text(PROGRAM)
    return tmp_path / "project"


async def opened(start, root: Path, **options: str) -> Editor:
    folders = [types.WorkspaceFolder(root.as_uri(), "folder")]
    editor: Editor = await start(workspace_folders=folders, initialization_options=options)
    editor.open((root / "train.py").as_uri(), PROGRAM)
    return editor


async def shown(editor: Editor, root: Path, wanted: list[str]) -> None:
    """Wait until exactly these codes are shown."""
    uri = (root / "train.py").as_uri()
    for _ in range(200):
        if [diagnostic.code for diagnostic in await editor.diagnostics(uri)] == wanted:
            return
        await asyncio.sleep(0.05)
    raise AssertionError((wanted, await editor.diagnostics(uri)))


@pytest.mark.parametrize("key", ["python", "interpreter"])
@pytest.mark.parametrize("named", ["../packages", "{}/packages", "{}/packages/bin/python"])
async def test_the_settings_name_it(start, root: Path, key: str, named: str) -> None:
    editor = await opened(start, root, **{key: named.format(root.parent)})
    await shown(editor, root, ["IP101"])
    assert editor.client.messages == []


async def test_a_setting_may_come_later(start, root: Path) -> None:
    editor = await opened(start, root)
    await shown(editor, root, [])
    editor.client.set_configuration({"inplace-lsp": {"python": "../packages"}})
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    await shown(editor, root, ["IP101"])


async def test_the_editor_chooses_another_interpreter(start, root: Path, tmp_path: Path) -> None:
    empty = make_environment(tmp_path / "empty", package=None)
    editor = await opened(start, root, interpreter=str(empty))
    await shown(editor, root, [])
    chosen = tmp_path / "packages" / "bin" / "python"
    editor.client.protocol.notify("inplace/didChangeInterpreter", {"interpreter": str(chosen)})
    await shown(editor, root, ["IP101"])
    editor.client.protocol.notify("inplace/didChangeInterpreter", {"interpreter": None})
    await shown(editor, root, [])


async def test_the_setting_counts_before_the_editors_choice(start, root: Path, tmp_path: Path) -> None:
    empty = make_environment(tmp_path / "empty", package=None)
    editor = await opened(start, root, python="../packages", interpreter=str(empty))
    await shown(editor, root, ["IP101"])
    editor.client.protocol.notify("inplace/didChangeInterpreter", {"interpreter": str(empty / "bin" / "python")})
    await shown(editor, root, ["IP101"])


async def test_the_project_counts_before_the_settings(start, root: Path, tmp_path: Path) -> None:
    make_environment(tmp_path / "empty", package=None)
    (root / "pyproject.toml").write_text('[tool.inplace-lsp]\npython = "../empty"\n')
    editor = await opened(start, root, python="../packages")
    await shown(editor, root, [])
    (root / "pyproject.toml").write_text("[tool.inplace-lsp]\n")
    change = types.FileEvent((root / "pyproject.toml").as_uri(), types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
    await shown(editor, root, ["IP101"])


async def test_what_is_not_there_is_one_warning(start, root: Path) -> None:
    make_environment(root / ".venv")
    editor = await opened(start, root, python="nowhere")
    await shown(editor, root, ["IP101"])
    editor.replace((root / "train.py").as_uri(), 0, 0, "\n")
    await shown(editor, root, ["IP101"])
    (warning,) = editor.client.messages
    assert "inplace-lsp.python = 'nowhere': there is no environment of that name in " in warning.message


async def test_an_interpreter_on_another_machine_is_not_looked_for_here(start, root: Path) -> None:
    make_environment(root / ".venv")
    editor = await opened(start, root, python="/opt/there/bin/python", launch="ssh box")
    await shown(editor, root, ["IP101"])
    assert editor.client.messages == []


async def test_each_folder_has_its_own(start, root: Path, tmp_path: Path) -> None:
    make_environment(tmp_path / "empty", package=None)
    other = tmp_path / "other"
    other.mkdir()
    folders = [types.WorkspaceFolder(path.as_uri(), path.name) for path in (root, other)]
    editor = await start(workspace_folders=folders, initialization_options={"interpreter": str(tmp_path / "empty")})
    chosen = {"interpreter": str(tmp_path / "packages")}
    for scope, said in ((None, {}), (root.as_uri(), chosen), (other.as_uri(), {})):
        editor.client.set_configuration({"inplace-lsp": said}, scope_uri=scope)
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    for folder in (root, other):
        editor.open((folder / "train.py").as_uri(), PROGRAM)
    await shown(editor, root, ["IP101"])
    await shown(editor, other, [])
