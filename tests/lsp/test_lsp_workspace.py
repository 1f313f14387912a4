"""Diagnostics of the whole workspace: pulled, with partial results, or pushed; true to the disk as it changes."""

import asyncio
import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from inplace_lsp.config import DEFAULT
from inplace_lsp.files.walk import find_files
from inplace_lsp.lsp.client.capabilities import Client
from inplace_lsp.lsp.client.settings import Settings
from inplace_lsp.lsp.documents.documents import Documents
from inplace_lsp.lsp.workspace.jobs import Check, Files, Find, Report
from inplace_lsp.lsp.workspace.pool import LostError, ProcessPool
from inplace_lsp.lsp.workspace.scan import Scan
from inplace_lsp.project import check_text
from lsp.editor import SECONDS, Editor, capabilities

PULLS = "vscode-languageclient-11.0.0"
PUSHED_TO = ("neovim-0.11.4", "visual-studio-code")
HAZARD = "import torch\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\ny.add_(1)\ny.sum().backward()\n"
FINE = HAZARD.replace("x.exp()", "x + 1")
CALLER = "import torch\nfrom helper import shift\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\n"
CALLER += "y = y.detach()\ny.requires_grad_()\nz = y.exp()\nshift(z)\nz.sum().backward()\n"
MUTATING = "def shift(z):\n    z += 1\n    return z\n"
HARMLESS = "def shift(z):\n    return z + 1\n"
WORKSPACE = {"diagnosticMode": "workspace"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with a finding in `bad.py` and `sub dir/naïve.py`, and with files that are none of its code."""
    root = tmp_path / "a project"
    files = {
        "good.py": FINE,
        "bad.py": HAZARD,
        "sub dir/naïve.py": HAZARD,
        "generated/made.py": HAZARD,
        "excluded/old.py": HAZARD,
        "build/lib.py": HAZARD,
        "notes.txt": HAZARD,
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (root / ".gitignore").write_text("generated/\n")
    (root / "pyproject.toml").write_text('[tool.inplace-lsp]\nexclude = ["excluded/"]\n')
    return root


async def begin(start, client: str, folder: Path, options: object = None) -> Editor:
    folders = [types.WorkspaceFolder(folder.as_uri(), folder.name)]
    return await start(
        capabilities(client),
        initialization_options=WORKSPACE if options is None else options,
        workspace_folders=folders,
    )


async def pull(editor: Editor, previous: dict[str, str] | None = None, token: str | None = None):
    """What `workspace/diagnostic` brings: the final answer's items, or those of all partial results."""
    known = [types.PreviousResultId(uri, value) for uri, value in (previous or {}).items()]
    params = types.WorkspaceDiagnosticParams(known, partial_result_token=token)
    report = await asyncio.wait_for(editor.client.workspace_diagnostic_async(params), SECONDS)
    if token is None:
        return list(report.items)
    assert list(report.items) == []
    return streamed(editor, token)


def streamed(editor: Editor, token: str):
    reads = editor.client.protocol._converter.structure
    parts = (report.value for report in editor.progress if report.token == token)
    return [item for part in parts for item in reads(part, types.WorkspaceDiagnosticReportPartialResult).items]


def names(folder: Path, items) -> dict[str, list[str] | str]:
    """The codes of each file, or that it is unchanged."""
    uris = {path.as_uri(): path.relative_to(folder).as_posix() for path in folder.rglob("*.py")}
    return {
        uris.get(item.uri, item.uri): "unchanged" if item.kind == "unchanged" else [each.code for each in item.items]
        for item in items
    }


def ids(items) -> dict[str, str]:
    return {item.uri: item.result_id for item in items if item.result_id is not None}


ALL = {"bad.py": ["IP101"], "good.py": [], "sub dir/naïve.py": ["IP101"]}


@pytest.mark.parametrize("token", [None, "partial"])
async def test_all_files_that_a_check_would_look_at_are_reported_once(start, folder, token):
    editor = await begin(start, PULLS, folder)
    items = await pull(editor, token=token)
    assert names(folder, items) == ALL
    assert len(items) == len(ALL)
    assert all(item.version is None for item in items)
    checked = find_files((str(folder),), lambda problem: None)
    assert sorted(item.uri for item in items) == sorted(Path(file).as_uri() for file in checked)
    assert editor.published == []


async def test_what_the_client_has_already_is_unchanged(start, folder):
    editor = await begin(start, PULLS, folder)
    known = ids(await pull(editor))
    assert names(folder, await pull(editor, known)) == dict.fromkeys(ALL, "unchanged")
    (folder / "good.py").write_text(HAZARD + "\n")
    (folder / "bad.py").unlink()
    found = names(folder, await pull(editor, known))
    assert found == {(folder / "bad.py").as_uri(): [], "good.py": ["IP101"], "sub dir/naïve.py": "unchanged"}


async def test_an_open_file_is_reported_as_it_is_typed_with_its_version(start, folder):
    editor = await begin(start, PULLS, folder)
    uri = (folder / "bad.py").as_uri()
    editor.open(uri, FINE, version=7)
    document = await editor.client.text_document_diagnostic_async(
        types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
    )
    items = await pull(editor)
    assert names(folder, items) == {**ALL, "bad.py": []}
    (own,) = (item for item in items if item.uri == uri)
    assert (own.version, own.result_id) == (7, document.result_id)
    editor.close(uri)
    assert names(folder, await pull(editor)) == ALL


async def test_a_client_that_asks_again_is_answered_when_there_is_something_new(start, folder):
    editor = await begin(start, PULLS, folder)
    known = ids(await pull(editor, token="first"))
    asked = asyncio.create_task(pull(editor, known, "second"))
    done, _ = await asyncio.wait([asked], timeout=1.5)
    assert not done
    path = folder / "good.py"
    path.write_text(HAZARD)
    changed(editor, path)
    assert names(folder, await asked)["good.py"] == ["IP101"]


def changed(editor: Editor, *paths: Path) -> None:
    events = [types.FileEvent(path.as_uri(), types.FileChangeType.Changed) for path in paths]
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))


