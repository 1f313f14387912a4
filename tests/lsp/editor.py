"""An editor for tests: it keeps its own text, counts positions by its own means, and talks to a real server process."""

from __future__ import annotations

import asyncio
import copy
import json
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from cattrs import Converter
from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

SERVE = (sys.executable, "-c", "from inplace_lsp.cli.main import main; main()", "serve")
UNIT = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
SECONDS = 180
"""No answer takes so long: this ends a test of a server that hangs, on a machine that is slow and busy, too."""


RECORDED = Path(__file__).parent / "capabilities"
MODERN = tuple(sorted(path.stem for path in RECORDED.glob("*.json")))
"""The clients whose capabilities were recorded for this project (capabilities/README.md)."""


def capabilities(name: str = "visual-studio-code", encoding: str | None = None) -> types.ClientCapabilities:
    """Recorded capabilities of a client, ours or pytest-lsp's; with only `encoding` on offer, if that is given."""
    if name in MODERN:
        text = (RECORDED / f"{name}.json").read_text(encoding="utf-8")
        found = get_converter().structure(json.loads(text), types.ClientCapabilities)
    else:
        found = copy.deepcopy(client_capabilities(name))
    if encoding is not None:
        found.general = found.general or types.GeneralClientCapabilities()
        found.general.position_encodings = [types.PositionEncodingKind(encoding)]
    return found


def units(text: str, encoding: str) -> int:
    """How long the client says that `text` is."""
    codec, size = UNIT[encoding]
    return len(text.encode(codec, "surrogatepass")) // size


