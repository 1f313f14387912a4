"""Analyse a program as the command line would."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from inplace_lsp.across_files import check_both
from inplace_lsp.analysis import Analysis, Early
from inplace_lsp.facts.models import make_facts
from inplace_lsp.facts.modules import Modules
from inplace_lsp.lsp.client.settings import Settings, config_of
from inplace_lsp.lsp.documents.checked import Checked
from inplace_lsp.lsp.documents.convert import Program
from inplace_lsp.project import check_text, with_offers


def check_program(
    program: Program, settings: Settings, opened: Mapping[str, str], last: Analysis, early: Early | None = None
) -> Checked:
    """Analyse a program, in the analysis thread.

    `opened` are the texts of the other open files, by name. `last` is the program's last analysis, an empty one if
    there was none. `early` receives a first, partial analysis, see `engine.analyse_source`.
    """
    config, problem = config_of(program.filename, settings)
    modules = make_facts(config, opened, last.facts)
    analysis = check_text(program.text, program.filename, config, modules, last, early)
    analysis = with_offers(analysis, program.text, program.filename, config, modules)
    return Checked(analysis, problem, modules.files_read | modules.files_missing, config.models)


def make_facts_for(filename: str, settings: Settings, opened: Mapping[str, str]) -> Modules:
    """Return the facts from outside the file."""
    config, _ = config_of(filename, settings)
    return make_facts(config, opened)


def make_checker(
    settings: Settings, opened: Mapping[str, str], last: Analysis | None = None
) -> Callable[[str, str], Analysis]:
    """Return a function that analyses any text of a file, so that repairs are judged by what the user would see.
    `last`: the analysis whose findings they repair, if the text is open in the editor."""

    def check_open_text(text: str, filename: str) -> Analysis:
        config, _ = config_of(filename, settings)
        return check_text(text, filename, config, make_facts(config, opened), last)

    return check_open_text


def make_import_checker(
    program: Program, filename: str, settings: Settings, opened: Mapping[str, str]
) -> Callable[[str, str], Analysis]:
    """Return such a function for a file that `program` imports: it finds hazards in the file itself and those that the
    program's calls cause."""
    return check_both(
        program.filename, program.text, filename, lambda texts: make_checker(settings, {**opened, **texts})
    )