async def test_a_waiting_request_can_be_cancelled(start, folder):
    editor = await begin(start, PULLS, folder)
    known = [types.PreviousResultId(uri, value) for uri, value in ids(await pull(editor)).items()]
    params = types.WorkspaceDiagnosticParams(known, partial_result_token="waits")
    asked = asyncio.ensure_future(editor.client.protocol.send_request_async(types.WORKSPACE_DIAGNOSTIC, params, "mine"))
    await asyncio.sleep(0.3)
    editor.client.cancel_request(types.CancelParams("mine"))
    with pytest.raises(JsonRpcException, match="canceled"):
        await asyncio.wait_for(asked, SECONDS)
    assert names(folder, await pull(editor)) == ALL


async def test_a_change_reaches_the_files_that_import_it(start, folder):
    (folder / "helper.py").write_text(HARMLESS)
    (folder / "caller.py").write_text(CALLER)
    editor = await begin(start, PULLS, folder)
    before = await pull(editor)
    assert names(folder, before)["caller.py"] == []
    (folder / "helper.py").write_text(MUTATING)
    found = names(folder, await pull(editor, ids(before)))
    assert (found["caller.py"], found["bad.py"]) == (["IP101"], "unchanged")
    (folder / "helper.py").unlink()
    assert names(folder, await pull(editor))["caller.py"] == []
    (folder / "helper.py").write_text(MUTATING)
    assert names(folder, await pull(editor))["caller.py"] == ["IP101"]


async def test_the_project_decides_here_too_and_a_change_of_it_counts(start, folder):
    editor = await begin(start, PULLS, folder)
    known = ids(await pull(editor))
    (folder / "pyproject.toml").write_text('[tool.inplace-lsp]\nignore = ["IP101"]\n')
    changed(editor, folder / "pyproject.toml")
    found = names(folder, await pull(editor, known))
    assert found == {"bad.py": [], "good.py": "unchanged", "sub dir/naïve.py": [], "excluded/old.py": []}


async def test_without_the_setting_nobody_is_told_to_ask_and_nothing_is_pushed(start, folder):
    editor = await begin(start, PULLS, folder, {})
    assert editor.offered.diagnostic_provider.workspace_diagnostics is False
    assert editor.offered.diagnostic_provider.inter_file_dependencies is True
    assert names(folder, await pull(editor)) == ALL  # who asks all the same is answered
    assert editor.published == []


async def test_what_is_offered_depends_on_what_the_client_declares(start, folder):
    """Neovim asks, but cannot be told to ask again: it would go on showing what is no longer true."""
    pulls, cannot_refresh, old = [await begin(start, client, folder) for client in (PULLS, *PUSHED_TO)]
    assert pulls.offered.diagnostic_provider.workspace_diagnostics is True
    assert cannot_refresh.offered.diagnostic_provider is None
    assert old.offered.diagnostic_provider is None


