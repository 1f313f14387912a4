"""The explanation of a hazard as Markdown: for the terminal, for hovers and for the documentation page."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.hazard import Hazard, Program


def explain(hazard: Hazard) -> str:
    """All there is to know about `hazard`: the sections, then every program that proves it."""
    return "\n".join(_lines(hazard))


def _lines(hazard: Hazard) -> Iterator[str]:
    example, *others = [program for program in hazard.examples if not program.valid]
    yield from (f"# {hazard.name} ({hazard.code})", "", hazard.summary, "")
    yield from _section("What it does", hazard.what)
    yield from _section("Why is this bad?", hazard.why)
    yield from ("## Example", "", f"{example.title}:", "", *_code(example))
    yield from _section("What torch says", _torch_says(hazard))
    yield from _section("Use instead", hazard.instead)
    yield from _section("Fix safety", hazard.fix_safety)
    for program in others:
        yield from ("## Also found", "", f"{program.title}:", "", *_code(program))
    for program in hazard.examples:
        if program.valid:
            yield from ("## Fine", "", f"{program.title}:", "", *_code(program))


def _section(title: str, text: str) -> tuple[str, ...]:
    return (f"## {title}", "", text.strip(), "")


def _code(program: Program) -> tuple[str, ...]:
    return ("```python", *program.text.rstrip("\n").split("\n"), "```", "")


def _torch_says(hazard: Hazard) -> str:
    return f"> {hazard.says}" if hazard.says else "Nothing: the program runs to its end."