def position_at(text: str, offset: int, encoding: str) -> types.Position:
    """The position of a code point as the protocol counts it."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return types.Position(before.count("\n"), units(before.rsplit("\n", 1)[-1], encoding))


def offset_at(text: str, position: types.Position, encoding: str) -> int:
    """The code point at a position."""
    start = 0
    for _ in range(position.line):
        start = text.index("\n", start) + 1
    end = start
    while units(text[start:end], encoding) < position.character:
        end += 1
    assert units(text[start:end], encoding) == position.character, "the position is inside of a character"
    return end


@cache
def converter() -> Converter:
    """lsprotocol's, but an action that carries a command is an action: lsprotocol takes it for a bare command.

    All editors have the same one, since it makes code for every kind of message that it sees for the first time.
    """
    made = default_converter()

    def structure(value: Any, _: object) -> types.Command | types.CodeAction:
        bare = isinstance(value.get("command"), str)
        return made.structure(value, types.Command if bare else types.CodeAction)

    made.register_structure_hook(types.Command | types.CodeAction, structure)
    return made


class Editor:
    """One client, one server."""

    def __init__(self) -> None:
        published = partial(Editor._published, self)  # pygls sets attributes on it
        registered = partial(Editor._registered, self)
        traced = partial(Editor._traced, self)
        progressed = partial(Editor._progressed, self)
        asked = partial(Editor._asked, self)
        edited = partial(Editor._edited, self)
        features = {
            **DEFAULT_CLIENT_FEATURES,
            types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: published,
            types.CLIENT_REGISTER_CAPABILITY: registered,
            types.LOG_TRACE: traced,
            types.PROGRESS: progressed,
            types.WINDOW_SHOW_MESSAGE_REQUEST: asked,
            types.WORKSPACE_APPLY_EDIT: edited,
        }
        self.client = LanguageClient(converter_factory=converter)
        register_lsp_features(self.client, features)
        self.published: list[types.PublishDiagnosticsParams] = []
        self.registered: list[str] = []
        self.traced: list[types.LogTraceParams] = []
        self.progress: list[types.ProgressParams] = []
        self.questions: list[types.ShowMessageRequestParams] = []
        self.answer: str | None = None
        """What the user answers to a question."""
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.first_version = 1
        self.encoding = "utf-16"
        self.pulls = False
        self._news = asyncio.Event()

    async def start(
        self, declared: types.ClientCapabilities | None = None, command: Sequence[str] = SERVE, **params: object
    ) -> types.InitializeResult:
        """Start the server and shake hands."""
        declared = declared or capabilities()
        await self.client.start_io(*command)
        result = await self.client.initialize_session(types.InitializeParams(capabilities=declared, **params))
        self.encoding = str(
            getattr(result.capabilities.position_encoding, "value", result.capabilities.position_encoding)
        )
        self.pulls = result.capabilities.diagnostic_provider is not None
        self.offered = result.capabilities
        return result

    async def stop(self) -> int | None:
        """Say goodbye; the server's exit status."""
        await asyncio.wait_for(self.client.shutdown_session(), SECONDS)
        code = self.client._server.returncode
        await self.client.stop()
        return code

    def open(self, uri: str, text: str, version: int | None = None) -> None:
        """textDocument/didOpen."""
        self.texts[uri], self.versions[uri] = text, version or self.first_version
        item = types.TextDocumentItem(uri, "python", self.versions[uri], text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def replace(self, uri: str, start: int, end: int, new: str) -> None:
        """textDocument/didChange, incrementally; offsets are code points."""
        text = self.texts[uri]
        at = types.Range(position_at(text, start, self.encoding), position_at(text, end, self.encoding))
        self.texts[uri] = text[:start] + new + text[end:]
        self.versions[uri] += 1
        document = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        change = types.TextDocumentContentChangePartial(at, new)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    def close(self, uri: str) -> None:
        """textDocument/didClose."""
        document = types.TextDocumentIdentifier(uri)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))
        del self.texts[uri]

    def save(self, uri: str) -> None:
        """textDocument/didSave; the test writes the file."""
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def forget(self) -> None:
        """Be as good as new. Versions go on, so that nothing said about a text of before fits a later one."""
        for uri in list(self.texts):
            self.close(uri)
        self.first_version = max(self.versions.values(), default=0) + 1
        for told in (self.published, self.traced, self.progress, self.questions):
            told.clear()
        for told in (self.client.messages, self.client.log_messages):
            told.clear()
        self.answer = None

    async def diagnostics(self, uri: str, seconds: float = SECONDS) -> Sequence[types.Diagnostic]:
        """Those of the newest version: asked for, or waited for."""
        if self.pulls:
            params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
            return (await asyncio.wait_for(self.client.text_document_diagnostic_async(params), seconds)).items
        first = await self.news(uri, self.versions[uri], seconds)
        all_known = self.client.protocol.send_request_async("inplace/coverage", {"textDocument": {"uri": uri}})
        await asyncio.wait_for(all_known, seconds)  # before, they may be of the edited function alone
        return (self.last(uri) or first).diagnostics

    async def news(self, uri: str, version: int | None, seconds: float = SECONDS) -> types.PublishDiagnosticsParams:
        """What was published about that version, waited for if need be."""
        while (last := self.last(uri)) is None or last.version != version:
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), seconds)
        return last

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until something that the server says makes it `true`."""
        while not true():
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), SECONDS)

    def shown(self, uri: str) -> list[str]:
        """The codes that were published last about a document."""
        last = self.last(uri)
        return [str(diagnostic.code) for diagnostic in last.diagnostics] if last else []

    def last(self, uri: str) -> types.PublishDiagnosticsParams | None:
        """What was published last about a document."""
        return next((message for message in reversed(self.published) if message.uri == uri), None)

    def _published(self, params: types.PublishDiagnosticsParams) -> None:
        self.published.append(params)
        self._news.set()

    def _registered(self, params: types.RegistrationParams) -> None:
        self.registered += [registration.method for registration in params.registrations]

    def _progressed(self, params: types.ProgressParams) -> None:
        self.progress.append(params)
        self._news.set()

    def _asked(self, params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
        self.questions.append(params)
        self._news.set()
        return types.MessageActionItem(self.answer) if self.answer else None

    def _edited(self, params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        self.apply(params.edit)
        self._news.set()
        return types.ApplyWorkspaceEditResult(applied=True)

    def _traced(self, params: types.LogTraceParams) -> None:
        self.traced.append(params)
        self._news.set()

    async def hover(self, uri: str, offset: int) -> str:
        """The text of the hover at a code point, "" if there is none."""
        at = position_at(self.texts[uri], offset, self.encoding)
        params = types.HoverParams(types.TextDocumentIdentifier(uri), at)
        found = await asyncio.wait_for(self.client.text_document_hover_async(params), SECONDS)
        return found.contents.value if found else ""

    async def actions(
        self, uri: str, start: int, end: int, only: Sequence[str] | None = None
    ) -> list[types.CodeAction]:
        """The code actions for a stretch of text, resolved if they came without an edit."""
        text = self.texts[uri]
        at = types.Range(position_at(text, start, self.encoding), position_at(text, end, self.encoding))
        context = types.CodeActionContext([], only)
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), at, context)
        found = await asyncio.wait_for(self.client.text_document_code_action_async(params), SECONDS)
        return [
            action if action.edit or action.command else await self.client.code_action_resolve_async(action)
            for action in found or []
        ]

    def apply(self, edit: types.WorkspaceEdit) -> None:
        """Make an edit as an editor does: all places are those before it."""
        changes = {uri: list(edits) for uri, edits in (edit.changes or {}).items()}
        for change in edit.document_changes or []:
            assert change.text_document.version in (None, self.versions[change.text_document.uri])
            changes.setdefault(change.text_document.uri, []).extend(change.edits)
        for uri, edits in changes.items():
            text = self.texts[uri]
            placed = [
                (
                    offset_at(text, edit.range.start, self.encoding),
                    offset_at(text, edit.range.end, self.encoding),
                    edit.new_text,
                )
                for edit in edits
            ]
            for start, end, new in sorted(placed, reverse=True):
                self.replace(uri, start, end, new)

    def part(self, uri: str, at: types.Range) -> str:
        """The text of a range, as the client sees it."""
        text = self.texts[uri]
        return text[offset_at(text, at.start, self.encoding) : offset_at(text, at.end, self.encoding)]