@pytest.mark.parametrize("client", PUSHED_TO)
async def test_others_are_sent_the_files_with_findings_and_an_open_one_speaks_for_itself(start, folder, client):
    editor = await begin(start, client, folder)
    bad, other = (folder / "bad.py").as_uri(), (folder / "sub dir" / "naïve.py").as_uri()
    await editor.until(lambda: editor.shown(bad) == editor.shown(other) == ["IP101"])
    assert {message.uri for message in editor.published} == {bad, other}

    editor.open(bad, FINE)
    assert list(await editor.diagnostics(bad)) == []
    await editor.until(lambda: editor.shown(bad) == [])
    editor.close(bad)
    await editor.until(lambda: editor.shown(bad) == ["IP101"])

    (folder / "bad.py").unlink()
    changed(editor, folder / "bad.py")
    await editor.until(lambda: editor.shown(bad) == [])

    editor.client.set_configuration({"inplace-lsp": {"diagnosticMode": "openFiles"}})
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    await editor.until(lambda: editor.shown(other) == [])


async def test_the_mode_can_be_switched_on_later(start, folder):
    editor = await begin(start, PULLS, folder, {})
    editor.client.set_configuration({"inplace-lsp": WORKSPACE})
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    bad = (folder / "bad.py").as_uri()
    await editor.until(lambda: editor.shown(bad) == ["IP101"])
    editor.open(bad, HAZARD)
    assert [diagnostic.code for diagnostic in await editor.diagnostics(bad)] == ["IP101"]
    await editor.until(lambda: editor.shown(bad) == [])  # shown once, by the pulled ones


def many(folder: Path, number: int) -> None:
    for index in range(number):
        (folder / f"more{index}.py").write_text(f"{HAZARD}# {index}\n")


def work(editor: Editor) -> list[dict]:
    return [report.value for report in editor.progress if "kind" in report.value]


async def test_a_long_scan_shows_how_far_it_is(start, folder):
    many(folder, 30)
    editor = await begin(start, "neovim-0.11.4", folder)
    await editor.until(lambda: bool(work(editor)) and work(editor)[-1]["kind"] == "end")
    begun, *reports, ended = work(editor)
    assert (begun["kind"], begun["title"], begun["cancellable"]) == (
        "begin",
        "inplace-lsp: checking the workspace",
        True,
    )
    assert ended == {"kind": "end", "message": "done"}
    assert reports
    assert [report["percentage"] for report in reports] == sorted(report["percentage"] for report in reports)
    assert "of 33 files" in reports[0]["message"]


async def test_a_client_without_progress_gets_none_and_a_token_of_its_own_is_used(start, folder):
    declared = capabilities(PULLS)
    declared.window.work_done_progress = None
    folders = [types.WorkspaceFolder(folder.as_uri(), folder.name)]
    editor = await start(declared, initialization_options={}, workspace_folders=folders)
    await pull(editor)
    assert editor.progress == []
    (folder / "good.py").write_text(HAZARD)
    await editor.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams([], work_done_token="mine"))
    assert [report.token for report in editor.progress] == ["mine"] * len(editor.progress)
    assert [value["kind"] for value in (work(editor)[0], work(editor)[-1])] == ["begin", "end"]


async def test_a_scan_that_the_user_stops_stays_stopped_until_something_changes(start, folder):
    many(folder, 400)
    editor = await begin(start, PULLS, folder)
    await editor.until(lambda: bool(work(editor)))
    token = next(report.token for report in editor.progress if "kind" in report.value)
    editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
    await editor.until(lambda: work(editor)[-1]["kind"] == "end")
    assert work(editor)[-1]["message"] == "stopped"
    some = await pull(editor)
    assert len(some) < 400
    assert len(await pull(editor)) == len(some)
    shutil.rmtree(folder)
    changed(editor, folder / "good.py")
    while await pull(editor):
        await asyncio.sleep(0.05)


async def test_files_that_cannot_be_read_cost_only_their_own_answer(start, folder):
    (folder / "binary.py").write_bytes(b"\0\1\2")
    (folder / "latin.py").write_bytes(b"x = '\xe9'\n")
    (folder / "dangling.py").symlink_to(folder / "nowhere.py")
    (folder / "loop").symlink_to(folder)
    editor = await begin(start, PULLS, folder)
    found = {Path(name).name: codes for name, codes in names(folder, await pull(editor)).items()}
    assert found == {"bad.py": ["IP101"], "naïve.py": ["IP101"], "good.py": [], "binary.py": [], "latin.py": []}


async def test_a_workspace_of_no_folders_or_of_one_that_is_gone_has_no_files(start, folder):
    gone = folder / "gone"
    for folders in ([], [types.WorkspaceFolder(gone.as_uri(), "gone")]):
        editor = await start(capabilities(PULLS), initialization_options=WORKSPACE, workspace_folders=folders)
        assert await pull(editor) == []
    assert editor.client.messages[0].message == f"inplace-lsp: {gone}: no such file or folder"


