"""Settings of the editor, pyproject.toml, and what happens when one of them changes or makes no sense."""

import asyncio
import copy

import pytest
from lsprotocol import types

from inplace_lsp.lsp.client.settings import Settings, parse_settings
from lsp.editor import Editor, capabilities

HAZARD = "import torch\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\ny.add_(1)\ny.sum().backward()\n"


def test_a_bad_value_is_one_warning_that_names_key_and_value():
    settings, problems = parse_settings(
        {"ignore": ["IP999"], "inlayHints": "some", "codeLens": 1, "colour": 2}, Settings()
    )
    assert settings == Settings()
    assert len(problems) == 4
    for problem, parts in zip(
        problems, [("ignore", "IP999"), ("inlayHints", "'some'"), ("codeLens", "1"), ("colour", "2")], strict=True
    ):
        assert all(part in problem for part in parts)
        assert problem.endswith("The default is used.")
    assert parse_settings([], Settings()) == (
        Settings(),
        ["inplace-lsp = []: must be an object. The defaults are used."],
    )
    assert parse_settings(None, Settings(inlay_hints="off")) == (Settings(inlay_hints="off"), [])


def test_later_settings_stand_on_earlier_ones():
    first, _ = parse_settings({"ignore": ["IP101"], "inlayHints": "all"}, Settings())
    second, problems = parse_settings({"inlayHints": "off"}, first)
    assert (second, problems) == (Settings(ignore=("IP101",), inlay_hints="off"), [])


async def codes(editor: Editor, uri: str, wanted: list[str]) -> None:
    """Wait until exactly these are shown."""
    for _ in range(400):
        if [diagnostic.code for diagnostic in await editor.diagnostics(uri)] == wanted:
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"never showed {wanted}")


async def test_initialization_options_count(start):
    editor = await start(initialization_options={"ignore": ["IP101"]})
    editor.open("file:///tmp/x.py", HAZARD)
    await codes(editor, "file:///tmp/x.py", [])


async def test_settings_of_the_editor_are_asked_for_and_followed_when_they_change(start):
    editor = await start()
    editor.open("file:///tmp/x.py", HAZARD)
    await codes(editor, "file:///tmp/x.py", ["IP101"])
    editor.client.set_configuration({"inplace-lsp": {"ignore": ["IP1"]}})
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    await codes(editor, "file:///tmp/x.py", [])


async def test_folders_of_one_window_have_their_own_settings(start, tmp_path):
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    first, second = (types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders)
    editor = await start(workspace_folders=[first, second])
    editor.client.set_configuration({"inplace-lsp": {}})
    editor.client.set_configuration({"inplace-lsp": {"ignore": ["IP1"]}}, scope_uri=second.uri)
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    for folder, wanted in ((first, ["IP101"]), (second, [])):
        editor.open(f"{folder.uri}/x.py", HAZARD)
        await codes(editor, f"{folder.uri}/x.py", wanted)


async def test_a_folder_that_is_added_brings_its_settings(start, tmp_path):
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    first, second = (types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders)
    editor = await start(workspace_folders=[first])
    editor.client.set_configuration({"inplace-lsp": {"ignore": ["IP1"]}}, scope_uri=second.uri)
    editor.open(f"{second.uri}/x.py", HAZARD)
    await codes(editor, f"{second.uri}/x.py", ["IP101"])
    change = types.WorkspaceFoldersChangeEvent(added=[second], removed=[])
    editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(change))
    await codes(editor, f"{second.uri}/x.py", [])


def test_the_innermost_folder_counts():
    outer, inner = Settings(device="cpu"), Settings(device="cuda")
    settings = Settings(of_folders=(("/work", outer), ("/work/inner", inner)))
    found = [
        settings.find_for_file(file) for file in ("/work/x.py", "/work/inner/x.py", "/work/inner2/x.py", "/else/x.py")
    ]
    assert found == [outer, inner, outer, settings]


