"""The findings of the last session: shown when a file is opened unchanged, until an analysis confirms them.

They are valid for the same text, configuration, model files and version of this program, while every question about
other modules has the same answer. Types that jedi inferred are stored with them, and used until jedi is asked again.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from inplace_lsp.analysis import Analysis, NotAnalysed
from inplace_lsp.facts.digests import digest_answers, digest_of_models, hash_text, would_answer_the_same
from inplace_lsp.facts.inferred_types import KNOWN
from inplace_lsp.facts.models import make_facts
from inplace_lsp.facts.modules import Modules
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.interpret.state.facts import ParameterQuestion, TorchQuestion
from inplace_lsp.lsp.client.settings import Settings, config_of
from inplace_lsp.lsp.documents.checked import Checked
from inplace_lsp.lsp.documents.convert import Program
from inplace_lsp.tape.plain import build_dataclass, fields_to_plain
from inplace_lsp.user_cache import SUFFIX, cache_folder, drop_oldest, program_version, read_entry, write_entry

KIND = "editor"
MOST = 1000
"""Maximum number of files whose findings are stored, the latest ones."""


def recall_findings(program: Program, settings: Settings, opened: dict[str, str]) -> Checked | None:
    """Return what the last session found in a program, if an analysis would find the same. `opened` are the texts of
    the other open files, by name."""
    config, problem = config_of(program.filename, settings)
    modules = make_facts(config, opened)
    try:
        entry = read_entry(_find_entry_path(program))
        if entry["key"] != _make_key(program, repr(config), modules) or not would_answer_the_same(
            entry["answers"], modules
        ):
            return None
        found = tuple(build_dataclass(Finding, finding) for finding in entry["findings"])
        gaps = tuple(build_dataclass(NotAnalysed, gap) for gap in entry["gaps"])
        kinds = {ParameterQuestion(program.filename, *names): kind for *names, kind in entry["types"]}
    except Exception:  # a broken entry only costs some time
        return None
    KNOWN.recall_types(program.filename, kinds)
    return Checked(Analysis(found, gaps=gaps), problem, modules.files_read, config.models)


def keep_findings(program: Program, settings: Settings, analysis: Analysis) -> None:
    """Keep what an analysis found for the next session, unless it rests on types of other files."""
    modules = analysis.facts
    if not isinstance(modules, Modules) or any(question.file != program.filename for question in modules.types):
        return
    config, _ = config_of(program.filename, settings)
    entry = {
        "key": _make_key(program, repr(config), modules),
        "answers": digest_answers(modules.answers),
        "findings": [fields_to_plain(finding) for finding in _drop_stories(analysis)],
        "gaps": [fields_to_plain(gap) for gap in analysis.gaps],
        "types": [(question.function, question.name, kind) for question, kind in modules.types.items()],
    }
    path = _find_entry_path(program)
    if not path.exists():
        drop_oldest(path.parent, MOST - 1)
    write_entry(path, entry)


def finds_the_same(recalled: Analysis, analysis: Analysis) -> bool:
    """Return whether an analysis confirms what was recalled, so that it need not be kept again."""
    return recalled.findings == _drop_stories(analysis) and recalled.gaps == analysis.gaps


def _drop_stories(analysis: Analysis) -> tuple[Finding, ...]:
    return tuple(replace(finding, story=()) for finding in analysis.findings)


def _find_entry_path(program: Program) -> Path:
    return cache_folder(KIND) / f"{hash_text(program.filename)[:32]}{SUFFIX}"


def _make_key(program: Program, config: str, modules: Modules) -> str:
    models = digest_of_models(modules.list_models())
    torch = modules.find_torch_release(TorchQuestion(program.filename))
    return hash_text("\0".join((program_version(), program.filename, config, models, torch, program.text)))
