"""Warn of mistakes in the project's model files, on which a check relies even if it does not check them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from inplace_lsp.cli.output import display_path
from inplace_lsp.cli.reports import Job
from inplace_lsp.facts.models import read_models


def describe_mistakes(jobs: Sequence[Job]) -> Iterator[str]:
    """Yield a line for each model file with mistakes that `jobs` rely on but do not check."""
    checked = {job.filename for job in jobs}
    configs = {job.config.models: job.config for job in jobs if job.config.models}
    if not configs:
        return
    from inplace_lsp.project import check_text  # noqa: PLC0415 - few projects have model files, a cached check needs none

    for config in configs.values():
        for _, model in read_models(config.models):
            found = () if model.filename in checked else check_text(model.text, model.filename, config).findings
            if found:
                first, more = found[0], f" (and {len(found) - 1} more)" if len(found) > 1 else ""
                place = f"{display_path(model.filename)}:{first.span.row}"
                yield f"the model file {place}: {first.code}: {first.message}{more}"
