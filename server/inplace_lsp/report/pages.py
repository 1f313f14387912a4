"""The pages of all codes: Markdown for docs/hazards, HTML that a browser shows offline."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, StrictUndefined, Template
from markdown_it import MarkdownIt
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from inplace_lsp.explanations import list_explanations
from inplace_lsp.report.assets import read_asset
from inplace_lsp.report.urls import DOCS_URL

CONTENTS = "index.html"


def markdown_pages() -> dict[str, str]:
    """Return file names and texts of all pages, the table of contents (README.md) included."""
    return {"README.md": _list_codes(), **{f"{each.code}.md": each.page for each in list_explanations()}}


def html_pages() -> dict[str, str]:
    """Return the same pages as HTML files that need nothing else and lead to each other."""
    contents = {CONTENTS: ("Hazards", _list_codes())}
    codes = {f"{each.code}.html": (f"{each.code} {each.name}", each.page) for each in list_explanations()}
    return {name: _render_page(title, text) for name, (title, text) in (contents | codes).items()}


def _list_codes() -> str:
    rows = [f"| [{each.code}]({each.code}.md) | {each.name} | {each.summary} |" for each in list_explanations()]
    head = (
        "# Hazards",
        "",
        "`inplace-lsp explain CODE` prints these pages, and `--open` shows them in a browser, also offline.",
        "",
        "| code | name | what it is |",
        "|---|---|---|",
    )
    return "\n".join([*head, *rows, ""])


def _render_page(title: str, markdown: str) -> str:
    body = Markup(_markdown_parser().render(markdown).replace('.md">', '.html">'))
    codes = [(each.code, each.name) for each in list_explanations()]
    return _page_template().render(title=title, body=body, codes=codes, docs=DOCS_URL, style=Markup(_style_sheet()))


@cache
def _markdown_parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"highlight": _highlight_code}).enable("table")


def _highlight_code(code: str, language: str, _attributes: str) -> str:
    return highlight(code, PythonLexer(), HtmlFormatter(nowrap=True)) if language == "python" else ""


def _style_sheet() -> str:
    """Return the style sheet: our own, and the colours of code for light and dark screens."""
    light = HtmlFormatter(style="default").get_style_defs("pre code")
    dark = HtmlFormatter(style="github-dark").get_style_defs("pre code")
    return f"{read_asset('explain.css')}\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}"


@cache
def _page_template() -> Template:
    return Environment(undefined=StrictUndefined, autoescape=True).from_string(read_asset("explain.html"))
