"""Cutting: nothing is lost, and real files are cut where their statements are."""

from __future__ import annotations

import ast
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inplace_lsp.source.split import split_chunks
from inplace_lsp.source.units import normalise_text
from source.shape import samples

PIECES = [
    "def f(x):\n",
    "    return x\n",
    "class A:\n",
    '"""',
    "'''",
    "'",
    '"',
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\\",
    "\n",
    "#",
]
PIECES += [
    "@d\n",
    "else:\n",
    "import a\n",
    "x = 1\n",
    "\t",
    "\f",
    " ",
    "é",
    "😀",
    "from . import b\n",
    "async def g(): pass\n",
]


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_chunks_joined_are_the_text(text: str):
    text = normalise_text(text)
    chunks = split_chunks(text)
    assert "".join(chunk.text for chunk in chunks) == text
    assert [chunk.row for chunk in chunks] == [1 + text[:at].count("\n") for at in _offsets(chunks)]


def _offsets(chunks) -> list[int]:
    return [sum(len(chunk.text) for chunk in chunks[:index]) for index in range(len(chunks))]


@pytest.mark.parametrize("path", samples(), ids=lambda path: path.name)
def test_real_files_are_cut_at_their_statements(path):
    """Every chunk parses, and none but those with several statements on a line holds more than one."""
    text = normalise_text(path.read_text(encoding="utf-8"))
    rows = {node.lineno for node in ast.parse(text).body}
    for chunk in split_chunks(text):
        body = ast.parse(chunk.text).body
        assert len(body) <= 1 or len({node.lineno for node in body}) == 1
        rows -= {node.lineno + chunk.row - 1 for node in body}
    assert rows == set()


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("x = 1\ny = 2\n", [1, 2]),
        ("if a:\n    b\nelse:\n    c\nd\n", [1, 5]),
        ("try:\n    a\nexcept E:\n    b\nfinally:\n    c\n", [1]),
        ("@a\n@b\n# why\ndef f():\n    pass\n\n\nx\n", [1, 8]),
        ("x = [\n1,\n2,\n]\ny\n", [1, 5]),
        ('x = """\ndef f():\n"""\ny\n', [1, 4]),
        ("x = 'a\\\nb'\ny\n", [1, 3]),
        ("x = 1 + \\\n2\ny\n", [1, 3]),
        ("# first\n\nx\n", [1, 3]),
        ("x = (1,\ndef f():\n    pass\n", [1, 2]),
        ("def f():\n    g(\nx = 1\n", [1, 3]),
        ("x = '''\ndef f():\n    pass\n", [1, 2]),
        ("for x in y:\n    pass\n# comment\nelse:\n    pass\nz\n", [1, 6]),
    ],
)
def test_where_chunks_start(text: str, rows: list[int]):
    assert [chunk.row for chunk in split_chunks(text)] == rows


@pytest.mark.parametrize("unit", ["'''a\n", "'a\\\n", '"""', "\\", "a", '"a\\n', "(", "x = '''a\"b'\\'"])
def test_the_time_it_takes_grows_with_the_text(unit: str):
    started = time.process_time()
    split_chunks(unit * 20_000)
    assert time.process_time() - started < 5
