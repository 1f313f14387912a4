"""Look-ups: names, facts that must never be wrong, and what loading costs."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from inplace_lsp.torch_ops.model import Alias, Overload, SavedRole
from inplace_lsp.torch_ops.packing import pack_module, pack_overloads, unpack_module, unpack_overloads
from inplace_lsp.torch_ops.table import find_module, find_overloads, module_names, op_names, torch_version


def only(name: str) -> Overload:
    """The first overload of `name`."""
    return find_overloads(name)[0]


def test_unknown_names_have_no_facts() -> None:
    assert find_overloads("torch.no_such_op") == ()
    assert find_module("torch.nn.NoSuchModule") is None


def test_the_table_says_which_torch_it_is_of() -> None:
    assert torch_version().split(".")[0] == "2"


def test_the_table_covers_the_public_names() -> None:
    assert len(op_names()) > 1700
    assert len(module_names()) > 140


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("torch.exp", {"result": "input"}),
        ("torch.sigmoid", {"result": "input"}),
        ("torch.Tensor.tanh", {"result": "self"}),
        ("torch.log", {"input": "input"}),
        ("torch.mul", {"input": "other", "other": "input"}),
        ("torch.Tensor.mul_", {"other": "self"}),
        ("torch.div", {"input": "other", "other": "input other"}),
        ("torch.matmul", {"input": "other", "other": "input"}),
        ("torch.nn.functional.linear", {"input": "weight", "weight": "input"}),
        ("torch.nn.functional.conv2d", {"input": "bias input weight", "weight": "bias input weight"}),
        ("torch.add", {}),
        ("torch.sum", {}),
        ("torch.cat", {}),
        ("torch.Tensor.copy_", {}),
        ("torch.where", {"condition": "input other"}),
        ("torch.nn.functional.layer_norm", dict.fromkeys(("input", "weight", "bias"), "bias input weight")),
        ("torch.nn.functional.softmax", {"result": "input"}),
        ("torch.nn.functional.gelu", {"input": "input"}),
        ("torch.nn.functional.mse_loss", {"input": "input target", "target": "input target"}),
        ("torch.nn.functional.l1_loss", None),
        ("torch.Tensor.index_put_", {"indices": "self values"}),
    ],
)
def test_what_well_known_ops_keep(name: str, expected: dict[str, str] | None) -> None:
    if expected is not None:
        plain = next(o for o in find_overloads(name) if "out" not in o.writes)
        assert {save.role: " ".join(sorted(save.when)) for save in plain.saves} == expected
    else:
        assert find_overloads(name)


def test_in_place_flags_are_told_apart() -> None:
    written = next(o for o in find_overloads("torch.nn.functional.leaky_relu") if ("inplace", True) in o.given)
    plain = find_overloads("torch.nn.functional.leaky_relu")[-1]
    assert written.writes == ("input",)
    assert written.aliases == (Alias(0, "input", "same"),)
    assert [save.role for save in written.saves] == ["result"]
    assert plain.writes == ()
    assert [save.role for save in plain.saves] == ["input"]


def test_dropout_out_of_training_is_the_input_itself() -> None:
    evaluating = find_overloads("torch.nn.functional.dropout")[0]
    assert evaluating.given == (("training", False),)
    assert evaluating.aliases == (Alias(0, "input", "same"),)


@pytest.mark.parametrize("name", ["torch.Tensor.chunk", "torch.split", "torch.unbind", "torch.Tensor.split"])
def test_views_made_at_once(name: str) -> None:
    assert only(name).returns == -1
    assert only(name).aliases[0].kind == "multi"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("torch.Tensor.view", "view"),
        ("torch.Tensor.transpose", "view"),
        ("torch.Tensor.reshape", "maybe"),
        ("torch.Tensor.contiguous", "maybe_same"),
        ("torch.Tensor.float", "maybe_same"),
        ("torch.Tensor.detach", "view"),
    ],
)
def test_views_and_the_same_object(name: str, kind: str) -> None:
    assert only(name).aliases[0].kind == kind


@pytest.mark.parametrize("name", ["torch.argmax", "torch.eq", "torch.zeros", "torch.randn_like", "torch.Tensor.detach"])
def test_not_differentiable(name: str) -> None:
    assert only(name).differentiable == frozenset()
    assert only(name).saves == ()


def test_init_writes_leaves_under_no_grad() -> None:
    normal = only("torch.nn.init.normal_")
    assert normal.writes == ("tensor",)
    assert normal.writes_no_grad


def test_embedding_with_a_maximal_norm_writes_its_weight() -> None:
    first, second = find_overloads("torch.nn.functional.embedding")
    assert (first.given, first.writes) == ((("max_norm", None),), ())
    assert second.writes == ("weight",)
    assert second.writes_no_grad


def test_modules_say_what_they_register_and_call() -> None:
    linear = find_module("torch.nn.Linear")
    assert linear is not None
    assert linear.parameters == (("weight", ""), ("bias", "bias"))
    assert linear.call == "torch.nn.functional.linear"
    assert ("weight", "self.weight") in linear.arguments
    norm = find_module("torch.nn.InstanceNorm1d")
    assert norm is not None
    assert dict(norm.buffers)["running_mean"] == "track_running_stats"
    assert find_module("torch.nn.Identity").forward_op[0].aliases == (Alias(0, "input", "same"),)  # type: ignore[union-attr]


def test_every_line_unpacks_to_what_it_was_packed_from() -> None:
    for name in op_names():
        packed = tuple(
            replace(overload, out_of_any=False) for overload in find_overloads(name)
        )  # which is worked out when asked
        assert unpack_overloads(pack_overloads(packed)) == packed, name
        assert all(save.when for overload in find_overloads(name) for save in overload.saves), name
    for name in module_names():
        module = find_module(name)
        assert module is not None
        assert unpack_module(pack_module(module)) == module


def test_roles_and_conditions_are_parameters_or_results() -> None:
    for name in op_names():
        for overload in find_overloads(name):
            params = {param.name for param in overload.params}
            roles = {save.role for save in overload.saves if not save.role.startswith("result")}
            conditions = frozenset().union(*(save.when for save in overload.saves)) | overload.differentiable
            named = roles | conditions | set(overload.writes) | {alias.of for alias in overload.aliases}
            assert named <= params, (name, named - params)


def test_a_save_is_plain_data() -> None:
    assert SavedRole("result", frozenset({"self"})) in find_overloads("torch.Tensor.exp")[0].saves


def test_the_first_look_up_takes_a_few_milliseconds_and_no_torch() -> None:
    program = (
        "import sys, time; from inplace_lsp.torch_ops.table import find_overloads; start = time.process_time();"
        "find_overloads('torch.exp'); print(time.process_time() - start); assert 'torch' not in sys.modules"
    )
    taken = [
        float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)
        for _ in range(3)
    ]
    assert min(taken) < 0.015
