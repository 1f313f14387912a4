"""Nothing is sent that the client has not declared."""

from dataclasses import fields

import pytest
from lsprotocol import types
from pygls.workspace import PositionCodec

from inplace_lsp.analysis import Analysis
from inplace_lsp.hazards.finding import Finding, Related
from inplace_lsp.lsp.client.capabilities import Client, read_client
from inplace_lsp.lsp.documents.convert import Part, Program
from inplace_lsp.lsp.documents.diagnostics import make_diagnostics
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.tape.model import Span
from lsp.editor import capabilities

TEXT = ("y = 0\n", "y += 1\n")
FINDING = Finding(
    "IP101",
    "saved-tensor-modified",
    "warning",
    "message",
    (),
    Span("a", 2, 0, 2, 6),
    (Related("saved", "saved here", Span("a", 1, 0, 1, 5)), Related("saved", "elsewhere", Span("/b.py", 7, 0, 7, 5))),
)


def diagnostic(client: Client) -> types.Diagnostic:
    program = Program("uri", "a", "".join(TEXT), (Part("uri", 1, 1, TEXT),), PositionCodec("utf-16"))
    (found,) = make_diagnostics(Result(program, Analysis((FINDING,))), client)["uri"]
    return found


def test_a_client_that_declares_nothing_gets_the_bare_diagnostic():
    bare = diagnostic(Client())
    assert bare.code == "IP101"
    assert bare.severity == types.DiagnosticSeverity.Warning
    assert (bare.related_information, bare.code_description, bare.data, bare.tags) == (None, None, None, None)
    assert bare.message == "message\nline 1: saved here\nline 7: elsewhere"


def test_related_places_of_other_files_are_whole_lines_of_these():
    found = diagnostic(Client(related_information=True))
    assert found.message == "message"
    here, there = found.related_information
    assert (here.location.uri, here.location.range.end) == ("uri", types.Position(0, 5))
    assert (there.location.uri, there.location.range.start) == ("file:///b.py", types.Position(6, 0))


def test_a_client_that_declares_all_gets_all():
    found = diagnostic(Client(related_information=True, code_description=True, diagnostic_data=True))
    assert found.code_description.href.endswith("IP101")
    assert found.data == {"code": "IP101", "row": 2, "column": 0}


def test_no_capabilities_mean_no_abilities():
    assert read_client(types.ClientCapabilities()) == Client()


@pytest.mark.parametrize(
    ("name", "lacks"),
    [
        ("visual-studio-code", {"pull_diagnostics"}),
        ("vscode-languageclient-9.0.1", set()),
        ("vscode-languageclient-11.0.0", set()),
        (
            "neovim-0.11.4",
            {"code_description", "document_changes", "registers_configuration", "watches_files", "pull_diagnostics"},
        ),
    ],
)
def test_recorded_capabilities_are_understood(name, lacks):
    client = read_client(capabilities(name))
    missing = {field.name for field in fields(client) if not getattr(client, field.name)}
    assert missing == lacks


@pytest.mark.parametrize(
    ("formats", "markdown"),
    [(["markdown", "plaintext"], True), (["plaintext", "markdown"], False), (["plaintext"], False), ([], False)],
)
def test_the_first_format_is_the_preferred_one(formats, markdown):
    hover = types.HoverClientCapabilities(content_format=[types.MarkupKind(kind) for kind in formats])
    text = types.TextDocumentClientCapabilities(hover=hover)
    assert read_client(types.ClientCapabilities(text_document=text)).markdown is markdown
