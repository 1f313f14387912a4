"""Functions that verify made up for what it was not given: what only they keep is no hazard of the code."""

from __future__ import annotations

from inplace_lsp.verify.client import Client
from verify.ways import found, verdict

ONLY_THERE = """
    def f(x, cfg):
        y = cfg.net(x)
        y += 1
        return y
    """
BESIDES = """
    import torch

    def f(x, cfg):
        z = torch.exp(x)
        y = cfg.net(x)
        z += 1
        y += 1
        return y + z
    """


def test_a_hazard_in_it_is_no_verdict_and_names_it(client: Client) -> None:
    answer = verdict(client, ONLY_THERE, "f")
    assert answer.verdict == "inconclusive", answer.reason
    assert "verify's stand-in for `cfg`" in answer.reason
    assert answer.violations == ()
    assert answer.notes[-1].startswith("next: say what to run it with, above line 2: # inplace: verify(x=")


def test_a_hazard_beside_it_is_one(client: Client) -> None:
    answer = verdict(client, BESIDES, "f")
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(7, "IP101")}


def test_a_function_that_somebody_gave_is_meant(client: Client) -> None:
    given = "# inplace: verify(x=randn(3, requires_grad=True), net=lambda x: x.sigmoid())\n"
    text = given + "def f(x, net):\n    y = net(x)\n    y += 1\n    return y\n"
    answer = verdict(client, text, "f")
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(4, "IP101")}


def test_a_model_that_was_made_up_leaves_the_result_to_be_walked(client: Client) -> None:
    text = "def f(x, model):\n    y = model(x).exp()\n    y += 1\n    return y\n"
    answer = verdict(client, text, "f")
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(3, "IP101")}


def test_a_layer_that_was_made_up_returns_a_tensor_of_its_own(client: Client) -> None:
    """A real one may do so: a write to its result is no write to what it was given."""
    text = """
    import torch

    def f(x, norm: torch.nn.Module):
        z = x.sin()
        y = norm(x)
        y += 1
        return y + z
    """
    one = verdict(client, text, "f")
    assert one.verdict == "not-reproduced", one.reason
    assert one.arguments["norm"] == "InventedLayer()"


def test_a_hazard_round_a_layer_that_was_made_up_is_one(client: Client) -> None:
    text = """
    import torch

    def f(x, norm: torch.nn.Module):
        z = x.exp()
        y = norm(z)
        z += 1
        return y + z
    """
    one = verdict(client, text, "f")
    assert (one.verdict, found(one)) == ("confirmed", {(7, "IP101")}), one.reason
