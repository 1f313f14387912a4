"""`nn.TransformerEncoder`, `nn.TransformerDecoder` and `nn.Transformer`: stacks of copies of a layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Container, Known, Library, Value
from inplace_lsp.interpret.torch_api import copying

Given = dict[str, Value]

LAYERS = 2
"""Copies of a layer that are made: two stand for more."""

_ENCODER = ("src", "mask", "src_key_padding_mask", "is_causal")
_DECODER = ("tgt", "memory", "tgt_mask", "memory_mask", "tgt_key_padding_mask", "memory_key_padding_mask")
_BOTH = ("src", "tgt", "src_mask", "tgt_mask", "memory_mask", "src_key_padding_mask", "tgt_key_padding_mask",
         "memory_key_padding_mask")  # fmt: skip
_SIZES = ("d_model", "nhead", "num_encoder_layers", "num_decoder_layers", "dim_feedforward", "dropout", "activation",
          "custom_encoder", "custom_decoder", "layer_norm_eps", "batch_first", "norm_first", "bias")  # fmt: skip
_OF_A_LAYER = ("dim_feedforward", "dropout", "activation", "layer_norm_eps", "batch_first", "norm_first", "bias")


def construct(machine: Machine, name: str, arguments: Sequence[Value], keywords: Given) -> Container | None:
    """The stack that the class `name` of torch makes, None if it is none of these classes."""
    kind = name.rpartition(".")[2]
    if name in ("torch.nn.TransformerEncoder", "torch.nn.TransformerDecoder"):
        layer = "encoder_layer" if kind == "TransformerEncoder" else "decoder_layer"
        given = _named((layer, "num_layers", "norm"), arguments, keywords)
        return _stack(machine, kind, given.get(layer, NONE), given.get("num_layers", NONE), given.get("norm", NONE))
    if name == "torch.nn.Transformer":
        return _both(machine, _named(_SIZES, arguments, keywords))
    return None


def _named(names: Sequence[str], arguments: Sequence[Value], keywords: Given) -> Given:
    return dict(zip(names, arguments, strict=False)) | keywords


def _stack(machine: Machine, kind: str, layer: Value, count: Value, norm: Value) -> Container:
    wanted = count.value if isinstance(count, Known) and isinstance(count.value, int) else LAYERS
    copies = [copying.deep(machine, layer) or layer for _ in range(min(wanted, LAYERS))]
    layers = Container("ModuleList", {str(at): one for at, one in enumerate(copies)}, open=wanted > LAYERS)
    return Container(kind, {"layers": layers, "norm": norm})


def _both(machine: Machine, given: Given) -> Container:
    size, heads = given.get("d_model", Known(512)), given.get("nhead", Known(8))
    own = {name: given[name] for name in _OF_A_LAYER if name in given}
    made = Container("Transformer", {})
    for part, kind in (("encoder", "TransformerEncoder"), ("decoder", "TransformerDecoder")):
        custom = given.get(f"custom_{part}", NONE)
        if custom is not NONE:
            made.items[part] = custom
            continue
        layer = machine.call(Library(f"torch.nn.{kind}Layer"), [size, heads], own)
        norm = machine.call(Library("torch.nn.LayerNorm"), [size], {})
        made.items[part] = _stack(machine, kind, layer, given.get(f"num_{part}_layers", Known(6)), norm)
    return made


def _masks(given: Given, names: Sequence[str]) -> Given:
    return {name: given[name] for name in names if given.get(name, NONE) is not NONE}


def _through(machine: Machine, module: Container, value: Value, others: Sequence[Value], masks: Given) -> Value:
    layers, norm = module.items["layers"], module.items["norm"]
    for layer in layers.items.values() if isinstance(layers, Container) else ():
        value = machine.call(layer, [value, *others], masks)
    return value if norm is NONE else machine.call(norm, [value], {})


def _encode(machine: Machine, module: Container, arguments: Sequence[Value], keywords: Given) -> Value:
    given = _named(_ENCODER, arguments, keywords)
    given["src_mask"] = given.get("mask", NONE)
    masks = _masks(given, ("src_mask", "src_key_padding_mask"))
    return _through(machine, module, given.get("src", NONE), (), masks)


def _decode(machine: Machine, module: Container, arguments: Sequence[Value], keywords: Given) -> Value:
    given = _named(_DECODER, arguments, keywords)
    memory = given.get("memory", NONE)
    return _through(machine, module, given.get("tgt", NONE), [memory], _masks(given, _DECODER[2:]))


def _encode_and_decode(machine: Machine, module: Container, arguments: Sequence[Value], keywords: Given) -> Value:
    given = _named(_BOTH, arguments, keywords)
    given["mask"] = given.get("src_mask", NONE)
    source, target = given.get("src", NONE), given.get("tgt", NONE)
    memory = machine.call(module.items["encoder"], [source], _masks(given, _ENCODER[1:3]))
    return machine.call(module.items["decoder"], [target, memory], _masks(given, _DECODER[2:]))


FORWARD: dict[str, Callable[[Machine, Container, Sequence[Value], Given], Value]] = {
    "TransformerEncoder": _encode,
    "TransformerDecoder": _decode,
    "Transformer": _encode_and_decode,
}
"""What calling each of them does."""
