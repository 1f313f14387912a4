"""The cells of a notebook are one program: a hazard across cells is found and shown in the right one."""

import copy

from lsprotocol import types

from lsp.editor import capabilities

BOOK = "file:///tmp/train.ipynb"
CELLS = (
    "vscode-notebook-cell:/tmp/train.ipynb#1",
    "vscode-notebook-cell:/tmp/train.ipynb#2",
    "vscode-notebook-cell:/tmp/train.ipynb#3",
    "vscode-notebook-cell:/tmp/train.ipynb#4",
)
TEXTS = (
    "%matplotlib inline\nimport torch\nx = torch.rand(3, requires_grad=True)\n!pip list",
    "# A heading, not code",
    "y = x.exp()\n'😀'; y.add_(1)",
    "y.sum().backward()",
)


def declared() -> types.ClientCapabilities:
    found = copy.deepcopy(capabilities())
    sync = types.NotebookDocumentSyncClientCapabilities()
    found.notebook_document = types.NotebookDocumentClientCapabilities(sync)
    return found


def open_book(editor) -> None:
    kinds = [types.NotebookCellKind.Code, types.NotebookCellKind.Markup, *[types.NotebookCellKind.Code] * 2]
    cells = [types.NotebookCell(kind, uri) for kind, uri in zip(kinds, CELLS, strict=True)]
    book = types.NotebookDocument(BOOK, "jupyter-notebook", 1, cells)
    languages = ("python", "markdown", "python", "python")
    items = [types.TextDocumentItem(*cell) for cell in zip(CELLS, languages, (1, 1, 1, 1), TEXTS, strict=True)]
    editor.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(book, items))
    for uri, text in zip(CELLS, TEXTS, strict=True):
        editor.texts[uri], editor.versions[uri] = text, 1


def changed(version: int, cells: types.NotebookDocumentCellChanges) -> types.DidChangeNotebookDocumentParams:
    identifier = types.VersionedNotebookDocumentIdentifier(version, BOOK)
    return types.DidChangeNotebookDocumentParams(identifier, types.NotebookDocumentChangeEvent(cells=cells))


async def test_a_hazard_across_cells_stands_in_the_cell_that_writes(start):
    editor = await start(declared())
    open_book(editor)
    (found,) = (await editor.news(CELLS[2], 1)).diagnostics
    assert found.code == "IP101"
    assert "`exp` on line 1 of cell 3 saved it" in found.message
    assert editor.part(CELLS[2], found.range) == "y.add_(1)"
    assert {place.location.uri for place in found.related_information} == {CELLS[2], CELLS[3]}
    assert (await editor.news(CELLS[0], 1)).diagnostics == ()
    assert (await editor.news(CELLS[3], 1)).diagnostics == ()
    assert all(message.uri != CELLS[1] for message in editor.published)

    assert "saved-tensor-modified" in await editor.hover(CELLS[2], TEXTS[2].index("add_"))
    offered = await editor.actions(CELLS[2], TEXTS[2].index("add_"), TEXTS[2].index("add_"))
    change = offered[0].edit.document_changes[0]
    assert change.text_document.uri == CELLS[2]
    assert change.edits[0].new_text == "y = y.add(1)"


async def test_edits_moves_and_removals_of_cells_are_followed(start):
    editor = await start(declared())
    open_book(editor)
    assert len((await editor.news(CELLS[2], 1)).diagnostics) == 1

    identifier = types.VersionedTextDocumentIdentifier(2, CELLS[2])
    whole = types.TextDocumentContentChangeWholeDocument("y = x + 1\ny.add_(1)")
    content = types.NotebookDocumentCellContentChanges(identifier, [whole])
    editor.client.notebook_document_did_change(changed(2, types.NotebookDocumentCellChanges(text_content=[content])))
    assert (await editor.news(CELLS[2], 2)).diagnostics == ()

    new = "vscode-notebook-cell:/tmp/train.ipynb#5"
    array = types.NotebookCellArrayChange(2, 1, [types.NotebookCell(types.NotebookCellKind.Code, new)])
    structure = types.NotebookDocumentCellChangeStructure(
        array,
        did_open=[types.TextDocumentItem(new, "python", 1, "y = x.sigmoid()\ny *= 2")],
        did_close=[types.TextDocumentIdentifier(CELLS[2])],
    )
    editor.client.notebook_document_did_change(changed(3, types.NotebookDocumentCellChanges(structure=structure)))
    assert [diagnostic.range.start.line for diagnostic in (await editor.news(new, 1)).diagnostics] == [1]
    assert (await editor.news(CELLS[2], None)).diagnostics == ()

    cells = [types.TextDocumentIdentifier(uri) for uri in (CELLS[0], CELLS[1], new, CELLS[3])]
    editor.client.notebook_document_did_close(
        types.DidCloseNotebookDocumentParams(types.NotebookDocumentIdentifier(BOOK), cells)
    )
    assert (await editor.news(new, None)).diagnostics == ()
