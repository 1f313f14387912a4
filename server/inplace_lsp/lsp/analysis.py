"""From a program to its analysis, as the command line would do it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from inplace_lsp.analysis import Analysis
from inplace_lsp.facts.models import facts_of
from inplace_lsp.facts.modules import Modules
from inplace_lsp.lsp.checked import Checked
from inplace_lsp.lsp.convert import Program
from inplace_lsp.lsp.settings import Settings, config_of
from inplace_lsp.project import check_text


def check_program(program: Program, settings: Settings, opened: Mapping[str, str]) -> Checked:
    """Runs in the analysis thread. `opened` are the texts of the other files that are open, by name."""
    config, problem = config_of(program.filename, settings)
    modules = facts_of(config.models, opened)
    analysis = check_text(program.text, program.filename, config, modules)
    return Checked(analysis, problem, modules.read, config.models)


def facts_for(filename: str, settings: Settings, opened: Mapping[str, str]) -> Modules:
    """What is known besides the file itself."""
    return facts_of(config_of(filename, settings)[0].models, opened)


def checker(settings: Settings, opened: Mapping[str, str]) -> Callable[[str, str], Analysis]:
    """The same for any text of a file: repairs are judged by what the user would see."""

    def check(text: str, filename: str) -> Analysis:
        config, _ = config_of(filename, settings)
        return check_text(text, filename, config, facts_of(config.models, opened))

    return check


def checker_of_import(
    program: Program, filename: str, settings: Settings, opened: Mapping[str, str]
) -> Callable[[str, str], Analysis]:
    """The same for texts of a file that `program` imports: what is found in it, and through the calls from there."""

    def check(text: str, name: str) -> Analysis:
        texts = {**opened, program.filename: program.text, filename: text, name: text}
        judge = checker(settings, texts)
        own, through = (judge(texts[one], one) for one in (filename, program.filename))
        findings, tapes = (*through.findings, *own.findings), (*through.tapes, *own.tapes)
        return replace(through, findings=findings, tapes=tapes, gaps=(*through.gaps, *own.gaps))

    return check
