"""Highlights, hints, lenses, suppressions, all repairs at once: each as a real client asks for it."""

import copy

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from lsp.editor import MODERN, capabilities, position_at

URI = "file:///tmp/features.py"
HAZARD = """\
import torch


def loss_of(x):
    y = x.exp()
    y.add_(1)  # shift
    return y.sum()


x = torch.rand(3, requires_grad=True)
loss_of(x).backward()
"""
DOCUMENT = types.TextDocumentIdentifier(URI)


@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in MODERN])
def client(request):
    return request.param


async def highlights(editor, offset):
    at = position_at(editor.texts[URI], offset, editor.encoding)
    found = await editor.client.text_document_document_highlight_async(types.DocumentHighlightParams(DOCUMENT, at))
    return {(highlight.range.start.line + 1, highlight.kind.name) for highlight in found or ()}


async def hints(editor):
    end = types.Position(editor.texts[URI].count("\n") + 1, 0)
    params = types.InlayHintParams(DOCUMENT, types.Range(types.Position(0, 0), end))
    return {
        (hint.position.line + 1, hint.label)
        for hint in await editor.client.text_document_inlay_hint_async(params) or ()
    }


async def test_the_places_of_a_hazard_are_highlighted(share):
    editor = await share()
    text = HAZARD.replace("loss_of(x).backward()", "loss = loss_of(x)\nloss.backward()")
    editor.open(URI, text)
    await editor.diagnostics(URI)  # highlights wait no longer than two seconds
    wanted = {(6, "Write"), (5, "Read"), (12, "Text")}
    assert await highlights(editor, text.index("y.add_")) >= wanted
    assert await highlights(editor, text.index("y = x.exp")) >= wanted
    assert await highlights(editor, text.index("import")) == set()


async def test_hints_show_versions_of_hazards_or_of_all_or_nothing(share):
    text = HAZARD + "z = x * 2\nz += 1\n"
    shown = {}
    for wanted in ("hazards", "all", "off"):
        editor = await share(initialization_options={"inlayHints": wanted})
        editor.open(URI, text)
        shown[wanted] = await hints(editor)
    assert (6, "y v0 → v1") in shown["hazards"]
    assert (5, "exp keeps y v0") in shown["hazards"]
    assert not any(line == 13 for line, _ in shown["hazards"])
    assert (13, "z v0 → v1") in shown["all"]
    assert shown["off"] == set()


NESTED_MODULES = """\
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.scale = nn.Parameter(torch.ones(4))

    def forward(self, x):
        y = self.linear(x) * self.scale
        self.scale.data.clamp_(0, 1)
        return y


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(Scaled(), Scaled())

    def forward(self, x):
        return self.blocks(x)


net = Net()
net(torch.randn(4)).sum().backward()
"""


async def test_hints_name_a_tensor_as_the_method_around_them_does(share):
    editor = await share(initialization_options={"inlayHints": "all"})
    editor.open(URI, NESTED_MODULES)
    shown = await hints(editor)
    assert (13, "self.scale stays v0: unseen") in shown
    assert not any(name in label for _, label in shown for name in ("net.", "self.blocks"))


async def test_hints_stand_behind_the_statement(share):
    editor = await share()
    editor.open(URI, HAZARD)
    params = types.InlayHintParams(DOCUMENT, types.Range(types.Position(5, 0), types.Position(5, 99)))
    (hint,) = await editor.client.text_document_inlay_hint_async(params)
    assert (hint.position.line, hint.position.character) == (5, len("    y.add_(1)"))


NESTED = """\
import torch


class Net(torch.nn.Module):
    if True:
        @torch.jit.ignore
        def forward(self, x):
            def inner(
                y,
            ):
                z = y.exp()
                z += 1
                return z

            return inner(x)


# a comment in the first column
w = torch.rand(3, requires_grad=True)
w.add_(1)
w.mul_(2)
"""


async def lenses(editor):
    found = await editor.client.text_document_code_lens_async(types.CodeLensParams(DOCUMENT))
    return [(lens.range.start.line + 1, lens.command.title, lens.command.arguments[1]) for lens in found or ()]


async def test_a_lens_over_every_function_with_findings_offers_to_verify(share):
    editor = await share()
    editor.open(URI, HAZARD)
    assert await lenses(editor) == [(4, "Verify `loss_of` with torch", 4)]


