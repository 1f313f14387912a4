"""Model files: named by the project or in the editor's settings, used as they are typed, watched for changes."""

import asyncio
import copy

import pytest
from lsprotocol import types

from lsp.editor import Editor, capabilities

PROGRAM = """\
import torch
from mylib.ops import fuse

x = torch.rand(3, requires_grad=True) * 2
y = fuse(x)
x.add_(1)
y.sum().backward()
"""
SAVES = """\
from inplace_lsp.modelling import compute

DESCRIBES = "mylib 1"


def fuse(x):
    return compute("fuse", [x], saves=[x])
"""
SAVES_NOTHING = SAVES.replace(", saves=[x]", "")
NAMED_BY_PROJECT = '[tool.inplace-lsp]\nmodels = ["models"]\n'


@pytest.fixture
def root(tmp_path):
    """A folder whose model file says that nothing is saved, and that no project file names."""
    (tmp_path / "models" / "mylib").mkdir(parents=True)
    (tmp_path / "models" / "mylib" / "ops.py").write_text(SAVES_NOTHING)
    (tmp_path / "train.py").write_text(PROGRAM)
    return tmp_path


def folders(root):
    return [types.WorkspaceFolder(root.as_uri(), "folder")]


async def shown(editor: Editor, uri: str, wanted: list[str]) -> None:
    """Wait until exactly these codes are shown."""
    for _ in range(300):
        if [diagnostic.code for diagnostic in await editor.diagnostics(uri)] == wanted:
            return
        await asyncio.sleep(0.05)
    raise AssertionError((wanted, await editor.diagnostics(uri)))


async def test_a_model_file_counts_as_it_is_typed(start, root):
    (root / "pyproject.toml").write_text(NAMED_BY_PROJECT)
    program, model = ((root / name).as_uri() for name in ("train.py", "models/mylib/ops.py"))
    editor = await start(workspace_folders=folders(root))
    editor.open(program, PROGRAM)
    await shown(editor, program, [])
    editor.open(model, SAVES_NOTHING)
    editor.replace(model, 0, len(SAVES_NOTHING), SAVES)
    await shown(editor, program, ["IP101"])
    editor.close(model)
    await shown(editor, program, [])


async def test_a_new_model_file_counts_before_it_is_saved(start, root):
    (root / "pyproject.toml").write_text(NAMED_BY_PROJECT)
    (root / "models" / "mylib" / "ops.py").unlink()
    program, model = ((root / name).as_uri() for name in ("train.py", "models/mylib/ops.py"))
    editor = await start(workspace_folders=folders(root))
    editor.open(program, PROGRAM)
    await shown(editor, program, [])
    editor.open(model, SAVES)
    await shown(editor, program, ["IP101"])


@pytest.mark.parametrize("watches", [True, False])
async def test_a_model_file_that_is_not_open_is_watched(start, root, watches):
    (root / "pyproject.toml").write_text(NAMED_BY_PROJECT)
    declared = copy.deepcopy(capabilities())
    declared.workspace.did_change_watched_files.dynamic_registration = watches
    model = root / "models" / "mylib" / "__init__.py"
    program = (root / "train.py").as_uri()
    text = PROGRAM.replace("mylib.ops", "mylib")
    editor = await start(declared, workspace_folders=folders(root))
    editor.open(program, text)
    await shown(editor, program, [])
    await asyncio.sleep(5 * (not watches))  # it has looked at the folder once
    model.write_text(SAVES)
    if watches:
        change = types.FileEvent(model.as_uri(), types.FileChangeType.Created)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
    await shown(editor, program, ["IP101"])


async def test_mistakes_in_a_model_file_are_findings_in_it(start, root):
    (root / "pyproject.toml").write_text(NAMED_BY_PROJECT)
    model = (root / "models" / "mylib" / "ops.py").as_uri()
    editor = await start(workspace_folders=folders(root))
    editor.open(model, SAVES.replace("import compute", "import computes"))
    await shown(editor, model, ["IP902"])
    editor.replace(model, 0, len(editor.texts[model]), SAVES)
    await shown(editor, model, [])


@pytest.mark.parametrize("is_absolute", [True, False])
async def test_the_editors_setting_names_folders(start, root, is_absolute):
    (root / "models" / "mylib" / "ops.py").write_text(SAVES)
    program = (root / "train.py").as_uri()
    editor = await start(workspace_folders=folders(root))
    editor.open(program, PROGRAM)
    await shown(editor, program, [])
    named = str(root / "models") if is_absolute else "models"
    editor.client.set_configuration({"inplace-lsp": {"models": [named]}})
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    await shown(editor, program, ["IP101"])


async def test_a_folder_that_is_missing_is_one_warning(start, root):
    program = (root / "train.py").as_uri()
    editor = await start(workspace_folders=folders(root), initialization_options={"models": ["nowhere"]})
    editor.open(program, PROGRAM)
    await shown(editor, program, [])
    editor.replace(program, 0, 0, "\n")
    await shown(editor, program, [])
    (warning,) = editor.client.messages
    assert "inplace-lsp.models: 'nowhere': there is no such folder in" in warning.message


async def test_folders_start_where_the_workspace_does_now(start, root):
    (root / "models" / "mylib" / "ops.py").write_text(SAVES)
    program = (root / "train.py").as_uri()
    editor = await start(workspace_folders=[], initialization_options={"models": ["models"]})
    editor.open(program, PROGRAM)
    await shown(editor, program, [])
    event = types.WorkspaceFoldersChangeEvent(added=folders(root), removed=[])
    editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
    await shown(editor, program, ["IP101"])
