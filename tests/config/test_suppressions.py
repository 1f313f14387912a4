from __future__ import annotations

import pytest

from inplace_lsp.source.suppressions import find_suppressions


def comments(text: str) -> list[tuple[str, tuple[str, ...], bool, int, int]]:
    """The text under each span, its codes, whether for the whole file, and the rows it covers."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [
        (
            lines[comment.span.row - 1][comment.span.column : comment.span.end_column],
            comment.codes,
            comment.whole_file,
            comment.first_row,
            comment.last_row,
        )
        for comment in find_suppressions(text, "a.py")
    ]


@pytest.mark.parametrize(
    ("comment", "codes"),
    [
        ("# inplace: ignore", ()),
        ("# inplace: ignore[IP101]", ("IP101",)),
        ("#inplace:ignore[ip101,  IP201]", ("IP101", "IP201")),
        ("# inplace: ignore[]", ()),
    ],
)
def test_a_comment_at_the_end_of_a_line(comment: str, codes: tuple[str, ...]):
    assert comments(f"a = 1\ny.add_(1)  {comment}\n") == [(comment, codes, False, 2, 2)]


def test_text_may_follow_and_other_comments_stand_before():
    text = "y.add_(1)  # type: ignore  # inplace: ignore[IP101] the graph is gone\n"
    assert comments(text) == [("# inplace: ignore[IP101]", ("IP101",), False, 1, 1)]


def test_a_comment_covers_its_statement():
    text = "y.add_(\n    1,  # inplace: ignore\n    2,\n)  # inplace: ignore[IP101]\nz = 1\n"
    assert [comment[3:] for comment in comments(text)] == [(1, 4), (1, 4)]


def test_a_comment_on_a_line_of_its_own_covers_that_line_only():
    assert comments("# inplace: ignore\ny.add_(1)\n") == [("# inplace: ignore", (), False, 1, 1)]


def test_whole_file():
    assert comments("x = 1\n\n# inplace: ignore-file\n") == [("# inplace: ignore-file", (), True, 3, 3)]


@pytest.mark.parametrize(
    "text",
    [
        'x = "# inplace: ignore"\n',
        '"""\n# inplace: ignore-file\n"""\n',
        "x = 1  # inplace: ignored\n",
        "x = 1  # inplace: ignore-files\n",
        "x = 1  # in place: ignore\n",
    ],
)
def test_what_only_looks_like_one(text: str):
    assert comments(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "def f(:\n    y.add_(1)  # inplace: ignore\n",
        "  x\n y  # inplace: ignore\n",
        "x = (\ndef f():\n    y.add_(1)  # inplace: ignore\n",
        "if x:\nf'{x'  # inplace: ignore\n",
        "\tx\r\n        y  # inplace: ignore\r\n",
        "x\ry  # inplace: ignore\r",
        "\x0cy  # inplace: ignore",
        "😀 = '漢'; y.add_(1)  # inplace: ignore",
    ],
)
def test_broken_and_odd_files_keep_their_comments(text: str):
    assert [comment[0] for comment in comments(text)] == ["# inplace: ignore"]