async def test_lenses_stand_over_the_innermost_function_and_over_statements_of_the_module(share):
    editor = await share()
    editor.open(URI, NESTED)
    assert [(diagnostic.code, diagnostic.range.start.line + 1) for diagnostic in await editor.diagnostics(URI)] == [
        ("IP101", 12),
        ("IP201", 20),
    ]
    assert await lenses(editor) == [
        (8, "Verify `Net.forward.<locals>.inner` with torch", 8),
        (20, "Verify the program with torch", 20),
    ]


async def test_lenses_can_be_switched_off(share):
    editor = await share(initialization_options={"codeLens": False})
    editor.open(URI, HAZARD)
    assert not await editor.client.text_document_code_lens_async(types.CodeLensParams(DOCUMENT))


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("Ignore IP101 on this line", HAZARD.replace("# shift", "# shift  # inplace: ignore[IP101]")),
        ("Ignore IP101 in this file", "# inplace: ignore-file[IP101]\n" + HAZARD),
    ],
)
async def test_a_suppression_can_be_written_by_an_action(share, title, wanted):
    editor = await share()
    editor.open(URI, HAZARD)
    assert len(await editor.diagnostics(URI)) == 1
    offered = await editor.actions(URI, HAZARD.index("y.add_"), HAZARD.index("y.add_"))
    action = next(action for action in offered if action.title == title)
    editor.apply(action.edit)
    assert editor.texts[URI] == wanted
    assert list(await editor.diagnostics(URI)) == []


async def test_an_unused_suppression_is_marked_and_can_be_removed(share):
    editor = await share()
    text = HAZARD.replace("x.exp()", "x + 1").replace("# shift", "# shift  # inplace: ignore[IP101]")
    editor.open(URI, text)
    (unused,) = await editor.diagnostics(URI)
    assert (unused.code, unused.tags) == ("IP901", (types.DiagnosticTag.Unnecessary,))
    (action,) = await editor.actions(URI, text.index("# inplace"), text.index("# inplace"))
    editor.apply(action.edit)
    assert editor.texts[URI] == HAZARD.replace("x.exp()", "x + 1")


async def test_of_a_suppression_that_is_needed_in_part_only_the_rest_is_removed(share):
    editor = await share()
    text = HAZARD.replace("# shift", "# inplace: ignore[IP101, IP205]  the graph is gone")
    editor.open(URI, text)
    assert [diagnostic.code for diagnostic in await editor.diagnostics(URI)] == ["IP901"]
    at = text.index("# inplace")
    actions = await editor.actions(URI, at, at)
    action = next(action for action in actions if action.title == "Remove IP205 from the comment")
    editor.apply(action.edit)
    assert editor.texts[URI] == text.replace(", IP205", "")
    assert list(await editor.diagnostics(URI)) == []


async def test_all_safe_repairs_are_made_at_once_and_hidden_findings_are_left_alone(share):
    editor = await share()
    text = HAZARD + "a = x.exp()\nb = a.sigmoid()\na += 1\nb *= 2\nc = b.exp()\nc += 1  # inplace: ignore\n"
    text += "(a.sum() + c.sum()).backward()\n"
    editor.open(URI, text)
    assert len(await editor.diagnostics(URI)) == 3
    (action,) = await editor.actions(URI, 0, 0, only=["source.fixAll"])
    assert action.kind == "source.fixAll.inplace"
    editor.apply(action.edit)
    assert list(await editor.diagnostics(URI)) == []
    wanted = text.replace("y.add_(1)", "y = y.add(1)").replace("a += 1", "a = a + 1").replace("b *= 2", "b = b * 2")
    assert editor.texts[URI] == wanted


async def test_kinds_that_were_not_asked_for_are_not_given(share):
    editor = await share()
    editor.open(URI, HAZARD)
    at = HAZARD.index("y.add_")
    assert await editor.actions(URI, at, at, only=["refactor"]) == []
    assert {action.kind for action in await editor.actions(URI, at, at, only=["quickfix"])} == {"quickfix"}


async def test_a_client_that_cannot_resolve_gets_the_edit_at_once(start):
    declared = copy.deepcopy(capabilities())
    declared.text_document.code_action.resolve_support = None
    declared.workspace.workspace_edit.document_changes = None
    editor = await start(declared)
    editor.open(URI, HAZARD)
    at = HAZARD.index("y.add_")
    params = types.CodeActionParams(
        DOCUMENT,
        types.Range(position_at(HAZARD, at, editor.encoding), position_at(HAZARD, at, editor.encoding)),
        types.CodeActionContext([]),
    )
    first = (await editor.client.text_document_code_action_async(params))[0]
    assert (first.is_preferred, first.data) == (True, None)
    assert list(first.edit.changes) == [URI]


