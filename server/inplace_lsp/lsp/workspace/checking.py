"""The work of a checking process: walk over folders and check files, as `inplace-lsp check` does."""

from __future__ import annotations

import os
from dataclasses import replace

from inplace_lsp.facts.models import make_facts
from inplace_lsp.files.read import UnreadableError, read_source_file
from inplace_lsp.files.walk import find_files
from inplace_lsp.internal_errors import describe_error
from inplace_lsp.lsp.client.settings import config_of
from inplace_lsp.lsp.documents.digest import make_digest
from inplace_lsp.lsp.workspace.jobs import Check, Files, Find, Report, Stamp
from inplace_lsp.memory_limit import give_back_memory
from inplace_lsp.project import check_text, with_offers


def find_stamps(job: Find) -> Files:
    """Return the Python files below the folders that neither .gitignore nor the configuration excludes."""
    stamps: dict[str, Stamp] = {}
    problems: list[str] = []
    for folder in job.folders:
        files = find_files((folder,), problems.append, lenient=True)  # the report of a file tells of its configuration
        stamps.update({file: stamp for file in files if (stamp := _find_stamp(file)) is not None})
    return Files(stamps, tuple(problems))


def _find_stamp(file: str) -> Stamp | None:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def check_file(job: Check) -> Report:
    """Return the findings in a file. Never raises: a file that fails costs only its own answer."""
    try:
        text = read_source_file(job.filename)
    except UnreadableError as error:
        return Report(job.filename, error=str(error))
    try:
        return _check_text(text, job)
    except Exception as error:
        return Report(job.filename, error=describe_error(error))
    finally:
        give_back_memory()


def _check_text(text: str, job: Check) -> Report:
    config, problem = config_of(job.filename, job.settings)
    modules = make_facts(config)
    analysis = check_text(text, job.filename, config, modules)
    analysis = with_offers(analysis, text, job.filename, config, modules)
    findings = tuple(replace(finding, story=()) for finding in analysis.findings)
    return Report(
        job.filename,
        findings,
        text if findings else "",
        make_digest(text),
        modules.files_read,
        modules.requested_names,
        config.models,
        problem,
    )
