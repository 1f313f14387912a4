"""What the site adds to the pages of docs/, at every build: hooks of MkDocs, named in mkdocs.yml.

Pages of docs/ are to be read in the repository, too. There their links lead to files outside of docs/, which a site
does not have: pictures come along, anything else becomes a link into the repository.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from inplace_lsp.explanations import list_explanations
from op_pages import write_pages, write_table

ROOT = Path(__file__).parents[2]
OUTSIDE = re.compile(r"(?<=\]\()\.\./[^)\s]+")
TABLE = re.compile("<!-- the table of all ops.*<!-- end of the table -->", re.DOTALL)
"""In the repository there is a picture of it in its place."""
CHANGES = "CHANGELOG.md"
PLAYGROUND = ROOT / "docs" / "website" / "playground" / "dist"
"""Built by docs/website/playground/build.sh, and missing where Node is."""
SCHEMA = ROOT / "server" / "inplace_lsp" / "config.schema.json"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the page of each code behind the table of contents of the hazards."""
    pages = [f"hazards/{each.code}.md" for each in list_explanations()]
    section = next(entry for entry in config.nav or () if "Hazards" in entry)
    section["Hazards"] = [section["Hazards"], *pages]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the ops, the pictures of the clients, the playground and the schema of the configuration."""
    for name, text in write_pages().items():
        files.append(File.generated(config, f"ops/{name}.md", content=text))
    for picture in sorted((ROOT / "vscode-client" / "media" / "pictures").glob("*.png")):
        files.append(File.generated(config, f"pictures/vscode/{picture.name}", abs_src_path=str(picture)))
    for part in sorted(path for path in PLAYGROUND.rglob("*") if path.is_file()):
        name = part.relative_to(PLAYGROUND).as_posix()
        files.append(File.generated(config, f"playground/app/{name}", abs_src_path=str(part)))
    files.append(File.generated(config, SCHEMA.name, abs_src_path=str(SCHEMA)))
    changes = (ROOT / CHANGES).read_text(encoding="utf-8").replace("](docs/", "](")
    files.append(File.generated(config, CHANGES, content=changes))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the table of the ops in its place, and turn links that leave docs/."""
    if TABLE.search(markdown):
        markdown = TABLE.sub(lambda _: write_table(), markdown)
        page.meta["hide"] = ["navigation", "toc"]  # the table is wide
    folder = posixpath.dirname(page.file.src_uri)
    return OUTSIDE.sub(lambda link: _turn_link(link[0], folder, str(config.repo_url)), markdown)


def _turn_link(link: str, folder: str, repository: str) -> str:
    """Return where a link of a page in `folder` leads on the site."""
    target = posixpath.normpath(posixpath.join("docs", folder, link))
    if target.startswith("docs/"):
        return link
    name = posixpath.basename(target)
    if name in (SCHEMA.name, CHANGES):
        return posixpath.relpath(name, folder or ".")
    if target.startswith("vscode-client/") and target.endswith(".png"):
        return posixpath.relpath(f"pictures/vscode/{name}", folder or ".")
    return f"{repository.rstrip('/')}/blob/main/{target}"
