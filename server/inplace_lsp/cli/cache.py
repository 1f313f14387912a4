"""Cache the findings of `check` in files: they are valid as long as nothing that they depend on has changed.

Each source file has one entry in the user's cache folder (`user_cache`). It is valid for the same text, configuration,
model files and version of this program, while every question about other modules has the same answer.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn, override

from inplace_lsp.cli.reports import FileReport, Job
from inplace_lsp.facts.digests import AnswerDigests, digest_of_models, hash_text, would_answer_the_same
from inplace_lsp.facts.modules import Modules
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.interpret.state.facts import TorchQuestion
from inplace_lsp.user_cache import SUFFIX, cache_folder, program_version, read_entry, write_entry


def find_default_folder() -> Path:
    """Return the cache's folder."""
    return cache_folder("check")


def recall_report(folder: Path, job: Job, text: str, modules: Modules) -> FileReport | None:
    """Return the cached report of `job`'s file, if an analysis of `text` would find the same."""
    try:
        entry = read_entry(_find_entry_path(folder, job))
        if entry["key"] != _make_key(job, text, modules) or not would_answer_the_same(entry["answers"], modules):
            return None
        report = _CONVERTER.structure(entry["report"], FileReport)
    except Exception:  # a broken entry only costs an analysis
        return None
    return replace(report, text=text if report.findings else "")


def store_report(
    folder: Path, job: Job, text: str, report: FileReport, answers: AnswerDigests, modules: Modules
) -> None:
    """Store the report of `text`, with digests of the answers about other modules on which it depends."""
    entry = {"key": _make_key(job, text, modules), "answers": answers, "report": _CONVERTER.unstructure(report)}
    write_entry(_find_entry_path(folder, job), entry)


def _find_entry_path(folder: Path, job: Job) -> Path:
    name = hash_text(job.filename)[:32]
    return folder / name[:2] / f"{name}{SUFFIX}"


def _make_key(job: Job, text: str, modules: Modules) -> str:
    models = digest_of_models(modules.list_models())
    torch = modules.find_torch_release(TorchQuestion(job.filename))
    return hash_text(
        "\0".join((program_version(), job.filename, repr(job.config), models, torch, repr(job.fixes), text))
    )


_CONVERTER = Converter()
_CONVERTER.register_unstructure_hook(Finding, make_dict_unstructure_fn(Finding, _CONVERTER, story=override(omit=True)))
_CONVERTER.register_unstructure_hook(
    FileReport, make_dict_unstructure_fn(FileReport, _CONVERTER, text=override(omit=True))
)
