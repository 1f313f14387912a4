"""`DataLoader`s: every batch is new memory that carries no graph."""

from __future__ import annotations

from inplace_lsp.interpret.autograd import shapes
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import (
    NONE,
    Class,
    Instance,
    Items,
    Known,
    Mapping,
    Native,
    Number,
    Tensor,
    Unknown,
    Value,
)

BATCHES = 2
"""Batches made up for a loader: the second sees what the first left behind."""


def tensor_dataset(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`TensorDataset(x, y)`: a sample is a row of each."""

    def sample(given: list[Value], named: dict[str, Value]) -> Value:
        at = given[0] if given else Number()
        rows = [machine.call(machine.attribute(one, "__getitem__"), [at], {}) for one in arguments]
        return Items("tuple", rows)

    return Instance(Class("TensorDataset", (), (), {"__getitem__": Native(sample)}))


def loader(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`DataLoader(dataset, ...)`."""
    dataset = arguments[0] if arguments else keywords.get("dataset", NONE)
    batched = not _is_none(keywords.get("batch_size", Known(1)))
    own = "collate_fn" in keywords or "batch_sampler" in keywords

    def batches(given: list[Value], named: dict[str, Value]) -> Value:
        made = [_unknown(text) if own else _batch(machine, dataset, batched=batched) for _ in range(BATCHES)]
        return Items("generator", made, open=True)

    members: dict[str, Value] = {"__iter__": Native(batches), "__len__": Native(lambda given, named: Number())}
    return Instance(Class("DataLoader", (), (), members), {"dataset": dataset}, name=text)


def _is_none(value: Value) -> bool:
    return isinstance(value, Known) and value.value is None


def _unknown(origin: str) -> Unknown:
    return Unknown(f"a batch of {origin}" if origin else "a batch", graphless=True)


def _batch(machine: Machine, dataset: Value, *, batched: bool) -> Value:
    """What default collation makes of samples."""
    if isinstance(dataset, Items) and dataset.items:
        return _collated(machine, dataset.items[0], batched=batched)
    if isinstance(dataset, Tensor) or (isinstance(dataset, Instance) and dataset.cls.lookup("__getitem__") is not None):
        with machine.recorder.no_grad():
            sample = machine.call(machine.attribute(dataset, "__getitem__"), [Number()], {})
        return _collated(machine, sample, batched=batched)
    return _unknown("")


def _collated(machine: Machine, sample: Value, *, batched: bool) -> Value:
    if isinstance(sample, Tensor):
        made = machine.recorder.fresh("collate", dtype=sample.dtype)
        shape = sample.shape if not batched or sample.shape is None else (None, *sample.shape)
        shapes.take(made, shape)
        return made
    if isinstance(sample, Items):
        return Items("list", [_collated(machine, one, batched=batched) for one in sample.items], sample.open)
    if isinstance(sample, Mapping):
        return Mapping(
            {key: _collated(machine, one, batched=batched) for key, one in sample.items.items()}, sample.open
        )
    if isinstance(sample, Number) or (isinstance(sample, Known) and isinstance(sample.value, int | float)):
        whole = isinstance(sample, Known) and isinstance(sample.value, int)
        return machine.recorder.fresh("collate", dtype="int" if whole else "")
    return _unknown("")
