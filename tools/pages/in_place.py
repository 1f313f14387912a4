"""Writes docs/in-place.md: when a write in place is allowed, by the op table, with examples that tests run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from inplace_lsp.torch_ops.model import Overload
from inplace_lsp.torch_ops.table import find_overloads, op_names

TENSOR = "torch.Tensor."
NOTHING = "nothing"


@dataclass(frozen=True)
class Example:
    """A program with a write in place; `says` is how torch's error begins, "" where the gradient is the right one."""

    title: str
    text: str
    says: str = ""


EXAMPLES = (
    Example(
        "`sigmoid` keeps its result, not its operand",
        """\
h = x * 2
y = torch.sigmoid(h)
h.add_(1)
y.sum().backward()
""",
    ),
    Example(
        "so its result must stay as it is",
        """\
y = torch.sigmoid(x * 2)
y.add_(1)
y.sum().backward()
""",
        "one of the variables needed for gradient computation has been modified by an inplace operation",
    ),
    Example(
        "`+` keeps neither",
        """\
h = x + 1
y = h + 2
h.mul_(3)
y.mul_(4)
(h + y).sum().backward()
""",
    ),
    Example(
        "`*` keeps each factor whose partner requires grad",
        """\
h = x + 1
y = h * x
h.add_(1)
y.sum().backward()
""",
        "one of the variables needed for gradient computation has been modified by an inplace operation",
    ),
    Example(
        "a leaf that requires grad is not written, its copy is",
        """\
x.relu_()
""",
        "a leaf Variable that requires grad is being used in an in-place operation",
    ),
    Example(
        "once backward is done, everything may be written",
        """\
h = torch.exp(x)
h.sum().backward()
h.zero_()
""",
    ),
)

_HEAD = """\
# When may I write in place?

An op may write in place to a tensor if nobody needs what was there:

1. **No op has saved it for a backward that is still to come.** Which op saves what is fixed: the table below.
2. **Nobody reads it again**: not under another name, through a view (`x[0]`, `x.view(...)`, `x.T`), from a list or an
   attribute, in a hook, or in the caller that passed it.
3. **It is no leaf that requires grad**, no view of one, no output of `chunk`, `split` or `unbind`, and not expanded.
4. **It has the shape and the element type of the result**: in place, nothing broadcasts or becomes a float.
5. **The grad mode is that in which it was made**: under `no_grad` a write changes the values and keeps the old graph.

`inplace-lsp check` finds the writes that break one of these. `inplace-lsp check --suggest` answers the other half:
where an op could write in place, [provably](hazards/IP501.md), with the edit. Editors show it with the setting
`suggest`, and the edit is a code action: "Write in place: nothing saved `x`, nobody reads it again".

## What it saves

`F.leaky_relu`, `F.elu`, `F.selu` and `F.celu` keep their input until backward, in place only their result. The others
save one tensor while they run. Where the table below says *a copy*, writing in place saves nothing. Writing to a
view costs memory, because backward copies it; `nn.Linear` returns a view if its input has more than two dimensions.

How much that is in your program, a run tells:

```console
$ inplace-lsp verify --memory net.py:15
net.py::Net.forward: 16.1 MiB at the peak, 14.1 MiB with the writes in place: 2.0 MiB (12%) less
  counted  by the allocator of the CPU, by torch.profiler, besides what it was given
[...]
  in place line 9: `nn.LeakyReLU` may write in place: nothing saved what it is given, nobody reads
           it again; out of place it keeps that until backward.
  changed  the gradients are those of the program as it is

  line    MiB  in place
[...]
    14    6.1       6.1  ████████              h = self.wide(x)
    15    8.1       6.1  ██████████            h = self.act(h)
    16   12.1       8.1  ███████████████       h = self.act(self.more(h))
    17   12.1       8.1  ███████████████       return self.out(h)
         16.1      14.1  ████████████████████  backward

Alive when backward begins, without parameters: 8.0 MiB
[...]
```

It runs the function as [verify](verify.md) does, with the same inputs before and after the change: the offer of the
line, or if it has none all of the file. The peak is counted by the allocator of the device; on the CPU torch's profiler
tells what that gave out. The lines are counted after each op, without what an op needs for itself while it runs.
`json` has all numbers, and `--output-format html` draws them as a page: what is alive after each line, and which
tensors stay until backward, each from the line that makes it.

![The page: bars for each line, and four bands from the lines that make them down to backward](pictures/memory.png)

What keeps memory in a whole script, and why:
[`trace --memory`](trace.md#what-keeps-memory-until-backward). With the setting `memoryHints`, editors show after each
line of a function that you verify how much it keeps until backward.

## Examples

Each was run under torch. `x` is `torch.tensor([1.0, 2.0], requires_grad=True)`.
"""

_TABLE = """\
## What ops save

Of an op (`x.exp()`), what it keeps until backward, and so what must not be written before; and what its form in place
(`x.exp_()`) keeps. Some keep less in some calls (`x * 2` keeps nothing): see [all ops](ops.md).

| out of place it keeps | the operand may be written after it | its result may be | in place it keeps | ops |
|---|---|---|---|---|
"""


def write_in_place_page() -> str:
    """Return the text of docs/in-place.md."""
    return f"{_HEAD}\n{''.join(map(_write_example, EXAMPLES))}{_TABLE}" + "".join(f"{row}\n" for row in _list_rows())


def _write_example(example: Example) -> str:
    told = f"torch refuses: *{example.says} ...*" if example.says else "The gradient is right."
    title = example.title[0].upper() + example.title[1:]
    return f"{title}:\n\n```python\n{example.text}```\n\n{told}\n\n"


def _list_rows() -> Iterator[str]:
    """Yield a row for all ops that keep the same."""
    groups: dict[tuple[str, str], list[str]] = {}
    for name in op_names():
        short = name.removeprefix(TENSOR)
        if name.startswith(TENSOR) and short.isidentifier() and not short.endswith("_"):
            plain, writing = _plain_forms(name), _plain_forms(f"{name}_")
            if plain and writing and plain[0].differentiable and not plain[0].aliases:
                kept, changed = _describe_kept(plain), _describe_writing(writing)
                if "operand" in kept and changed == NOTHING:  # torch raises NotImplementedError
                    changed = "torch has no derivative for it"
                groups.setdefault((kept, changed), []).append(short)
    for (kept, changed), names in sorted(groups.items(), key=lambda group: -len(group[1])):
        operand, result = ("no" if part in kept else "yes" for part in ("operand", "result"))
        yield f"| {kept} | {operand} | {result} | {changed} | {', '.join(f'`{name}`' for name in sorted(names))} |"


def _plain_forms(name: str) -> list[Overload]:
    return [form for form in find_overloads(name) if "out" not in form.writes and not form.given]


def _describe_kept(forms: list[Overload]) -> str:
    roles = {save.role for form in forms for save in form.saves}
    parts = [word for role, word in (("self", "its operand"), ("result", "its result")) if role in roles]
    others = sorted(roles - {"self", "result"})
    parts += ["other arguments"] * bool(others)
    if parts:
        return " and ".join(parts)
    return "a tensor of its own" if any(form.saves_something for form in forms) else NOTHING


def _describe_writing(forms: list[Overload]) -> str:
    roles = {save.role for form in forms for save in form.saves}
    parts = ["its result"] * ("result" in roles) + ["other arguments"] * bool(roles - {"self", "result"})
    has_copy = any(form.saves_something and not form.saves for form in forms)
    parts += ["a copy of what it overwrites, or a tensor of its own"] * has_copy
    return " and ".join(parts) or NOTHING
