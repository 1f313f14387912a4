"""Cache the findings of `check` in a file: they hold as long as nothing they depend on has changed.

Each source file has one entry in the user's cache folder (`user_cache`). It holds for the same text, configuration,
model files and version of this program, while every question about other modules has the same answer.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn, override

from inplace_lsp.cli.reports import FileReport, Job
from inplace_lsp.facts.digests import Told, digest_of_models, hash_text, is_still_true
from inplace_lsp.facts.modules import Modules
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.interpret.state.facts import TorchQuestion
from inplace_lsp.user_cache import SUFFIX, cache_folder, program_version, read_entry, write_entry


def default_folder() -> Path:
    """Return the cache's folder."""
    return cache_folder("check")


def recall_report(folder: Path, job: Job, text: str, modules: Modules) -> FileReport | None:
    """Return the cached report of `job`'s file, if an analysis of `text` would find the same."""
    try:
        entry = read_entry(_entry_path(folder, job))
        if entry["key"] != _key_of(job, text, modules) or not is_still_true(entry["told"], modules):
            return None
        report = _CONVERTER.structure(entry["report"], FileReport)
    except Exception:  # whatever is wrong with it: it costs an analysis, and nothing else
        return None
    return replace(report, text=text if report.findings else "")


def store_report(folder: Path, job: Job, text: str, report: FileReport, told: Told, modules: Modules) -> None:
    """Store the report of `text`; `told` are the facts it depends on."""
    entry = {"key": _key_of(job, text, modules), "told": told, "report": _CONVERTER.unstructure(report)}
    write_entry(_entry_path(folder, job), entry)


def _entry_path(folder: Path, job: Job) -> Path:
    name = hash_text(job.filename)[:32]
    return folder / name[:2] / f"{name}{SUFFIX}"


def _key_of(job: Job, text: str, modules: Modules) -> str:
    models = digest_of_models(modules.models())
    torch = modules.torch(TorchQuestion(job.filename))
    return hash_text(
        "\0".join((program_version(), job.filename, repr(job.config), models, torch, repr(job.fixes), text))
    )


_CONVERTER = Converter()
_CONVERTER.register_unstructure_hook(Finding, make_dict_unstructure_fn(Finding, _CONVERTER, story=override(omit=True)))
_CONVERTER.register_unstructure_hook(
    FileReport, make_dict_unstructure_fn(FileReport, _CONVERTER, text=override(omit=True))
)