async def test_a_client_that_cannot_resolve_gets_all_repairs_when_it_asks_for_that_kind(start):
    declared = capabilities()
    declared.text_document.code_action.resolve_support = None
    editor = await start(declared)
    editor.open(URI, HAZARD)
    (action,) = await editor.actions(URI, 0, 0, only=["source.fixAll.inplace"])
    editor.apply(action.edit)
    assert editor.texts[URI] == HAZARD.replace("y.add_(1)", "y = y.add(1)")
    editor.open("file:///tmp/fine.py", "import torch\n")
    assert await editor.actions("file:///tmp/fine.py", 0, 0, only=["source.fixAll"]) == []
    editor.replace(URI, 0, len(editor.texts[URI]), HAZARD)
    kinds = {action.kind for action in await editor.actions(URI, *[HAZARD.index("y.add_")] * 2)}
    assert kinds == {types.CodeActionKind.QuickFix}


async def test_an_action_of_an_older_text_is_refused(share):
    editor = await share()
    editor.open(URI, HAZARD)
    at = types.Range(types.Position(5, 4), types.Position(5, 4))
    params = types.CodeActionParams(DOCUMENT, at, types.CodeActionContext([]))
    action = (await editor.client.text_document_code_action_async(params))[0]
    editor.replace(URI, 0, 0, "# a new line\n")
    with pytest.raises(Exception, match="the code has changed"):
        await editor.client.code_action_resolve_async(action)


async def test_hazards_are_explained_on_request(share):
    editor = await share()
    request = editor.client.protocol.send_request_async
    found = await request("inplace/explain", {"code": "ip101"})
    assert found.title == "IP101 saved-tensor-modified"
    assert found.markdown.startswith("# saved-tensor-modified (IP101)\n")
    assert (await request("inplace/explain", {"code": "IP901"})).title == "IP901 unused-suppression"
    for bad in ({"code": "IP999"}, {"code": 3}, {}, None):
        with pytest.raises(JsonRpcException, match="the codes are IP101, "):
            await request("inplace/explain", bad)


def traced(editor):
    return [trace.message for trace in editor.traced]


async def test_the_trace_says_what_is_done_as_long_as_it_is_wanted(start):
    editor = await start()
    editor.open(URI, HAZARD)
    await editor.diagnostics(URI)
    assert traced(editor) == []

    editor.client.set_trace(types.SetTraceParams(types.TraceValue.Messages))
    await editor.hover(URI, HAZARD.index("add_"))
    assert any(trace.startswith("textDocument/hover: answered in ") for trace in traced(editor))
    assert all(trace.verbose is None for trace in editor.traced)

    editor.client.set_trace(types.SetTraceParams(types.TraceValue.Verbose))
    await editor.hover(URI, HAZARD.index("add_"))
    assert URI in editor.traced[-1].verbose

    editor.client.set_trace(types.SetTraceParams(types.TraceValue.Off))
    known = len(editor.traced)
    await editor.hover(URI, HAZARD.index("add_"))
    assert len(editor.traced) == known


async def test_an_analysis_is_traced_with_its_version_and_its_findings(share):
    editor = await share(trace=types.TraceValue.Messages)
    editor.open(URI, HAZARD, version=4)
    await editor.diagnostics(URI)
    await editor.until(lambda: any(said.startswith(f"{URI} version 4: 1 finding in ") for said in traced(editor)))


UNSEEN = """\
import torch
from torch import nn

critic = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
steps = torch.optim.SGD(critic.parameters(), lr=0.1)
x = torch.rand(2, 3, requires_grad=True)
for _ in range(3):
    loss = critic(x * 2).sum()
    other = critic(x * 3).sum()
    other.backward()
    steps.step()
    loss.backward()
p = torch.rand(3, requires_grad=True)
square = (p * p).sum()
p.data.clamp_(0.1)
square.backward()
"""


async def test_hints_count_as_torch_does_and_end_with_the_error(share):
    editor = await share()
    editor.open(URI, UNSEEN)
    shown = {}
    for line, label in await hints(editor):
        shown[line] = label
    assert shown[11] == "critic.2.weight v1 → v2", "a constructor has written it once, and no second round comes"
    assert shown[8] == "linear keeps critic.2.weight v1"
    assert shown[15] == "p stays v0: unseen"
