"""`inplace-lsp check` over real projects: internal errors, time, and how far it sees.

    python benchmarks/corpus.py             # timm and torchvision, downloaded once to a cache folder
    python benchmarks/corpus.py FOLDER ...  # any source trees

Exit status 1 if a file ended in an internal error.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from inplace_lsp.cli.run import FileReport, Job, default_jobs, run
from inplace_lsp.config import DEFAULT
from inplace_lsp.files.walk import find_files
from inplace_lsp.report.summary import code_lines, coverage, coverage_lines

PROJECTS = {"timm": "1.0.31", "torchvision": "0.26.0"}
SHOWN = 40


def main() -> None:
    """Check every tree that was named, or the default ones."""
    trees = [Path(name) for name in sys.argv[1:]] or [fetch(name, version) for name, version in PROJECTS.items()]
    sys.exit(1 if sum(measure(tree) for tree in trees) else 0)


def fetch(name: str, version: str) -> Path:
    """The unpacked source of a release, from the cache or by pip."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "inplace-lsp" / f"{name}-{version}"
    if not (cache / name).is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        subprocess.run([*download, "--dest", str(cache), f"{name}=={version}"], check=True)
        for wheel in cache.glob("*.whl"):
            unpack(wheel, cache)
    return cache / name


def unpack(wheel: Path, folder: Path) -> None:
    """The Python files of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.endswith(".py")])
    wheel.unlink()


def measure(tree: Path) -> int:
    """Check one tree, print what came of it; the number of internal errors and unreadable files."""
    start = time.perf_counter()
    files = find_files((str(tree),), print)
    reports = list(run([Job(file, DEFAULT) for file in files], default_jobs()))
    seconds = time.perf_counter() - start
    failed = [f"{report.filename}: {error}" for report in reports for error in report.errors]
    lines = sum(Path(file).read_bytes().count(b"\n") for file in files)
    print(f"== {tree}: {len(files)} files, {lines} lines in {seconds:.1f} s; {len(failed)} internal errors")
    show(reports, failed)
    return len(failed)


def show(reports: list[FileReport], failed: list[str]) -> None:
    """Errors, coverage, and how often each code was found."""
    for line in failed:
        print(line)
    gaps = [gap for report in reports for gap in report.gaps]
    findings = [finding for report in reports for finding in report.findings]
    for line in coverage_lines(coverage(sum(report.functions for report in reports), gaps), reasons=SHOWN):
        print(line)
    for severity in ("error", "warning", "information", "hint"):
        of_kind = [finding for finding in findings if finding.severity == severity]
        print(f"{severity}: {len(of_kind)}")
        for line in code_lines(of_kind):
            print(line)


if __name__ == "__main__":
    main()
