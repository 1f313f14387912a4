"""Programs' ways of doing written as texts with choices in them, and the statements made from such a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from generated.builder import Builder, Var

CHOICE = re.compile(r"<<((?:(?!<<|>>).)*)>>")
NAME = re.compile(r"\$(\w+)")


@dataclass(frozen=True, slots=True)
class Template:
    """A text: `<<a || b>>` is one of its alternatives (they may nest), `$name` a new name of the program's own.

    `$x` and `$y` are tensors in sight of one shape that `rank` allows; `gives` names a tensor of that shape that is
    there afterwards. A line that is left empty but for `pass` costs nothing. `needs` are imports.
    """

    text: str
    rank: tuple[int, ...] = (1, 2, 3)
    gives: str = ""
    needs: tuple[str, ...] = ()
    uses_tensors: bool = True


def maker(templates: Sequence[Template]) -> Callable[[Builder], bool]:
    """Writes one of `templates`."""

    def make(b: Builder) -> bool:
        """One of several ways of doing."""
        return b.scope.inside == "module" and _write(b, b.random.choice(templates))

    return make


def _write(b: Builder, template: Template) -> bool:
    pair = _choose_pair(b, template) if template.uses_tensors else None
    if template.uses_tensors and pair is None:
        return False
    names = {"x": pair[0].name, "y": pair[1].name} if pair is not None else {}
    for needed in template.needs:
        if needed not in b.prelude:
            b.prelude.insert(0, needed)
    for line in chosen(b, template.text.strip("\n")).splitlines():
        b.emit(NAME.sub(lambda match: names.setdefault(match[1], "") or _named(b, names, match[1]), line))
    if pair is not None:
        x, y = pair
        x.range = y.range = "any"
        if template.gives:
            b.add(Var(names[template.gives], x.shape, "float", "any", x.grad or y.grad))
    return True


def _choose_pair(b: Builder, template: Template) -> tuple[Var, Var] | None:
    """Two tensors of one shape that the template can use."""
    x = b.floating(lambda v: v.rank in template.rank and not (v.leaf and v.grad) and 1 not in v.shape)
    y = b.floating(lambda v: x is not None and v.shape == x.shape)
    return (x, y) if x is not None and y is not None else None


def _named(b: Builder, names: dict[str, str], wanted: str) -> str:
    names[wanted] = b.name(wanted)
    return names[wanted]


def chosen(b: Builder, text: str) -> str:
    """The text with one alternative in place of each choice, inner ones first."""
    while (match := CHOICE.search(text)) is not None:
        taken = b.random.choice(match[1].split("||")).strip()
        text = text[: match.start()] + taken + text[match.end() :]
    return text
