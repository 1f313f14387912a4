"""Cache the findings of `check` in a file: they hold as long as nothing they depend on has changed.

Each source file has one small file in the user's cache folder: a line with a digest, and JSON. An entry holds for the
same text, configuration, model files and version of this program, while every question about other modules has the same
answer. A damaged entry counts as none.
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
from inplace_lsp.facts.digests import Told, digest_of_models, hash_text, is_still_true
from inplace_lsp.facts.modules import Modules
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.interpret.state.facts import TorchQuestion

FOLDER = "INPLACE_LSP_CACHE_DIR"
"""Environment variable: where the cache lies instead."""
LARGEST = 64_000_000
"""Bytes of an entry beyond which it is not read."""


def default_folder() -> Path:
    """Return the cache's folder."""
    return Path(os.environ.get(FOLDER) or user_cache_path("inplace-lsp", appauthor=False) / "check")


def recall_report(folder: Path, job: Job, text: str, modules: Modules) -> FileReport | None:
    """Return the cached report of `job`'s file, if an analysis of `text` would find the same."""
    try:
        entry = _unpack_entry(read_bytes(_entry_path(folder, job), LARGEST))
        if entry["key"] != _key_of(job, text, modules) or not is_still_true(entry["told"], modules):
            return None
        report = _CONVERTER.structure(entry["report"], FileReport)
    except Exception:  # whatever is wrong with it: it costs an analysis, and nothing else
        return None
    return replace(report, text=text if report.findings else "")


def store_report(folder: Path, job: Job, text: str, report: FileReport, told: Told, modules: Modules) -> None:
    """Store the report of `text`; `told` are the facts it depends on. A cache that cannot be written is ignored.

    A killed check leaves an unfinished file that the next one reuses. Two checks at once may spoil each other's entry,
    which then counts as none.
    """
    entry = {"key": _key_of(job, text, modules), "told": told, "report": _CONVERTER.unstructure(report)}
    target = _entry_path(folder, job)
    scratch = target.with_suffix(".unfinished")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch.unlink(missing_ok=True)
        with open(scratch, "xb") as file:
            file.write(_pack_entry(entry))
        scratch.replace(target)
    except OSError:
        with suppress(OSError):
            scratch.unlink()


def _entry_path(folder: Path, job: Job) -> Path:
    name = hash_text(job.filename)[:32]
    return folder / name[:2] / f"{name}.entry"


def _pack_entry(entry: object) -> bytes:
    data = json.dumps(entry).encode()
    return hashlib.sha256(data).hexdigest().encode() + b"\n" + data


def _unpack_entry(packed: bytes) -> Any:
    """Return the entry in `packed`. Raises ValueError if it is damaged."""
    digest, _, data = packed.partition(b"\n")
    if digest != hashlib.sha256(data).hexdigest().encode():
        raise ValueError("damaged")
    return json.loads(data)


def _key_of(job: Job, text: str, modules: Modules) -> str:
    models = digest_of_models(modules.models())
    torch = modules.torch(TorchQuestion(job.filename))
    return hash_text(
        "\0".join((_program_version(), job.filename, repr(job.config), models, torch, repr(job.fixes), text))
    )


@cache
def _program_version() -> str:
    """Return the version of this program by its own files, so that every change of it counts."""
    root = Path(__file__).parents[1]
    files = sorted(path for path in root.rglob("*") if path.suffix in (".py", ".txt", ".toml"))
    return repr([(str(path), (status := path.stat()).st_mtime_ns, status.st_size) for path in files])


_CONVERTER = Converter()
_CONVERTER.register_unstructure_hook(Finding, make_dict_unstructure_fn(Finding, _CONVERTER, story=override(omit=True)))
_CONVERTER.register_unstructure_hook(
    FileReport, make_dict_unstructure_fn(FileReport, _CONVERTER, text=override(omit=True))
)
