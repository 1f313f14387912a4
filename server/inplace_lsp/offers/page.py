"""The explanation of IP501."""

from __future__ import annotations

from inplace_lsp.offers.ops import FUNCTIONAL, KEEPING_DTYPE, keeps_input, saves_no_more_in_place

NAME = "may-write-in-place"
SUMMARY = "An offer, no problem: the op may write in place, since nothing saved its operand and nobody reads it again."


def write_page() -> str:
    """Return the page of the offers, with the ops that the table allows."""
    return _PAGE.format(name=NAME, summary=SUMMARY, ops="\n".join(_list_rows()))


def _list_rows() -> list[str]:
    """Return a row of the table for each op that may write in place."""
    rows = []
    for op in sorted(KEEPING_DTYPE):
        option = saves_no_more_in_place(f"{FUNCTIONAL}.{op}")
        twin = saves_no_more_in_place(f"torch.Tensor.{op}", f"torch.Tensor.{op}_")
        forms = [f"`F.{op}(x, inplace=True)`"] * option + [f"`x.{op}_()`"] * twin
        gain = "no copy until backward" if keeps_input(f"{FUNCTIONAL}.{op}") else "no second tensor"
        rows.append(f"| `{op}` | {', '.join(forms)} | {gain} |")
    return rows


_PAGE = """\
# {name} (IP501)

{summary}

## What it does

Finds ops whose operand is not needed any more, so that their result could take its memory, and offers the edit. Off by
default: `inplace-lsp check --suggest`, `--select IP5` or the editor's setting `suggest` asks for it. Its severity is
*information*. With `--suggest` it does not change the exit status, and `--fix` does not make the edit.

An op is offered only if, on every path and in all code in sight,

- its operand is new memory: the result of an op or of a layer of torch's that keeps no result (`nn.Conv2d`,
  `nn.BatchNorm2d`, `+`, `@`, ...), computed in the same expression or by an earlier statement of the same block;
- no op has saved that memory, and no other variable, view, container, attribute, closure or hook holds it;
- nobody reads it again;
- the result has its shape and element type, also under autocast;
- in place the op keeps no more for backward than out of place.

A layer (`nn.ReLU()`) is judged by all its calls. What an unknown function was given, what a caller gave, a layer that
may be an `nn.Identity`, and all modules of a file that registers hooks, walks over `children()` or sets attributes by
names that the text does not show are not offered.

Two tensors have one shape and type if they come from the same tensor by layers and ops that the text shows: two
`nn.Linear(d, n)` of one input, a convolution that keeps the extents, `torch.tril(torch.ones(T, T))` beside scores of
`B, T, C = x.shape`. Under autocast a layer's result has 16 bits and its input 32: `self.fc(x) + x` is no offer, nor
is the sum with an argument of unknown shape.

What `nn.Linear` makes of more than two dimensions is a view, and backward through a write to a view copies more than
the write saves: where the text shows so many, nothing is offered, and where it leaves that open, the offer names what
it assumes, and a dropout is not offered. An offered dropout assumes the CPU, where alone it saves memory: a GPU keeps
a mask of one byte an element out of place and the noise as floats in place. On an H100 with torch 2.11 three models
that drop out in place needed 3 to 6 % more at the peak, one that adds in place to an `nn.Linear` of three dimensions
22 % more, and three with activations behind convolutions or matrices 17 to 25 % less. Measure a place before you
change it: `inplace-lsp verify --memory`.

As for repairs, the changed text is analysed again: it must have no new finding, and a run must show the write.

## Why is this good?

Some ops (`F.leaky_relu`, `F.elu`) keep their input until backward, and in place they keep the result instead, which
the next layer often keeps anyway. The others need no second tensor while they run.

| op | in place | saves |
|---|---|---|
{ops}
| `+`, `-`, `*`, `/` with a number | `x *= 2`, `x.mul_(2)` | no second tensor |
| `x - x.mean()`, `x + torch.randn_like(x)` | `x -= x.mean()` | no second tensor |
| `self.a(x) + self.b(x)`, `x.add(y, alpha=2)`, `torch.add(x, y)` | `self.a(x).add_(self.b(x))` | no second tensor |
| `x.masked_fill(mask, 0.0)`, `torch.masked_fill(x, mask, 0.0)` | `x.masked_fill_(mask, 0.0)` | no second tensor |

`silu`, `mish`, `hardswish`, `hardsigmoid`, `hardtanh`, `relu6` and `threshold` are never offered: in place they keep a
copy of what they overwrite.

`out=` into a tensor that is not needed any more is not offered either: where gradients are off, it would have to be
certain that such a tensor has the shape and the element type of the result. In 8,175 files (timm, torchvision,
diffusers, kornia, the models of transformers, 58 repositories), 2,514 calls under `no_grad` or `inference_mode` could
take `out=`; of 222 the text tells the shape, and none of them has such a tensor beside it.

## Example

```python
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.act = nn.LeakyReLU()  # offer: nn.LeakyReLU(inplace=True)

    def forward(self, x):
        x = self.conv(x)
        x = self.act(x)
        x = x.mean((2, 3))
        return torch.sigmoid(x * 2)
```

## Fix safety

Safe for the code in sight. Code that is not (another file that hooks a layer, or calls the layers of a module one by
one) may still read what is overwritten. On a GPU, dropout in place draws other random numbers than out of place.
"""
