"""`inplace-lsp check` over real projects: internal errors, time, how far it sees, and how often it is wrong.

    python benchmarks/corpus.py                  # six projects, downloaded once to a cache folder
    python benchmarks/corpus.py timm lightning   # some of them
    python benchmarks/corpus.py --hunt           # 35 packages that nobody tuned for: errors, time and memory
    python benchmarks/corpus.py FOLDER ...       # any source trees

Every finding at error or warning in the six was read and judged: `judged.csv` beside this file says true or false, and
why. Exit status 1 if a file ended in an internal error or took too long, a finding of the six was never judged, or this
process, which checks all of it, grew too large.
"""

from __future__ import annotations

import ast
import csv
import os
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
import warnings
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from inplace_lsp.cli.reports import FileReport, Job
from inplace_lsp.cli.run import run_jobs
from inplace_lsp.config import DEFAULT
from inplace_lsp.files.walk import find_files
from inplace_lsp.report.summary import count_coverage, format_codes, format_coverage

PROJECTS = {
    "timm": "1.0.31",
    "torchvision": "0.26.0",
    "lightning": "2.6.6",
    "kornia": "0.9.0",
    "diffusers": "0.42.1",
    "transformers": "5.23.0",
}
HUNTED = {
    "stable-baselines3": ("2.9.2", ("stable_baselines3",)),
    "segmentation-models-pytorch": ("0.6.0", ("segmentation_models_pytorch",)),
    "ultralytics": ("8.4.190", ("ultralytics",)),
    "gpytorch": ("1.15.2", ("gpytorch",)),
    "speechbrain": ("1.1.2", ("speechbrain",)),
    "monai": ("1.6.1", ("monai",)),
    "fairseq": ("0.12.2", ("fairseq", "fairseq_cli", "examples")),
    "pyro-ppl": ("1.9.2", ("pyro",)),
    "espnet": ("202511", ("espnet", "espnet2", "espnetez")),
    "botorch": ("0.18.1", ("botorch", "botorch_community")),
    "keras": ("3.15.1", ("keras",)),
    "asdfghjkl": ("0.1a5", ("asdl",)),
    "backpack-for-pytorch": ("1.7.1", ("backpack",)),
    "laplace-torch": ("0.3", ("laplace",)),
    "rotograd": ("0.1.6.0", ("rotograd",)),
    "captum": ("0.9.0", ("captum",)),
    "opacus": ("1.6.0", ("opacus",)),
    "skorch": ("1.4.0", ("skorch",)),
    "geoopt": ("0.5.1", ("geoopt",)),
    "torchsde": ("0.2.6", ("torchsde",)),
    "sentence-transformers": ("6.2.0", ("sentence_transformers",)),
    "open-clip-torch": ("3.3.0", ("open_clip",)),
    "pytorch-metric-learning": ("2.9.0", ("pytorch_metric_learning",)),
    "e3nn": ("0.6.0", ("e3nn",)),
    "x-transformers": ("2.31.10", ("x_transformers",)),
    "vector-quantize-pytorch": ("1.32.0", ("vector_quantize_pytorch",)),
    "denoising-diffusion-pytorch": ("2.3.4", ("denoising_diffusion_pytorch",)),
    "torch-optimizer": ("0.3.0", ("torch_optimizer",)),
    "pytorch-forecasting": ("1.8.0", ("pytorch_forecasting",)),
    "neuraloperator": ("2.0.0", ("neuralop",)),
    "zuko": ("1.6.0", ("zuko",)),
    "deepinv": ("0.5.0", ("deepinv",)),
    "tianshou": ("2.0.1", ("tianshou",)),
    "flair": ("0.15.1", ("flair",)),
    "torchrl": ("0.14.1", ("torchrl",)),
}
"""Releases that no finding was judged in, and their folders: the crash hunt."""
JUDGED = Path(__file__).with_name("judged.csv")
SHOWN = 10
LONGEST = 10.0
"""Seconds that one file may take."""
LARGEST = 600
"""MiB that this process may come to."""


def main() -> None:
    """Check every tree that was named, or the six projects."""
    named = sys.argv[1:] or list(PROJECTS)
    trees = [tree for name in (list(HUNTED) if named == ["--hunt"] else named) for tree in find_trees(name)]
    outcomes = [measure(tree) for tree in trees]
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"== {len(trees)} trees in one process: {size} MiB at most")
    sys.exit(0 if all(outcomes) and size < LARGEST else 1)


def find_trees(name: str) -> Iterator[Tree]:
    """Yield the trees of a project, of a package of the hunt, or the folder of that name."""
    if name in PROJECTS:
        yield Tree(name, fetch(name, PROJECTS[name], name) / name)
    elif name in HUNTED:
        version, folders = HUNTED[name]
        unpacked = fetch(name, version, folders[0])
        yield from (Tree("", unpacked / folder) for folder in folders if (unpacked / folder).is_dir())
    else:
        yield Tree("", Path(name))


