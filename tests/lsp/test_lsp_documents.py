"""The text the server has is the text the client has, whatever the encoding, the line ends and the edits."""

import random

import pytest
from lsprotocol import types
from pygls.workspace import PositionCodec

from inplace_lsp.lsp.documents.convert import Part, Program, find_offset, from_position, to_position
from inplace_lsp.lsp.documents.documents import Document, split_lines
from inplace_lsp.tape.model import Span
from lsp.editor import position_at, units

ENCODINGS = ("utf-8", "utf-16", "utf-32")
PIECES = ("x", "é", "😀", "\n", "\r\n", "\r", "\x0c", "\u2028", "\x1c", " ", "\t", "# ", "中")


def test_only_line_ends_of_the_protocol_end_lines():
    assert split_lines("a\x0cb\nc\u2028d\re\r\nf\x1cg\x85h") == ("a\x0cb\n", "c\u2028d\r", "e\r\n", "f\x1cg\x85h")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_position_goes_there_and_back(encoding):
    lines = split_lines("a😀b\r\né中\n\n\tz\x0c😀")
    codec = PositionCodec(encoding)
    for row, line in enumerate(lines, start=1):
        for column in range(len(line.rstrip("\r\n")) + 1):
            position = to_position(lines, row, column, codec)
            assert position == types.Position(row - 1, units(line[:column], encoding))
            assert from_position(lines, position, codec) == (row, column)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_positions_past_the_end_mean_the_end(encoding):
    codec = PositionCodec(encoding)
    assert from_position(("ab\n", "😀"), types.Position(0, 99), codec) == (1, 2)
    assert from_position(("ab\n", "😀"), types.Position(1, 99), codec) == (2, 1)
    assert from_position(("ab\n", "😀"), types.Position(7, 3), codec) == (2, 1)
    assert from_position(("ab\n",), types.Position(1, 0), codec) == (2, 0)
    assert from_position((), types.Position(3, 3), codec) == (1, 0)
    assert find_offset(("ab\n", "😀"), types.Position(9, 9), codec) == 4


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_two_thousand_random_edits_leave_both_sides_with_the_same_text(encoding):
    rng = random.Random(20240607)
    text = "".join(rng.choices(PIECES, k=80))
    document = Document("file:///a.py", text, 0, position_codec=PositionCodec(encoding))
    for _ in range(2000):
        start, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        end = min(end, start + rng.randrange(6))
        if _inside_crlf(text, start) or _inside_crlf(text, end):
            continue
        new = "".join(rng.choices(PIECES, k=rng.randrange(4)))
        at = types.Range(position_at(text, start, encoding), position_at(text, end, encoding))
        document.apply_change(types.TextDocumentContentChangePartial(at, new))
        text = text[:start] + new + text[end:]
        assert document.source == text


def _inside_crlf(text: str, offset: int) -> bool:
    return text[offset - 1 : offset + 1] == "\r\n"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_program_of_several_parts_knows_which_document_a_row_is_in(encoding):
    parts = (Part("cell:1", 3, 1, ("😀 = 1\n",)), Part("cell:2", 5, 2, ("y = 2\n", "😀 + y")), Part("cell:3", 1, 4, ()))
    program = Program("nb", "nb", "", parts, PositionCodec(encoding))
    location = program.location_of(Span("nb", 3, 2, 3, 5))
    assert location.uri == "cell:2"
    assert location.range.start == types.Position(1, units("😀 ", encoding))
    assert program.place_of("cell:2", location.range.start) == (3, 2)
    assert program.line_text(3) == "😀 + y"
    assert program.location_of(Span("other", 1, 0, 1, 1)) is None
    assert program.place_of("cell:9", types.Position(0, 0)) is None
