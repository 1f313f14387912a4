"""The documentation as a site: built strictly, complete, and readable without a network."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml

from inplace_lsp.explanations import list_explanations
from inplace_lsp.report.urls import DOCS_URL, hazard_url
from inplace_lsp.torch_ops import table
from op_pages import list_ops
from tools.pages.config_schema import URL, as_text
from website.conftest import ROOT


class Reader(HTMLParser):
    """What a page loads, the ids it has, the rows of its table of ops and where they lead."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.ids: set[str] = set()
        self.rows: list[str] = []
        self.links: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag in ("script", "img", "source", "iframe"):
            self.loaded.append(told.get("src", ""))
        elif tag == "link" and told.get("rel") in ("stylesheet", "preconnect", "icon"):
            self.loaded.append(told["href"])
        elif tag == "tr" and "data-names" in told:
            self.rows.append(told["data-names"])
        elif tag == "a":
            self.links.append(told.get("href", ""))
        self.ids.add(told.get("id", ""))


def test_the_link_of_every_finding_leads_to_a_page(site: Path):
    for each in list_explanations():
        page = site / urlsplit(hazard_url(each.code)).path.strip("/") / "index.html"
        assert each.summary.split("`")[0] in page.read_text(encoding="utf-8").replace("&lt;", "<"), each.code


def test_the_addresses_name_one_site():
    configured = yaml.safe_load((ROOT / "docs" / "mkdocs.yml").read_text(encoding="utf-8"))["site_url"]
    assert configured == DOCS_URL + "/"
    assert URL.startswith(configured)


def test_the_schema_lies_where_it_says(site: Path):
    text = (site / urlsplit(URL).path.strip("/")).read_text(encoding="utf-8")
    assert (text, json.loads(text)["$id"]) == (as_text(), URL)


def test_nothing_is_loaded_from_elsewhere(site: Path):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 40
    assert [url for page in pages for url in Reader(page).loaded if urlsplit(url).netloc] == []
    assert [page for page in site.rglob("*.svg") if "@import" in (text := page.read_text()) or "url(http" in text] == []


def test_every_public_op_has_a_row_and_a_section(site: Path):
    page = Reader(site / "ops" / "index.html")
    names = {name for row in page.rows for name in row.split()}
    wanted = (name for name in table.op_names() if name.rpartition(".")[2][0] != "_")
    assert [name for name in wanted if name.lower() not in names] == []
    first, last = page.rows[0].split()[0], page.rows[-1].split()[0]
    assert (first.rpartition(".")[2], last.rpartition(".")[2][:2]) == ("abs", "__")
    ids = {name: Reader(site / "ops" / name / "index.html").ids for name in {op.page for op in list_ops()}}
    for op in list_ops():
        assert op.anchor in ids[op.page]
        assert f"{op.page}/#{op.anchor}" in page.links


def test_ops_are_found_by_the_search_of_the_site(site: Path):
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    [found] = [each for each in index["docs"] if each["location"] == "ops/e/#exp"]
    assert "writing to the result breaks backward" in found["text"]


@pytest.mark.parametrize("name", ["exp", "matmul"])
def test_formulas_are_typeset(site: Path, name: str):
    section = (site / "ops" / name[0] / "index.html").read_text(encoding="utf-8").partition(f'id="{name}"')[2]
    assert section.partition("<h2")[0].count("<math ") == 1
