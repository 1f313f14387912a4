"""The op table as pages: one table over all ops that can be filtered, and a section for each of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

from formulas import typeset_formula
from inplace_lsp.torch_ops import table
from inplace_lsp.torch_ops.descriptions import describe_name, list_differences, list_releases_apart
from inplace_lsp.torch_ops.model import Alias, Overload, SavedRole

OPERATORS, MODULES = "operators", "modules"
_VIEWS = {
    "view": "a view of `{}`",
    "multi": "several views of `{}` at once",
    "apart": "parts of `{}` that autograd does not know",
    "maybe": "`{}`: a view or a copy",
    "same": "`{}` itself",
    "maybe_same": "`{}` itself or a copy",
}


@dataclass(frozen=True, slots=True)
class Op:
    """What goes by one name: `exp` stands for `torch.exp`, `torch.Tensor.exp` and `torch.Tensor.exp_`."""

    name: str
    callables: tuple[str, ...]

    @property
    def page(self) -> str:
        """The page of its section: its first letter, or `operators`."""
        return OPERATORS if self.name.startswith("__") else self.name[0].lower()

    @property
    def anchor(self) -> str:
        """Where on that page."""
        return make_anchor(self.name)

    @property
    def overloads(self) -> Iterator[Overload]:
        """All ways to call it, but for those with `out=`."""
        for name in self.callables:
            yield from (way for way in table.find_overloads(name) if "out" not in way.writes)


def make_anchor(title: str) -> str:
    """Return the id of a section; underscores at the ends would be Markdown."""
    return title.lower().strip("_")


def list_ops() -> list[Op]:
    """Return all public ops, by name; those with names such as `__add__` last."""
    callables = defaultdict(list)
    for full in table.op_names():
        name = full.rpartition(".")[2]
        if not name.startswith("_") or name.startswith("__"):
            callables[name if name.startswith("__") else name.rstrip("_")].append(full)
    return [Op(name, tuple(callables[name])) for name in sorted(callables, key=_order_of)]


def _order_of(name: str) -> tuple[bool, str]:
    return name.startswith("_"), name.lower()


def write_pages() -> dict[str, str]:
    """Return the pages with the sections, by their names, as Markdown."""
    sections = defaultdict(list)
    for op in list_ops():
        sections[op.page].append(_write_section(op.name, op.callables))
    pages = {page: _write_page(f"Ops: {page}", texts) for page, texts in sections.items()}
    modules = [_write_section(name.removeprefix("torch."), [name]) for name in table.module_names()]
    return {**pages, MODULES: _write_page("Modules", modules)}


def _write_page(title: str, sections: list[str]) -> str:
    """Return a page; the forms with `out=`, all alike, are told of in one line."""
    head = (
        f"# {title} (torch {table.torch_version()})",
        "",
        "[All ops in one table](../ops.md). Forms with `out=` take no part in autograd: torch refuses them for",
        "arguments that require grad.",
        "",
    )
    return "\n".join([*head, *sections])


def _write_section(title: str, callables: Iterable[str]) -> str:
    """Return a heading, the formula, and what is told of each way to call it; what is told alike is told once."""
    told: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in callables:
        described = describe_name(name)
        if described is None:
            continue
        for way in (way for way in described.ways if "out" not in way.overload.writes):
            told[described.notes + way.sentences].append(f"`{name.rpartition('.')[0]}.{way.call}`")
    lines = [f"## `{title}` {{ #{make_anchor(title)} }}", ""]
    formula = typeset_formula(title.rpartition(".")[2])
    lines += [f"<div class=formula>{formula}</div>", ""] if formula else []
    for sentences, calls in told.items():
        lines += [", ".join(dict.fromkeys(calls)), "", *(f"- {sentence}" for sentence in sentences), ""]
    elsewhere = [(name, difference) for name in callables for difference in list_differences(name)]
    lines += [f"- `{name}`. {difference}" for name, difference in elsewhere]
    lines += [""] if elsewhere else []
    return "\n".join(lines)


def write_table() -> str:
    """Return the table over all ops as HTML, with the field that filters it."""
    rows = "\n".join(_write_row(op) for op in list_ops())
    return (
        '<input id="op-filter" type="search" aria-label="Filter the ops"'
        ' placeholder="exp, relu_, nn.functional, view ...">\n'
        f'<p><span id="op-count"></span> Apart: <a href="{OPERATORS}/">operators</a>,'
        f' <a href="{MODULES}/">modules</a>.</p>\n<table id="op-table" data-torch="{table.torch_version()}">\n'
        "<thead><tr><th>op</th><th>keeps</th><th>writes</th><th>views</th><th>other in torch</th><th>why</th></tr>"
        "</thead>\n"
        f"<tbody>\n{rows}\n</tbody></table>\n"
    )


def _write_row(op: Op) -> str:
    cells = (_list_kept(op), _list_written(op), _list_views(op), _list_releases(op))
    link = f'<a href="{op.page}/#{op.anchor}"><code>{op.name}</code></a>'
    columns = "".join(f"<td>{_mark_code('; '.join(dict.fromkeys(cell)))}</td>" for cell in cells)
    names = escape(" ".join(op.callables).lower())
    return f'<tr data-names="{names}"><td>{link}</td>{columns}<td>{_explain_why(op)}</td></tr>'


def _list_kept(op: Op) -> Iterator[str]:
    overloads = list(op.overloads)
    if not any(way.differentiable for way in overloads):
        yield "nothing: not differentiable"
        return
    for way in overloads:
        yield from (_name_saved(save, way) for save in way.saves)
    if not any(way.saves for way in overloads):
        yield "nothing but a copy of its own" if any(way.saves_something for way in overloads) else "nothing"


def _name_saved(save: SavedRole, way: Overload) -> str:
    """Return `its result`, or ``other` if `input` requires grad`; of long conditions nothing is said here."""
    role = f"its {save.role}" if save.role.startswith("result") else f"`{_name_parameter(save.role)}`"
    if save.when == way.differentiable or len(save.when) > 2:
        return role
    return f"{role} if {' or '.join(f'`{_name_parameter(name)}`' for name in sorted(save.when))} requires grad"


def _name_parameter(name: str) -> str:
    """Return a parameter's name as torch's functions have it: methods call the first one `self`."""
    return "input" if name == "self" else name


def _list_written(op: Op) -> Iterator[str]:
    """Yield the forms that write, each with what it writes where that is not the tensor itself."""
    for name in op.callables:
        for way in table.find_overloads(name):
            for written in way.writes:
                to = "" if written == way.params[0].name else f" to `{written}`"
                behind = "" if way.bumps else ", unseen by autograd"
                asked = "(inplace=True)" if ("inplace", True) in way.given else ""
                if written != "out":
                    yield f"`{name.rpartition('.')[2]}{asked}`{to}{behind}"


def _list_views(op: Op) -> Iterator[str]:
    aliases: Iterator[Alias] = (alias for way in op.overloads if not way.writes for alias in way.aliases)
    yield from (_VIEWS[alias.kind].format(_name_parameter(alias.of)) for alias in aliases)


def _list_releases(op: Op) -> Iterator[str]:
    """Yield the releases of torch that do otherwise, or have no such op."""
    apart = {release for name in op.callables for release in list_releases_apart(name)}
    yield from (release for release in table.recorded_releases() if release in apart)


def _explain_why(op: Op) -> str:
    """Return the formula, else the sentence of the table."""
    sentence = next((way.derivative for way in op.overloads if way.derivative), "")
    return typeset_formula(op.name) if sentence and typeset_formula(op.name) else escape(sentence)


def _mark_code(text: str) -> str:
    """Return the text as HTML, with what stands in backticks as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if at % 2 else part for at, part in enumerate(parts))
