"""Offers in an editor: shown where the setting asks for them, with the edit as a code action."""

from __future__ import annotations

from lsprotocol import types

URI = "file:///tmp/offers.py"
PROGRAM = """\
import torch
from torch import nn

fc = nn.Linear(3, 3)


def forward(x):
    x = x * fc.weight.sum()
    x = torch.relu(x)
    return fc(x)
"""
AT = PROGRAM.index("torch.relu")


async def test_offers_are_not_shown_unasked(start):
    editor = await start()
    editor.open(URI, PROGRAM)
    assert list(await editor.diagnostics(URI)) == []


async def test_an_offer_is_information_with_an_edit(start):
    editor = await start(initialization_options={"suggest": True})
    editor.open(URI, PROGRAM)
    (offer,) = await editor.diagnostics(URI)
    assert offer.code == "IP501" and offer.severity is types.DiagnosticSeverity.Information
    action = (await editor.actions(URI, AT, AT))[0]
    assert action.title == "Write in place: nothing saved `x`, nobody reads it again"
    editor.apply(action.edit)
    assert editor.texts[URI] == PROGRAM.replace("torch.relu", "torch.relu_")
    assert list(await editor.diagnostics(URI)) == []


async def test_an_offer_does_not_stop_repairs(start):
    editor = await start(initialization_options={"suggest": True})
    text = PROGRAM + "\n\nw = torch.ones(3, requires_grad=True)\ny = w.exp()\ny += 1\ny.sum().backward()\n"
    editor.open(URI, text)
    assert {found.code for found in await editor.diagnostics(URI)} == {"IP501", "IP101"}
    at = text.index("y += 1")
    assert any(action.title.startswith("Write out of place") for action in await editor.actions(URI, at, at))
