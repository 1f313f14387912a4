"""Functions that verify made up for what it was not given: what only they keep is no hazard of the code."""

from __future__ import annotations

from textwrap import dedent

import pytest

from inplace_lsp.verify.client import Client
from inplace_lsp.verify.inputs.model import Hints
from inplace_lsp.verify.options import Options
from inplace_lsp.verify.prove import Subject, verify
from inplace_lsp.verify.target import target_by_name
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


OTHER_STEPS = {
    "of a network that is only called": """
        def train(embed, critic, optimizer_critic, optimizer_embed, batch):
            critic(batch).mean().backward()
            codes = embed(batch)
            score = critic(codes.detach())
            codes.mean().backward()
            {step}.step()
            score.mean().backward()
            optimizer_critic.step()
        """,
    "of a generator that is only called": """
        def train(generator, critic, optim_generator, optim_critic, batch):
            critic(batch).mean().backward()
            optim_critic.step()
            fake = generator(batch)
            score = critic(fake.detach())
            fake.mean().backward()
            {step}.step()
            score.mean().backward()
        """,
    "of a schedule": """
        def train(model, optimizer, warmup, batch):
            result = model(batch)
            {step}.step()
            result.mean().backward()
            optimizer.step()
        """,
    "of a schedule, without an optimizer": """
        def train(model, warmup, batch):
            model.train()
            result = model(batch)
            {step}.step()
            result.mean().backward()
        """,
}
OF_ANOTHER = ("optimizer_embed", "optim_generator", "warmup", "warmup")


@pytest.mark.parametrize(("name", "step"), list(zip(OTHER_STEPS, OF_ANOTHER, strict=True)), ids=list(OTHER_STEPS))
def test_a_step_changes_no_model_that_it_does_not_name(client: Client, name: str, step: str) -> None:
    answer = verdict(client, OTHER_STEPS[name].replace("{step}", step), "train")
    assert answer.verdict == "not-reproduced", answer.reason


MEANT = {"embed": "optimizer_critic", "generator": "optim_critic", "optimizer": "optimizer"}


@pytest.mark.parametrize("first", MEANT)
def test_a_step_changes_the_model_that_it_names(client: Client, first: str) -> None:
    text = next(text for text in OTHER_STEPS.values() if f"{first}, " in text)
    answer = verdict(client, text.replace("{step}", MEANT[first]), "train")
    assert answer.verdict == "confirmed", answer.reason


def test_networks_are_known_by_a_letter(client: Client) -> None:
    text = """
        def train(netA, netB, {optimizers}, batch):
            codes = netA(batch)
            kept = netB(codes)
            codes.mean().backward(retain_graph=True)
            optimizer_B.step()
            kept.mean().backward()
        """
    answer = verdict(client, text.replace("{optimizers}", "optimizer_A, optimizer_B"), "train")
    assert answer.verdict == "confirmed", answer.reason
    assert {argument for argument in answer.arguments.values() if "SGD" not in argument} >= {
        "trial_model",
        "trial_model_2",
    }


def test_the_seventh_model_is_none_of_the_others(client: Client) -> None:
    names = [f"{letter}_model" for letter in "abcefgh"]
    called = " + ".join(f"{name}(batch)" for name in names[1:])
    text = f"""
        def train({", ".join(names)}, optimizer_a, batch):
            results = {called}
            first = a_model(batch)
            first.mean().backward()
            optimizer_a.step()
            results.mean().backward()
        """
    answer = verdict(client, text, "train")
    assert answer.verdict == "not-reproduced", answer.reason


ASKED = {
    "until it is none": "while hasattr(model, 'module'):\n            model = model.module",
    "to leave": "if hasattr(model, 'penalty'):\n            return",
    "with a default": "if getattr(model, 'penalty', None) is not None:\n            return",
}


