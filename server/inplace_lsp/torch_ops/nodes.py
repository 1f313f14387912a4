"""The nodes of autograd's graph by torch's names for them, and the ops that leave them.

torch's errors name a node (`AddmmBackward0`, `ViewBackward`, `CudnnBatchNormBackward`), programs call an op (`linear`,
`view`, `batch_norm`). Which op leaves which node is observed when the op table is generated; what earlier releases and
other backends call the same node is listed here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from inplace_lsp.torch_ops.table import read_lines

_SUFFIX = re.compile(r"(?<=.)(backwards?|forward)\d*$")
_BACKENDS = ("cudnn", "miopen", "mkldnn", "native", "thnn", "slow", "th", "nnpack", "mps", "xnnpack", "cuda")
"""What older releases and other devices put before the name of the same derivative."""
_SAME = {
    **dict.fromkeys(("reshape", "reshapealias", "unsafeview", "viewas", "flatten"), "view"),
    **dict.fromkeys(("conv1d", "conv2d", "conv3d", "convolutionoverrideable", "convnd"), "convolution"),
    **dict.fromkeys(("convtranspose1d", "convtranspose2d", "convtranspose3d", "convdepthwise2d"), "convolution"),
    **dict.fromkeys(("convtranspose", "convdilated2d", "convdilated3d", "mpsconvolution"), "convolution"),
    **dict.fromkeys(("mkldnnrnnlayer", "cudnnrnn", "miopenrnn", "lstmmps", "lstm", "gru", "rnntanh", "rnnrelu"), "rnn"),
    "numpyt": "permute",
    "upsample": "interpolate",
    "batchnormimplindex": "batchnorm",
    "addconstant": "add",
    "mulconstant": "mul",
    "divconstant": "div",
    "subconstant": "sub",
    "powconstant": "pow",
    "thresholdd": "threshold",
    "stdmean": "std",
    "sliceinverse": "slice",
    "copys": "copy",
    "unsafesplit": "split",
    "unsafesplitwithsizes": "splitwithsizes",
}
"""Names that different releases give to the same node, or to nodes that nothing in a program tells apart."""
_MODULES = ("linalg", "fft", "special")
"""What the name of an op begins with that torch has in a module of its own: `linalg_norm` is `torch.linalg.norm`."""


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes that an op leaves: `outer` made its results, `inner` lie between those and what it was given."""

    outer: frozenset[str] = frozenset()
    inner: frozenset[str] = frozenset()

    def __or__(self, other: Nodes) -> Nodes:
        return Nodes(self.outer | other.outer, self.inner | other.inner)


def plain_name(name: str) -> str:
    """Return the name of a node or an op without release and backend: `relu` for `ReluBackward1`, `relu_` and
    `torch.nn.functional.relu`."""
    short = re.split(r"::|\.", name)[-1]
    plain = short.replace("_", "").lower()
    if not name.startswith("torch."):
        plain = _SUFFIX.sub("", plain)
    plain = _SUFFIX.sub("", plain)
    for backend in _BACKENDS:
        rest = plain.removeprefix(backend)
        if rest != plain and (rest in _known_ops() or rest in _SAME):
            plain = rest
            break
    if plain not in _known_ops():  # since 2.13 torch says `Clamp1` for `ClampBackward1`
        plain = plain.rstrip("0123456789")
    return _SAME.get(plain, plain)


@cache
def _known_ops() -> frozenset[str]:
    """Return the names of all ops of the op table, without what distinguishes their spellings."""
    return frozenset(name.rpartition(".")[2].replace("_", "").lower() for name in read_lines("ops.txt")) | _SAME.keys()


@cache
def nodes_of(op: str) -> Nodes:
    """Return the observed nodes of `op`; an unknown op is assumed to leave one of its own name."""
    own = plain_name(op)
    packed = _find_packed(op)
    if packed is None:
        return Nodes(frozenset({own}))
    outer, _, inner = packed.partition("|")
    return Nodes(frozenset(outer.split()) | {own}, frozenset(inner.split()))


def is_observed(op: str) -> bool:
    """Return whether the nodes of `op` were observed."""
    return _find_packed(op) is not None


def _find_packed(op: str) -> str | None:
    """Return what was observed of an op, which is kept under its name without its module."""
    module, _, inside = op.partition("_")
    found = _packed_nodes().get(plain_name(op))
    return _packed_nodes().get(plain_name(inside)) if found is None and module in _MODULES else found


def _packed_nodes() -> dict[str, str]:
    return read_lines("nodes.txt")


def pack_nodes(nodes: Nodes) -> str:
    """Return the nodes of one op as a line of the shipped data."""
    return f"{' '.join(sorted(nodes.outer))}|{' '.join(sorted(nodes.inner))}"
