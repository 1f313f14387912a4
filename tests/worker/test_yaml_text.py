"""Where PyYAML is not installed, configurations are read as it reads them; what is not read here is refused."""

from __future__ import annotations

import pytest
import yaml

from inplace_lsp.worker.yaml_text import read_yaml

DOCUMENTS = {
    "nothing": "",
    "a scalar": "3\n",
    "scalars": "a: 1\nb: -2.5\nc: 1e-3\nd: 1.0e-3\ne: .5\nf: 0x1F\ng: 010\nh: 1_000\ni: +3\nj: .inf\nk: 1.\n",
    "words": "a: yes\nb: No\nc: on\nd: ~\ne:\nf: null\ng: True\nh: none\ni: 'no'\nj: \"on\"\n",
    "keys that are no texts": "0: a\n1.5: b\ntrue: c\n'x y': d\n",
    "comments": "# first\na: 1 # one\nb: 'x # y' # two\nc: x#y\n\n  # inside\nd: \"it's # in\"\n",
    "blocks": "a:\n  b:\n    c: 1\n  d: 2\ne:\n- 1\n- 2\nf:\n  - x: 1\n    y: 2\n  - x: 3\n",
    "sequences in sequences": "- - 1\n  - 2\n- - 3\n-\n  - 4\n",
    "flows": "a: [1, [2, x y], {b: 3, c: [4]}]\nd: {}\ne: []\nf: {g: , h: 1}\n",
    "flows over lines": "a: [1,\n    2, # two\n    3]\nb: {\n  c: 1,\n  d: [2,\n 3]\n}\n",
    "layers": "backbone:\n  # [from, number]\n  [[-1, 1, Conv, [64]],  # 0\n   [[-1, 6], 1, Cat, [1]],\n  ]\n",
    "texts": "a: it's so\nb: 'it''s so'\nc: \"tab\\t\\\"x\\\"\"\nd: http://x.y/z:80\n",
    "lines as they are": "a: |\n  one\n   two\n\n  three\nb: |-\n  last\nc: 1\n",
    "lines joined": "a: >\n  one\n  two\n\n  three\nb: >-\n  last\n",
    "plain text over lines": "a: one\n  two\n  three\nb: 'one\n  two'\n",
    "anchors": "a: &first {x: 1, y: 2}\nb: *first\nc:\n  <<: *first\n  y: 3\nd: [*first, 1]\n",
    "tags": "a: !!float 1e-4\nb: !!str 12\nc: !!int '3'\n",
    "a document with its marks": "%YAML 1.1\n---\na: 1\n...\n",
    "dates and versions": "b: 1.2.3\nc: v1\nd: 12:30:00x\n",
    "paths": "a: ../data/x.txt\nb: ./y\nc: C:\\data\nd: -x\n",
}


@pytest.mark.parametrize("text", DOCUMENTS.values(), ids=DOCUMENTS.keys())
def test_it_reads_what_pyyaml_reads(text: str) -> None:
    assert repr(read_yaml(text)) == repr(yaml.safe_load(text))


@pytest.mark.parametrize("text", ["a: !!python/tuple [1, 2]\n", "a: *missing\n", "a: [1, 2\n"])
def test_what_it_does_not_read_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not read|is named|no end"):
        read_yaml(text)
