"""A line that was asked about: more inputs are tried until it is reached and the write changes what it must."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from inplace_lsp.verify.client import Client
from inplace_lsp.verify.inputs.model import Hints
from inplace_lsp.verify.options import Options
from inplace_lsp.verify.prove import Subject, verify
from inplace_lsp.verify.target import target_at_line
from inplace_lsp.verify.verdict import Verdict
from verify.ways import SHORT, found


def asked(client: Client, text: str, row: int, file: Path | None = None, options: Options | None = None) -> Verdict:
    text = dedent(text)
    subject = Subject(text, str(file or "/nowhere/program.py"), target_at_line(text, row), Hints((row,)))
    return verify(subject, client, options or Options(device="cpu"))


ATTENTION = """
    def f(query, key, value):
        if query is key and key is value:
            first, second = query.sin().chunk(2, dim=-1)
            first *= 0.5
            return first + second
        return query * key * value
    """


def test_one_tensor_for_several_arguments(client: Client) -> None:
    answer = asked(client, ATTENTION, 5)
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(5, "IP203")}


def test_the_same_with_a_product_is_not(client: Client) -> None:
    assert asked(client, ATTENTION.replace("first *= 0.5", "first = first * 0.5"), 5).verdict == "not-reproduced"


RESIDUAL = """
    import torch

    def exists(value):
        return value is not None

    class Block(torch.nn.Module):
        def __init__(self, width, step_width=None):
            super().__init__()
            self.steps = torch.nn.Linear(step_width, width) if exists(step_width) else None
            self.layer = torch.nn.Linear(width, width)

        def forward(self, x, memory=None):
            y = self.layer(x).relu()
            if exists(memory):
                y += self.steps(memory)
            return y
    """


def test_what_the_line_needs_is_made_in_the_constructor(client: Client) -> None:
    answer = asked(client, RESIDUAL, 16)
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(16, "IP101")}


SIZES = """
    import torch

    class Scale:
        def __init__(self, factors, shape):
            self.factors = factors
            self.layer = torch.nn.Linear(shape[0], 4)

        def run(self, image):
            for row, factor in zip(image, self.factors):
                row.mul_(factor)
            return image
    """


def test_what_methods_do_with_an_attribute_tells_what_the_constructor_takes(client: Client) -> None:
    answer = asked(client, SIZES, 11)
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(11, "IP203")}


def test_a_base_class_tells_what_it_is_handed(client: Client) -> None:
    answer = asked(
        client,
        """
        import torch

        class Base(torch.nn.Module):
            def __init__(self, sizes):
                super().__init__()
                self.layer = torch.nn.Linear(sizes[0], sizes[1])

        class Net(Base):
            def __init__(self, sizes):
                super().__init__(sizes)

            def forward(self, x):
                y = self.layer(x).sigmoid()
                y *= 2
                return y
        """,
        15,
    )
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(15, "IP101")}


def test_a_real_call_without_gradients_is_not_the_last_word(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "angles.py"
    text = """
        import torch

        def unit(points: torch.Tensor) -> torch.Tensor:
            step = points[1:] - points[:-1]
            step /= torch.norm(step, dim=-1, keepdim=True)
            return step
        """
    file.write_text(dedent(text))
    (tmp_path / "test_angles.py").write_text(
        "import torch\nfrom angles import unit\ndef test_unit():\n    assert unit(torch.rand(3, 2)).shape == (2, 2)\n"
    )
    answer = asked(client, text, 6, file)
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(6, "IP101")}


def test_flags_that_the_constructor_keeps_are_turned(client: Client) -> None:
    answer = asked(
        client,
        """
        import torch

        class Attention(torch.nn.Module):
            def __init__(self, joined=False):
                super().__init__()
                self.joined = joined

            def forward(self, x):
                if self.joined:
                    first, second = x.sin().chunk(2, dim=-1)
                else:
                    first, second = x * 2, x * 3
                first *= 0.5
                return first + second
        """,
        14,
    )
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(14, "IP203")}


def test_what_a_helper_does_with_an_argument_tells_what_it_is(client: Client) -> None:
    answer = asked(
        client,
        """
        import torch

        def rows_of(source, places):
            return source.index_select(0, places.view(-1))

        def f(x, graph):
            y = rows_of(x, graph).relu()
            y[0] = 0
            return y
        """,
        9,
    )
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(9, "IP101")}


def test_an_argument_that_is_unpacked_is_several_whatever_a_text_says_of_its_shape(client: Client) -> None:
    answer = asked(
        client,
        '''
        def f(x):
            """Add up.

            Args:
                x (list[Tensor]): three tensors of shape (N, C)
            """
            a, b, c = x
            y = (a + b).exp()
            y += c
            return y
        ''',
        10,
    )
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(10, "IP101")}


def test_an_example_in_a_docstring_counts_if_its_result_cannot_be_walked(client: Client) -> None:
    answer = asked(
        client,
        '''
        import torch

        class Net(torch.nn.Module):
            """A network.

            Example:
                >>> import torch
                >>> outputs = Net([4, 5])(torch.rand(2, 4))
            """

            def __init__(self, sizes):
                super().__init__()
                assert sizes[0] != sizes[1]
                self.layer = torch.nn.Linear(*sizes)

            def forward(self, x):
                y = self.layer(x).sigmoid()
                y *= 2
                return y
        ''',
        19,
    )
    assert answer.verdict == "confirmed", answer.reason
    assert (answer.source, found(answer)) == ("call-site", {(19, "IP101")})


def test_the_headline_is_about_the_function_that_was_asked_for(client: Client) -> None:
    answer = asked(
        client,
        """
        def helper(x):
            y = x.exp()
            y += 1
            return y

        def f(x):
            z = helper(x)
            w = z.sigmoid()
            w += 1
            return w
        """,
        10,
    )
    assert answer.verdict == "confirmed", answer.reason
    assert answer.reason.startswith("on line 10, ")
    assert "; also seen: on line 4, " in answer.reason


CONFIGURED = """
    import torch
    import absent_format

    class Net(torch.nn.Module):
        def __init__(self, settings="small.yaml"):
            super().__init__()
            if not isinstance(settings, dict):
                settings = absent_format.load(open(settings))
            self.layer = torch.nn.Linear(*settings["sizes"])
            self.shift()

        def shift(self):
            first = self.layer.bias.view(2, -1)
            first[:, 0] += 1
    """


def test_a_configuration_of_the_project_makes_the_object(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text(dedent(CONFIGURED))
    (tmp_path / "small.yaml").write_text("# a small one\nsizes: [3, 4]\nname: small\n")
    answer = asked(client, CONFIGURED, 15, file)
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(15, "IP202")}


def test_without_the_configuration_there_is_no_object(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text(dedent(CONFIGURED))
    answer = asked(client, CONFIGURED, 15, file, SHORT)
    assert answer.verdict == "inconclusive"
    assert answer.notes[-1].startswith("next: ")


OF_PARTS = """
    import torch
    from torch import nn

    class Head(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(4, 4)

        def forward(self, features):
            total = 0
            for feature in features:
                total = total + self.layer(feature).sum()
                feature.mul_(2)
            return total
    """


def test_another_kind_of_hazard_in_invented_inputs_is_not_what_was_asked_for(client: Client) -> None:
    answer = asked(client, OF_PARTS, 14)
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(14, "IP101")}