async def test_folders_that_come_and_go_are_followed(start, folder):
    editor = await start(capabilities(PULLS), initialization_options=WORKSPACE, workspace_folders=[])
    here = types.WorkspaceFolder(folder.as_uri(), folder.name)
    for added, removed, wanted in (([here], [], ALL), ([], [here], {})):
        event = types.WorkspaceFoldersChangeEvent(added, removed)
        editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
        assert names(folder, await pull(editor)) == wanted


async def test_an_open_file_follows_a_helper_that_is_not_open(start, folder):
    (folder / "helper.py").write_text(HARMLESS)
    uri = (folder / "caller.py").as_uri()
    for client in ("visual-studio-code", "neovim-0.11.4"):  # told by the client; noticed by the server itself
        (folder / "helper.py").write_text(HARMLESS)
        editor = await begin(start, client, folder, {})
        editor.open(uri, CALLER)
        assert list(await editor.diagnostics(uri)) == []
        (folder / "helper.py").write_text(MUTATING)
        if client == "visual-studio-code":
            changed(editor, folder / "helper.py")
        for _ in range(2000):
            if [diagnostic.code for diagnostic in await editor.diagnostics(uri)] == ["IP101"]:
                break
            await asyncio.sleep(0.05)
        assert [diagnostic.code for diagnostic in await editor.diagnostics(uri)] == ["IP101"], client


class Slow(ProcessPool):
    """Answers from memory, one file at a time, when it is let go on."""

    def __init__(self, files: dict[str, tuple[int, int]]) -> None:
        super().__init__(1)
        self.files, self.asked, self.go = files, [], asyncio.Event()

    async def run_job(self, job):
        if isinstance(job, Find):
            return Files(dict(self.files))
        self.asked.append(job.filename)
        await self.go.wait()
        return Report(job.filename, read=frozenset({"/w/helper.py"}) if "caller" in job.filename else frozenset())


def scan_of(pool: ProcessPool) -> Scan:
    workspace = Documents("file:///w")
    server = SimpleNamespace(workspace=workspace, work_done_progress=None)
    session = SimpleNamespace(settings=Settings(), client=Client(), server=server, show_file=lambda filename: None)
    return Scan(session, pool)


async def until_idle(scan: Scan) -> None:
    while scan.is_busy:
        await asyncio.wait_for(scan.next_change(), SECONDS)


async def test_what_a_stopped_scan_has_left_is_checked_by_the_next_one():
    pool = Slow({"/w/helper.py": (1, 1), "/w/caller.py": (1, 1), "/w/other.py": (1, 1)})
    scan = scan_of(pool)
    pool.go.set()
    scan.request_pass()
    await until_idle(scan)
    assert sorted(pool.asked) == ["/w/caller.py", "/w/helper.py", "/w/other.py"]

    pool.asked.clear()
    pool.go.clear()
    pool.files["/w/helper.py"] = (2, 1)
    scan.request_pass()
    while not pool.asked:
        await asyncio.sleep(0)
    scan.stop_scan()
    await until_idle(scan)
    pool.go.set()
    scan.request_pass(by_change=False)
    assert not scan.is_busy
    pool.asked.clear()
    scan.request_pass()
    await until_idle(scan)
    assert sorted(pool.asked) == ["/w/caller.py", "/w/helper.py"]


async def test_a_scan_that_is_stopped_before_it_began_and_wanted_again_begins():
    pool = Slow({"/w/a.py": (1, 1)})
    pool.go.set()
    scan = scan_of(pool)
    scan.request_pass()
    scan.forget_all()
    scan.request_pass()
    await until_idle(scan)
    assert (pool.asked, list(scan.known)) == (["/w/a.py"], ["/w/a.py"])
    scan.request_pass()
    await until_idle(scan)
    assert pool.asked == ["/w/a.py"]


async def test_a_checking_process_that_dies_is_one_answer_lost(tmp_path):
    (tmp_path / "a.py").write_text(HAZARD)
    pool = ProcessPool(1)
    assert set((await pool.run_job(Find((str(tmp_path),)))).stamps) == {str(tmp_path / "a.py")}
    (process,) = pool._idle
    os.kill(process.pid, 9)
    await process.wait()
    check = Check(str(tmp_path / "a.py"), Settings())
    with pytest.raises(LostError, match="the process died"):
        await pool.run_job(check)
    report = await pool.run_job(check)
    wanted = check_text(HAZARD, str(tmp_path / "a.py"), DEFAULT).findings
    assert [(finding.code, finding.span, finding.message) for finding in report.findings] == [
        (finding.code, finding.span, finding.message) for finding in wanted
    ]
    (process,) = pool._idle
    pool.end_idle()
    assert await asyncio.wait_for(process.wait(), SECONDS) == 0
