"""What a checking process looks for behind an error of torch's: the clues in one file."""

from __future__ import annotations

from inplace_lsp.facts.models import facts_of, is_model_file
from inplace_lsp.files.read import UnreadableError, read
from inplace_lsp.lsp.settings import config_of
from inplace_lsp.lsp.workspace.jobs import Search
from inplace_lsp.why.gather import FileClues, failed, gather


def search(job: Search) -> FileClues:
    """The clues in one file. Never raises: a file that fails costs only its own answer."""
    config, _ = config_of(job.filename, job.settings)
    if is_model_file(job.filename, config.models):
        return FileClues(job.filename)
    try:
        text = read(job.filename) if job.text is None else job.text
        return gather(text, job.filename, facts_of(config.models))
    except UnreadableError as error:
        return failed(job.filename, str(error))
    except Exception as error:
        return failed(job.filename, f"internal error: {type(error).__name__}: {error}")
