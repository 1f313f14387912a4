"""Settings in a text are read as PyYAML reads them; what is more than settings is not read."""

from __future__ import annotations

import pytest

from inplace_lsp.interpret.python.yaml_text import read_yaml

READ = {
    "a: 1\nb: []\nc: {}\n": {"a": 1, "b": [], "c": {}},
    "m:\n  k: {s: 0.2, i: true}\n  t: a.b.C\nz: ~\n": {"m": {"k": {"s": 0.2, "i": True}, "t": "a.b.C"}, "z": None},
    "- [-1, 1, Conv, [64, 6]]  # 0\n- [[-1, 3], 1, 'x: y']\n": [[-1, 1, "Conv", [64, 6]], [[-1, 3], 1, "x: y"]],
    "l:\n- name: a\n  n: 3\n- name: b\n  kw:\n    - x\n": {"l": [{"name": "a", "n": 3}, {"name": "b", "kw": ["x"]}]},
    "a: |\n  b\nc: {d}\n": {"a": "b\n", "c": {"d": None}},
    "lr: 1e-3\nurl: http://a.b/#c\n": {"lr": "1e-3", "url": "http://a.b/#c"},
}


@pytest.mark.parametrize("text", READ)
def test_settings_are_read(text: str) -> None:
    assert read_yaml(text) == READ[text]


@pytest.mark.parametrize(
    "text", ["a: &x 1\nb: *x\n", "a: [1\n", "!t a\n", "!!int a\n", "a: 2024-01-01\n", "a: 1\n  b: 2\n"]
)
def test_what_is_more_than_settings_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        read_yaml(text)
