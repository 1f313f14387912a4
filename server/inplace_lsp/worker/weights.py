"""Weights that are not there: loading them leaves a model as it was made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

import torch

from inplace_lsp.worker.sandbox import RefusedError
from inplace_lsp.worker.standins import StandIn, StandIns


class Weights(StandIn):
    """Stands for what a missing file of weights would have held: it has no items to copy."""

    def __iter__(self) -> Iterator[object]:
        if self._name.endswith(("items()", "keys()")):
            return iter(())
        return super().__iter__()


def do_without_weights(note: Callable[[str], object], stand_ins: StandIns) -> None:
    """Let programs load missing files of weights from now on in this process. `note` gets a sentence about each."""
    load, take = torch.load, torch.nn.Module.load_state_dict
    take_steps = torch.optim.Optimizer.load_state_dict

    @wraps(load)
    def loaded(file: Any, *args: Any, **named: Any) -> Any:
        try:
            return load(file, *args, **named)
        except RefusedError:
            raise
        except FileNotFoundError as error:
            note(f"{error}: the model keeps the weights that it was made with")
            return Weights("torch.load()", str(error), stand_ins)

    def fetched(url: str, *_how: object, **_named: object) -> Weights:
        note(f"`{url}` is not fetched: the model keeps the weights that it was made with")
        return Weights("load_url()", f"`{url}` is not fetched", stand_ins)

    @wraps(take)
    def taken(self: torch.nn.Module, state_dict: Any, *args: Any, **named: Any) -> Any:
        return None if isinstance(state_dict, StandIn) else take(self, state_dict, *args, **named)

    @wraps(take_steps)
    def taken_steps(self: Any, state_dict: Any) -> None:
        if not isinstance(state_dict, StandIn):
            take_steps(self, state_dict)

    vars(torch)["load"] = loaded
    vars(torch.hub)["load_state_dict_from_url"] = fetched
    torch.nn.Module.load_state_dict = taken
    torch.optim.Optimizer.load_state_dict = taken_steps
