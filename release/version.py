"""The version of a release in all files that name it. A tag `vX.Y.Z` makes a release; see docs/releasing.md.

    python release/version.py bump 0.2.0      # write it everywhere, and open its section in CHANGELOG.md
    python release/version.py check v0.2.0    # whether all files say what the tag says
    python release/version.py notes 0.2.0     # its section of CHANGELOG.md
    python release/version.py conda dist/inplace_lsp-0.2.0.tar.gz    # the checksum, into the conda recipe

Needs the standard library alone.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHANGES = "CHANGELOG.md"
RECIPE = "release/conda/recipe.yaml"
PLACES = {
    "server/inplace_lsp/version.py": r'^__version__ = "(.+)"$',
    "vscode-client/package.json": r'^  "version": "(.+)",$',
    "vscode-client/package-lock.json": r'"name": "inplace-lsp",\n\s+"version": "(.+)",$',
    RECIPE: r'^  version: "(.+)"$',
    "release/mason/package.yaml": r"pkg:pypi/inplace-lsp@(.+)$",
}
"""Where the version stands, in each file in all places of the pattern."""
UNRELEASED = "## Unreleased\n"
PINS = {
    "docs/ci.md": (r"(?<=inplace-lsp/inplace-lsp@)(?:main|v[\w.]+)", r"(?<=    rev: )(?:main|v[\w.]+)"),
}
"""Where pages name a tag for others to use: `main` until there is one, which moves and which pre-commit warns of."""


def read_versions(root: Path) -> dict[str, set[str]]:
    """Return the versions that each file names."""
    return {file: set(re.findall(pattern, _read(root / file), re.MULTILINE)) for file, pattern in PLACES.items()}


def write_version(root: Path, version: str, day: datetime.date) -> None:
    """Write a version into all files, and put what is unreleased in CHANGELOG.md under it."""
    for file, pattern in PLACES.items():
        text = _read(root / file)
        _write(
            root / file, re.sub(pattern, lambda found: found[0].replace(found[1], version), text, flags=re.MULTILINE)
        )
    for file, patterns in PINS.items():
        text = _read(root / file)
        for pattern in patterns:
            text = re.sub(pattern, f"v{version}", text)
        _write(root / file, text)
    changes = _read(root / CHANGES)
    _write(root / CHANGES, changes.replace(UNRELEASED, f"{UNRELEASED}\n## {version} ({day.isoformat()})\n", 1))


def find_problems(root: Path, tag: str) -> list[str]:
    """Return what keeps `tag` from being a release."""
    version = tag.removeprefix("v")
    if not re.fullmatch(r"v\d+\.\d+\.\d+((a|b|rc)\d+)?", tag):
        return [f"{tag} is no tag of a release, such as v0.2.0"]
    problems = [
        f"{file} says {', '.join(sorted(found)) or 'nothing'}, the tag {version}"
        for file, found in read_versions(root).items()
        if found != {version}
    ]
    return problems if read_notes(root, version) else [*problems, f"{CHANGES} has no section for {version}"]


def read_notes(root: Path, version: str) -> str:
    """Return the section of a version in CHANGELOG.md, "" if there is none."""
    found = re.search(
        rf"^## {re.escape(version)}\b.*?\n(.*?)(?=^## |\Z)", _read(root / CHANGES), re.DOTALL | re.MULTILINE
    )
    return found[1].strip() if found else ""


def write_checksum(root: Path, sdist: Path) -> None:
    """Write the checksum of the source package into the conda recipe."""
    checksum = hashlib.sha256(sdist.read_bytes()).hexdigest()
    _write(root / RECIPE, re.sub(r'(?<=sha256: ")[0-9a-f]{64}', checksum, _read(root / RECIPE)))


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Do one of the four things."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["bump", "check", "notes", "conda"])
    parser.add_argument("subject")
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.what == "bump":
        write_version(chosen.root, chosen.subject, datetime.date.today())
    elif chosen.what == "check":
        sys.exit("\n".join(find_problems(chosen.root, chosen.subject)) or 0)
    elif chosen.what == "notes":
        print(read_notes(chosen.root, chosen.subject))
    else:
        write_checksum(chosen.root, Path(chosen.subject))


if __name__ == "__main__":
    main()