@dataclass(frozen=True)
class Tree:
    """A folder of sources; `project` is its name if it is one of the six, else empty."""

    project: str
    folder: Path


def fetch(name: str, version: str, folder: str) -> Path:
    """Where the source of a release is unpacked, with `folder` in it, from the cache or by pip."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "inplace-lsp" / f"{name}-{version}"
    if not (cache / folder).is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-build-isolation"]
        subprocess.run([*download, "--dest", str(cache), f"{name}=={version}"], check=True)
        for archive in [*cache.glob("*.whl"), *cache.glob("*.tar.gz")]:
            unpack(archive, cache)
    return cache


def unpack(archive: Path, folder: Path) -> None:
    """The Python files of a wheel, or of a source archive without the folder that all of it is in."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(folder, [name for name in wheel.namelist() if name.endswith(".py")])
    else:
        with tarfile.open(archive) as source:
            for member in source.getmembers():
                member.name = member.name.partition("/")[2]
                if member.isfile() and member.name.endswith(".py"):
                    source.extract(member, folder, filter="data")
    archive.unlink()


def measure(tree: Tree) -> bool:
    """Check one tree in this process and print what came of it; whether all is as it should be."""
    files = find_files((str(tree.folder),), print)
    with tempfile.TemporaryDirectory() as cache:
        jobs = [Job(file, DEFAULT, cache=Path(cache)) for file in files]
        start, cpu = time.perf_counter(), _cpu()
        reports = list(run_jobs(jobs, 1))
        seconds, cpu = time.perf_counter() - start, _cpu() - cpu
        again = _cpu()
        list(run_jobs(jobs, 1))
        again = _cpu() - again
    failed = [f"{report.filename}: {error}" for report in reports for error in report.errors]
    slow = [f"{report.filename}: {report.seconds:.1f} s" for report in reports if report.seconds > LONGEST]
    lines = sum(Path(file).read_bytes().count(b"\n") for file in files)
    parse = _parse_seconds(files)
    print(f"== {tree.folder}: {len(files)} files, {lines} lines in {seconds:.1f} s; {len(failed)} internal errors")
    print(f"{cpu:.0f} s of CPU: {cpu / parse:.1f} times ast.parse ({parse:.1f} s); then {again / parse:.2f} times")
    show(reports, [*failed, *slow])
    judged = not tree.project or compare_with_judged(tree, reports, lines)
    return judged and not failed and not slow


def _cpu() -> float:
    """CPU seconds of this process and those it waited for."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def _parse_seconds(files: list[str]) -> float:
    """CPU seconds that Python's own parser takes for the same files."""
    texts = [Path(file).read_bytes() for file in files]
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for text in texts:
            ast.parse(text)
    return time.process_time() - start


def compare_with_judged(tree: Tree, reports: list[FileReport], lines: int) -> bool:
    """Print how many findings were judged false, and which of those judged true are told no more or as hints only;
    whether every one was judged."""
    with JUDGED.open(newline="") as table:
        judged = {
            (row["file"], int(row["line"]), row["code"]): row["verdict"] == "true"
            for row in csv.DictReader(table)
            if row["project"] == tree.project
        }
    told = {
        (Path(finding.span.file).relative_to(tree.folder).as_posix(), finding.span.row, finding.code): finding.severity
        for report in reports
        for finding in sorted(report.findings, key=lambda finding: finding.severity in _TOLD)
        if Path(finding.span.file).is_relative_to(tree.folder)
    }
    found = sorted(place for place, severity in told.items() if severity in _TOLD)
    false = sum(not judged[place] for place in found if place in judged)
    print(f"judged: {len(found)} findings, {false} of them false: {false / lines * 100_000:.2f} per 100,000 lines")
    for file, line, code in found:
        if (file, line, code) not in judged:
            print(f"not judged: {file}:{line} {code}")
    for (file, line, code), true in sorted(judged.items()):
        if true and told.get((file, line, code)) not in _TOLD:
            print(f"{'only a hint' if (file, line, code) in told else 'lost'}: {file}:{line} {code}")
    return all(place in judged for place in found)


_TOLD = ("error", "warning")


def show(reports: list[FileReport], failed: list[str]) -> None:
    """Errors, coverage, and how often each code was found."""
    for line in failed:
        print(line)
    gaps = [gap for report in reports for gap in report.gaps]
    findings = [finding for report in reports for finding in report.findings]
    for line in format_coverage(count_coverage(sum(report.functions for report in reports), gaps), reasons=SHOWN):
        print(line)
    for severity in ("error", "warning", "information", "hint"):
        of_kind = [finding for finding in findings if finding.severity == severity]
        print(f"{severity}: {len(of_kind)}")
        for line in format_codes(of_kind):
            print(line)


if __name__ == "__main__":
    main()
