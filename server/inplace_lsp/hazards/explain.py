"""Render the explanation of a hazard as Markdown: for the terminal, for hovers and for the documentation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from inplace_lsp.hazards.hazard import ExampleProgram, Hazard


def explain_hazard(hazard: Hazard) -> str:
    """Return the whole explanation of `hazard`: the sections, then every program that proves it."""
    return "\n".join(_explanation_lines(hazard))


def _explanation_lines(hazard: Hazard) -> Iterator[str]:
    example, *others = [program for program in hazard.examples if not program.is_valid]
    yield from (f"# {hazard.name} ({hazard.code})", "", hazard.summary, "")
    yield from _section_lines("What it does", hazard.what)
    yield from _section_lines("Why is this bad?", hazard.why)
    yield from _example_lines("Example", [example])
    yield from _section_lines("What torch says", _torch_says(hazard))
    yield from _section_lines("Use instead", hazard.instead)
    yield from _section_lines("Fix safety", hazard.fix_safety)
    yield from _example_lines("Also found", others)
    yield from _example_lines("Fine", [program for program in hazard.examples if program.is_valid])


def _example_lines(title: str, programs: Sequence[ExampleProgram]) -> Iterator[str]:
    """Yield a section with all the programs; nothing without one."""
    if programs:
        yield from (f"## {title}", "")
    for program in programs:
        yield from (f"{program.title}:", "", *_code_block(program))


def _section_lines(title: str, text: str) -> tuple[str, ...]:
    return (f"## {title}", "", text.strip(), "")


def _code_block(program: ExampleProgram) -> tuple[str, ...]:
    return ("```python", *program.text.rstrip("\n").split("\n"), "```", "")


def _torch_says(hazard: Hazard) -> str:
    return f"> {hazard.says}" if hazard.says else "Nothing: the program runs to its end."
