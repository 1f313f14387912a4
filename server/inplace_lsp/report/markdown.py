"""Render our sentences as Markdown: backquotes hold code, and nothing else is markup."""

from __future__ import annotations


def escape_prose(text: str) -> str:
    """Escape `text` for Markdown: `d(a*b) = b*da` outside of backquotes is no emphasis."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:  # an odd backquote opens no code
        return _escape_text(text).replace("`", "\\`")
    return "`".join(piece if at % 2 else _escape_text(piece) for at, piece in enumerate(pieces))


def _escape_text(text: str) -> str:
    """Escape what would be markup, and no more: `add_` and `x[0]` are none, and some editors show the backslashes."""
    return "".join(_escape_char(char, text[at - 1 : at]) for at, char in enumerate(text))


def _escape_char(char: str, before: str) -> str:
    opens_emphasis = char == "_" and not before.isalnum()
    opens_link = char == "(" and before == "]"
    return f"\\{char}" if char in "\\*<" or opens_emphasis or opens_link else char