async def test_a_client_that_cannot_be_asked_sends_them_along(start):
    declared = copy.deepcopy(capabilities())
    declared.workspace.configuration = None
    editor = await start(declared)
    editor.open("file:///tmp/x.py", HAZARD)
    settings = {"inplace-lsp": {"ignore": ["IP101"]}}
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=settings))
    await codes(editor, "file:///tmp/x.py", [])


@pytest.mark.parametrize("watches", [True, False])
async def test_the_project_decides_and_a_change_of_it_is_noticed(start, tmp_path, watches):
    declared = copy.deepcopy(capabilities())
    declared.workspace.did_change_watched_files.dynamic_registration = watches
    project = tmp_path / "pyproject.toml"
    project.write_text('[tool.inplace-lsp]\nignore = ["IP101"]\n')
    uri = (tmp_path / "x.py").as_uri()
    editor = await start(declared, initialization_options={"ignore": []})
    editor.open(uri, HAZARD)
    await codes(editor, uri, [])
    project.write_text("[tool.inplace-lsp]\nignore = []\n# changed\n")
    if watches:
        change = types.FileEvent(project.as_uri(), types.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
    await codes(editor, uri, ["IP101"])


async def test_a_broken_project_file_is_one_warning_and_the_findings_stay(start, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.inplace-lsp]\nignore = ["IP999"]\n')
    uri = (tmp_path / "x.py").as_uri()
    editor = await start()
    editor.open(uri, HAZARD)
    await codes(editor, uri, ["IP101"])
    for _ in range(3):
        editor.replace(uri, 0, 0, "\n")
        await codes(editor, uri, ["IP101"])
    (warning,) = editor.client.messages
    assert warning.type == types.MessageType.Warning
    assert "IP999" in warning.message
    assert "ignore" in warning.message


async def test_a_project_file_that_no_parser_reads_is_a_warning_and_the_findings_stay(start, tmp_path):
    (tmp_path / "pyproject.toml").write_text(f"x = {'[' * 5000}{']' * 5000}\n")
    editor = await start()
    editor.open((tmp_path / "x.py").as_uri(), HAZARD)
    await codes(editor, (tmp_path / "x.py").as_uri(), ["IP101"])
    (warning,) = editor.client.messages
    assert "nested too deeply to be read" in warning.message


async def test_pulling_clients_are_asked_to_pull_again(start):
    declared = copy.deepcopy(capabilities("neovim@v0.11.0"))
    declared.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    editor = await start(declared)
    editor.open("file:///tmp/x.py", HAZARD)
    await codes(editor, "file:///tmp/x.py", ["IP101"])
    editor.client.set_configuration({"inplace-lsp": {"ignore": ["IP1"]}})
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    await codes(editor, "file:///tmp/x.py", [])
    assert editor.client.diagnostic_refresh_count == 1


@pytest.mark.parametrize(
    ("value", "settings", "problem"),
    [
        ({"verifyTimeout": 2.5}, Settings(verify_timeout=2.5), ""),
        ({"verifyTimeout": 0}, Settings(), "verifyTimeout = 0: must be a number of seconds"),
        ({"verifyTimeout": True}, Settings(), "verifyTimeout = True: must be a number of seconds"),
        (
            {"interpreter": None, "launch": "ssh box", "device": "cuda:1"},
            Settings(launch="ssh box", device="cuda:1"),
            "",
        ),
        ({"select": None, "verifyTimeout": None, "codeLens": None}, Settings(), ""),
        ({"interpreter": ["python"]}, Settings(), "interpreter = ['python']: must be a string"),
        ({"models": ["tools/models"]}, Settings(models=("tools/models",)), ""),
        ({"models": "tools/models"}, Settings(), "models = 'tools/models': must be a list of strings"),
        ({"trusted": True}, Settings(), "trusted = True: there is no such setting"),
    ],
)
def test_each_setting_is_checked(value, settings, problem):
    found, problems = parse_settings(value, Settings())
    assert found == settings
    assert [problem in message for message in problems] == [True] * bool(problem)
