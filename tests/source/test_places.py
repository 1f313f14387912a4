"""Places are exact, in code points."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inplace_lsp.source import ir
from inplace_lsp.source.from_cst import lower_module
from inplace_lsp.source.units import normalise_text, read_source
from source.shape import nodes, places, read_statement

MARKED = [
    "«x» = 1\n",
    "y = '😀😀'; «x» += 1\n",
    "é = '𝒳'; f('é😀', «x»)\n",
    "if a:\n\t\t«x».add_(1)\n",
    "\f\nif 1:\n    «x»[0] = 1\n",
    "a = 1\r\nb = '😀', «x»\r\n",
    "\ufeff«x» = 1\n",
    "def f(\n    a,\n    b='😀',\n):\n    return (a +\n            «x»)\n",
    "# coding: latin-1\nž = «x»\n",
    "class A:\n    '''\n    😀\n    '''\n    async def f(self): await «x»\n",
    "a = '''\n😀''' + «x»\n",
    "a = 1 + \\\n    «x»\n",
    "y = lambda é=«x»: é\n",
]


@pytest.mark.parametrize("marked", MARKED)
def test_the_name_x_stands_between_the_marks(marked: str):
    text = marked.replace("«", "").replace("»", "")
    lines = normalise_text(marked).split("\n")
    row = next(index for index, line in enumerate(lines, start=1) if "«" in line)
    column = lines[row - 1].index("«")
    source = read_source(text)
    assert source.broken == ()
    found = [
        (node.place[0] + unit.row - 1, node.place[1], node.place[2] + unit.row - 1, node.place[3])
        for unit in source.units
        for node in nodes(unit.statements)
        if isinstance(node, ir.Name) and node.id == "x"
    ]
    assert found == [(row, column, row, column + 1)]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("def name(): pass\n", (1, 4, 1, 8)),
        ("async  def\tname(): pass\n", (1, 11, 1, 15)),
        ("@a\n@b\ndef name(): pass\n", (3, 4, 3, 8)),
        ("def \\\n  name(): pass\n", (2, 2, 2, 6)),
        ("class naïve: pass\n", (1, 6, 1, 11)),
        ("@a('😀')\nclass  A(B): pass\n", (2, 7, 2, 8)),
    ],
)
def test_a_definition_stands_where_its_name_is(text: str, place: ir.Place):
    import libcst

    assert read_statement(text).place == place
    (by_libcst,) = lower_module(libcst.parse_module(text))
    assert by_libcst.place == place


WORDS = [
    "x",
    "😀",
    "'é'",
    "f(",
    ")",
    "[",
    "]",
    "=",
    "+",
    "\n",
    "\r\n",
    "\n    ",
    "if x:",
    "def f():",
    "class A:",
    "\t",
    ";",
    ":",
]


@given(st.one_of(st.text(), st.lists(st.sampled_from(WORDS)).map("".join)))
def test_every_place_lies_inside_the_text(text: str):
    lines = normalise_text(text).split("\n")
    source = read_source(text)
    for row, column, end_row, end_column in places(source):
        assert 1 <= row <= end_row <= len(lines)
        assert (row, column) <= (end_row, end_column)
        assert 0 <= column <= len(lines[row - 1])
        assert end_column <= len(lines[end_row - 1])
    for lost in source.broken:
        assert 1 <= lost.row <= lost.end_row <= len(lines)
