"""What `check` found in a file before: valid as long as nothing it was computed from has changed.

One small file for every source file that was ever checked, in the user's cache folder: a line with the digest of what
follows, and JSON. An entry holds for the same text, configuration, model files and version of this program, and while
every question about other modules has the same answer. One that is damaged, or no file at all, is none.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn, override
from platformdirs import user_cache_path

from inplace_lsp.cli.reports import FileReport, Job
from inplace_lsp.disk import read_bytes
from inplace_lsp.facts.digests import Digest, digest_of_models, sha256, still_true
from inplace_lsp.facts.modules import Modules
from inplace_lsp.hazards.finding import Finding

FOLDER = "INPLACE_LSP_CACHE_DIR"
"""Environment variable: where the cache lies instead."""
LARGEST = 64_000_000
"""Bytes of an entry beyond which it is not read."""


def default_folder() -> Path:
    """Where the cache lies."""
    return Path(os.environ.get(FOLDER) or user_cache_path("inplace-lsp", appauthor=False) / "check")


def recall(folder: Path, job: Job, text: str, modules: Modules) -> FileReport | None:
    """What was found in `job`'s file, if an analysis of `text` would find the same."""
    try:
        entry = _unpack(read_bytes(_entry(folder, job), LARGEST))
        if entry["key"] != _key(job, text, modules) or not still_true(entry["told"], modules):
            return None
        report = _CONVERTER.structure(entry["report"], FileReport)
    except Exception:  # whatever is wrong with it: it costs an analysis, and nothing else
        return None
    return replace(report, text=text if report.findings else "")


def store(folder: Path, job: Job, text: str, report: FileReport, told: list[Digest], modules: Modules) -> None:
    """Keep what was found in `text`; `told` are the facts it rests on. A cache that cannot be written is no cache.

    What a killed check leaves unfinished has a name that the next one uses again. Two at once may spoil each other's
    entry, which is then none.
    """
    entry = {"key": _key(job, text, modules), "told": told, "report": _CONVERTER.unstructure(report)}
    target = _entry(folder, job)
    scratch = target.with_suffix(".unfinished")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch.unlink(missing_ok=True)
        with open(scratch, "xb") as file:
            file.write(_pack(entry))
        scratch.replace(target)
    except OSError:
        with suppress(OSError):
            scratch.unlink()


def _entry(folder: Path, job: Job) -> Path:
    name = sha256(job.filename)[:32]
    return folder / name[:2] / f"{name}.entry"


def _pack(entry: object) -> bytes:
    data = json.dumps(entry).encode()
    return hashlib.sha256(data).hexdigest().encode() + b"\n" + data


def _unpack(packed: bytes) -> Any:
    """The entry in `packed`. Raises ValueError if it is not as it was written."""
    digest, _, data = packed.partition(b"\n")
    if digest != hashlib.sha256(data).hexdigest().encode():
        raise ValueError("damaged")
    return json.loads(data)


def _key(job: Job, text: str, modules: Modules) -> str:
    models = digest_of_models(modules.models())
    return sha256("\0".join((_program(), job.filename, repr(job.config), models, repr(job.fixes), text)))


@cache
def _program() -> str:
    """This version of the program: the state of its own files, so that one under development counts as new."""
    root = Path(__file__).parents[1]
    files = sorted(path for path in root.rglob("*") if path.suffix in (".py", ".txt", ".toml"))
    return repr([(str(path), (status := path.stat()).st_mtime_ns, status.st_size) for path in files])


_CONVERTER = Converter()
_CONVERTER.register_unstructure_hook(Finding, make_dict_unstructure_fn(Finding, _CONVERTER, story=override(omit=True)))
_CONVERTER.register_unstructure_hook(
    FileReport, make_dict_unstructure_fn(FileReport, _CONVERTER, text=override(omit=True))
)
