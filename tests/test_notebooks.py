"""A notebook as a program; edits of that change its text in the lines in question and nowhere else."""

from __future__ import annotations

import ast
import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inplace_lsp.hazards.finding import Edit
from inplace_lsp.magics import as_python
from inplace_lsp.notebooks import NotebookError, read_notebook
from inplace_lsp.tape.model import Span

FILE = "/study.ipynb"
LINES = (
    *("x = 1", "", "    y.add_(1)  # größe", "%time f(x)", "!ls *.pt", "x?", "s = '\U0001f525\\t\"'", "#é"),
    *("n = !ls", "!pip \\", "s = (1", "% 2)"),
)
LINE = st.sampled_from(LINES)
END = st.sampled_from(["\n", "\n", "\n", "\r\n"])


@st.composite
def sources(draw: st.DrawFn, *, cut_anywhere: bool) -> list[str] | str:
    """As Jupyter writes them, as one string, or cut where no line ends."""
    lines = [line + draw(END) for line in draw(st.lists(LINE, max_size=4))]
    if lines and draw(st.booleans()):
        lines[-1] = lines[-1].rstrip("\r\n")
    lines = [line for line in lines if line]
    whole = "".join(lines)
    cut = draw(st.integers(0, len(whole)))
    halves = [half for half in (whole[:cut], whole[cut:]) if half]
    return draw(st.sampled_from([lines, whole, *[halves] * cut_anywhere]))


@st.composite
def texts(draw: st.DrawFn, *, cut_anywhere: bool = True) -> str:
    kinds = st.sampled_from(["code", "code", "markdown", "raw"])
    cells = [
        {
            "metadata": {"é": 1.50},
            "source": draw(sources(cut_anywhere=cut_anywhere)),
            "cell_type": draw(kinds),
            "outputs": [{"[": '"}]'}],
        }
        for _ in range(draw(st.integers(1, 4)))
    ]
    book = {"metadata": {"source": ["x"]}, "cells": cells, "nbformat": 4}
    separators = draw(st.sampled_from([None, (",", ":"), (" , ", " : ")]))
    text = json.dumps(book, indent=draw(st.sampled_from([None, 1, "\t"])), ensure_ascii=False, separators=separators)
    return draw(st.sampled_from(["", "\n", " \r\n"])) + text + "\n"


def plain(text: str) -> Any:
    """The notebook, each source as one string."""
    book = json.loads(text)
    for cell in book["cells"]:
        cell["source"] = "".join(cell["source"])
    return book


@settings(max_examples=300, deadline=None)
@given(text=texts(), data=st.data())
def test_a_line_that_is_changed_and_changed_back(text: str, data: st.DataObject):
    book = read_notebook(text)
    assert book.apply_edits([]).text == text
    lines = list(io.StringIO(book.program, newline=""))
    whole = [row for row, line in enumerate(lines, start=1) if line.strip() == "x = 1"]
    if not whole:
        return
    row = data.draw(st.sampled_from(whole))
    changed = book.apply_edits([Edit("x = 22", Span(FILE, row, 0, row, 5))])
    before, after = plain(text), plain(changed.text)
    number, place = book.in_cell(Span(FILE, row, 0, row, 5))
    assert list(io.StringIO(after["cells"][number - 1]["source"], newline=""))[place.row - 1].strip() == "x = 22"
    after["cells"][number - 1]["source"] = before["cells"][number - 1]["source"]
    assert after == before
    restored = changed.apply_edits([Edit("x = 1", Span(FILE, row, 0, row, 6))])
    assert plain(restored.text) == plain(text)
    assert restored.apply_edits([]).text == restored.text


@settings(max_examples=200, deadline=None)
@given(text=texts(cut_anywhere=False))
def test_every_row_of_the_program_lies_in_its_line_of_the_file(text: str):
    book = read_notebook(text)
    lines = text.split("\n")
    for row, line in enumerate(io.StringIO(book.program, newline=""), start=1):
        if line.strip() == "x = 1":
            assert "x = 1" in lines[book.in_file(Span(FILE, row, 0, row, 5)).row - 1]


BOOK = json.dumps(
    {"cells": [{"cell_type": "code", "source": ["x = 1\n", "%time y"]}, {"cell_type": "code", "source": ["z = 2"]}]}
)


def test_lines_that_are_new_or_gone():
    book = read_notebook(BOOK)
    more = book.apply_edits([Edit("w = 0\n", Span(FILE, 3, 0, 3, 0)), Edit("", Span(FILE, 1, 0, 2, 0))])
    assert [cell["source"] for cell in json.loads(more.text)["cells"]] == [["%time y"], ["w = 0\n", "z = 2"]]
    last = book.apply_edits([Edit("w = 0\n", Span(FILE, 4, 0, 4, 0))])
    assert [cell["source"] for cell in json.loads(last.text)["cells"]] == [["x = 1\n", "%time y"], ["z = 2\n", "w = 0"]]


def test_an_edit_across_cells_is_refused():
    with pytest.raises(NotebookError, match="from one cell into another"):
        read_notebook(BOOK).apply_edits([Edit("", Span(FILE, 2, 0, 3, 2))])


def test_a_line_in_another_block_is_still_a_magic():
    text = BOOK.replace("%time y", "    %time y").replace("x = 1", "if x:")
    moved = read_notebook(text).apply_edits([Edit("        ", Span(FILE, 2, 0, 2, 4))])
    assert json.loads(moved.text)["cells"][0]["source"] == ["if x:\n", "        %time y"]


PYTHON_CELLS = [
    "print(\n    'loss %f'\n    % loss\n)",  # as black breaks the line
    "n = 7 \\\n    % 3",
    's = """\n!ls\n%s?\n"""',
    "s = 'a\\\n!b'",
    "s = '#('\nx = 1  # (",
    'f"{x[\'a\']}"\nx = {\n"a?": "%"\n}',
    "a = b != c\na %= 2\nassert a == 3",
]
"""Where `%`, `!` and `?` are Python's, or belong to a string."""


@pytest.mark.parametrize("text", PYTHON_CELLS)
def test_what_is_python_stays_as_it_is(text: str):
    ast.parse(text)
    assert as_python(text.splitlines(keepends=True)) == text + "\n"


@pytest.mark.parametrize("before", PYTHON_CELLS)
@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("%time f(x)", "pass #%time f(x)"),
        ("if a:\n    !ls", "if a:\n    pass #!ls"),
        ("f.g??", "pass #f.g??"),
        ("!pip install a \\\n    b \\\n    c\nx = 1", "pass #!pip install a \\\n    #b \\\n    #c\nx = 1"),
        ('files = !ls "*.pt"', 'files = get_ipython() #!ls "*.pt"'),
        ("!pip install a \\\n\nx = 1", "pass #!pip install a \\\n#\nx = 1"),
        ("a, b = %lsmagic", "a, b = get_ipython() #%lsmagic"),
        ("!it's (\nx = 1", "pass #!it's (\nx = 1"),
    ],
)
def test_a_magic_is_one_where_a_statement_can_begin(before: str, text: str, made: str):
    whole = as_python(f"{before}\n{text}".splitlines(keepends=True))
    assert whole == f"{before}\n{made}\n"
    ast.parse(whole)


@pytest.mark.parametrize("first", ["%%time", "%%capture out", "%%timeit n = 1"])
def test_a_cell_magic_with_a_python_body(first: str):
    assert as_python([f"{first}\n", "x = 1"]) == f"pass #{first}\nx = 1\n"


def test_a_cell_magic_of_another_language():
    assert as_python(["\n", "%%bash\n", "ls (("]) == "#\n#%%bash\n#ls ((\n"
