"""Search a file for clues behind an error of torch's, in a checking process."""

from __future__ import annotations

from inplace_lsp.facts.models import is_model_file, make_facts
from inplace_lsp.files.read import UnreadableError, read_source_file
from inplace_lsp.lsp.client.settings import config_of
from inplace_lsp.lsp.workspace.jobs import Search
from inplace_lsp.why.gather import FileClues, gather_clues, make_failed_file


def search_file(job: Search) -> FileClues:
    """Return the clues in a file. Never raises: a file that fails costs only its own answer."""
    config, _ = config_of(job.filename, job.settings)
    if is_model_file(job.filename, config.models):
        return FileClues(job.filename)
    try:
        text = read_source_file(job.filename) if job.text is None else job.text
        return gather_clues(text, job.filename, make_facts(config))
    except UnreadableError as error:
        return make_failed_file(job.filename, str(error))
    except Exception as error:
        return make_failed_file(job.filename, f"internal error: {type(error).__name__}: {error}")