@pytest.mark.parametrize("question", ASKED)
@pytest.mark.parametrize(("line", "expected"), [("y += 1", "confirmed"), ("y = y + 1", "not-reproduced")])
def test_a_made_up_model_has_no_attribute_that_is_asked_about(
    client: Client, question: str, line: str, expected: str
) -> None:
    text = """
        def train(model, optimizer, batch):
            {question}
            y = model.head(model(batch)).exp()
            {line}
            optimizer.zero_grad()
            y.sum().backward()
            optimizer.step()
        """
    text = text.replace("{question}", ASKED[question].replace("\n", "\n    ")).replace("{line}", line)
    answer = verdict(client, text, "train")
    assert answer.verdict == expected, answer.reason


TEXTS = {
    "Optional[str]": "from typing import Optional",
    "Union[str, None]": "from typing import Union",
    "'str | None'": "",
}


@pytest.mark.parametrize("annotation", TEXTS)
def test_a_text_that_the_line_needs_is_given(client: Client, annotation: str) -> None:
    text = f"""
        {TEXTS[annotation]}
        import torch

        def change(x: torch.Tensor, style: {annotation} = None):
            y = x.exp()
            if style is not None:
                y.add_(1)
            return y
        """
    row = 8
    text = dedent(text)
    subject = Subject(text, "/nowhere/program.py", target_by_name(text, "change"), Hints((row,)))
    answer = verify(subject, client, Options(device="cpu"))
    assert (answer.verdict, found(answer)) == ("confirmed", {(row, "IP101")}), answer.reason


def test_a_text_that_no_line_needs_is_left_out(client: Client) -> None:
    text = """
        from typing import Optional
        import torch

        def change(x: torch.Tensor, style: Optional[str]):
            y = x.exp()
            y += 1
            return getattr(y, style) if style else y
        """
    answer = verdict(client, text, "change")
    assert (answer.verdict, answer.arguments["style"]) == ("confirmed", "None"), answer.reason


OF_PARTS = """
    import torch

    def f(x, cfg):
        levels = cfg.net(x)
        for at in range(len(levels)):
            {line}
        return levels[0] + levels[1]
    """


def test_an_assignment_to_a_part_of_what_it_gave_may_be_one_to_a_list(client: Client) -> None:
    text = OF_PARTS.replace("{line}", "levels[at] = levels[at] / levels[at].norm()")
    answer = verdict(client, text, "f")
    assert answer.verdict != "confirmed", answer.reason


def test_a_write_to_a_part_of_what_it_gave_is_one_to_a_tensor(client: Client) -> None:
    text = OF_PARTS.replace("{line}", "levels[at] /= levels[at].norm()")
    answer = verdict(client, text, "f")
    assert answer.verdict == "confirmed", answer.reason
    assert (7, "IP101") in found(answer)


ROWS = """
    import torch
    from torch import nn

    class Rows(nn.Module):
        def __init__(self):
            super().__init__()
            self.part = {part}

        def forward(self, frames):
            rows = []
            for i in range(len(frames)):
                {line}
            return frames, rows
    """


@pytest.mark.parametrize(
    "line", ["frames[i] = self.part(frames[i])", "rows.append(self.part(frames[i])); frames[i] = 0"]
)
def test_what_check_sees_written_by_its_elements_is_tried_as_one_tensor(client: Client, line: str) -> None:
    answer = verdict(client, ROWS.replace("{part}", "nn.Linear(4, 4)").replace("{line}", line), "Rows.forward")
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(13, "IP101")}


@pytest.mark.parametrize(
    ("part", "line"),
    [
        ("nn.ModuleList(nn.Conv2d(4, 4, 1) for _ in range(3))", "frames[i] = self.part[i](frames[i])"),
        ("nn.Linear(4, 4)", "rows.append(self.part(frames[i]))"),
    ],
)
def test_elements_that_check_sees_not_written_stay_those_of_a_list(client: Client, part: str, line: str) -> None:
    answer = verdict(client, ROWS.replace("{part}", part).replace("{line}", line), "Rows.forward")
    assert answer.verdict == "not-reproduced", answer.reason
