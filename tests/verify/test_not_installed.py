"""Code whose imports are not all there runs as far as nothing is needed of what is missing; then the error names it."""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lsp.messages.job import Op
from inplace_lsp.verify.client import Client
from verify.ways import SHORT, found, verdict


def test_what_the_function_does_not_use_need_not_be_installed(client: Client) -> None:
    answer = verdict(
        client,
        """
        import absent_plots as plots
        import torch
        from absent_data.loaders import Loader, read_all
        from absent_bar import *

        plots.use("style")
        DEFAULT = Loader(read_all("somewhere"), size=plots.SIZE * 2)

        @plots.traced
        def f(x):
            y = x.exp()
            plots.show(y.shape)
            y += 1
            return y
        """,
        "f",
    )
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(14, "IP101")}
    assert any("`absent_plots`, `absent_data`, `absent_bar` are not installed" in note for note in answer.notes)


def test_the_same_without_the_write(client: Client) -> None:
    text = "import absent_plots\nimport torch\ndef f(x):\n    y = x.exp()\n    y = y + 1\n    return y\n"
    assert verdict(client, text, "f").verdict == "not-reproduced"


def test_a_value_that_is_needed_of_it_is_named(client: Client) -> None:
    answer = verdict(
        client,
        """
        import torch
        import absent_arrays as arrays

        def f(x):
            return x * arrays.mean([1, 2])
        """,
        "f",
    )
    assert answer.verdict == "inconclusive", answer.reason
    assert "the module `absent_arrays` is not installed" in answer.reason
    assert "`absent_arrays.mean()`" in answer.reason
    assert "-m pip install absent_arrays`" in answer.notes[-1]
    assert answer.install.endswith("-m pip install absent_arrays")


def test_no_other_inputs_are_tried_for_a_function_that_needs_what_is_not_there(client: Client) -> None:
    asked: list[Op] = []
    run = client.run

    def listening(job, *more):
        asked.append(job.op)
        return run(job, *more)

    client.run = listening  # type: ignore[method-assign]
    text = "import torch\nimport absent_arrays\ndef f(x, n):\n    return x.exp().mul_(absent_arrays.mean(n))\n"
    try:
        assert "`absent_arrays` is not installed" in verdict(client, text, "f").reason
    finally:
        del client.run
    assert Op.VERIFY in asked
    assert Op.PROBE not in asked


def test_what_was_given_tensors_may_have_done_anything(client: Client) -> None:
    text = "import torch\nimport absent_steps\ndef f(x):\n    y = x.exp()\n    absent_steps.scale(y)\n    return y\n"
    answer = verdict(client, text, "f")
    assert answer.verdict == "inconclusive", answer.reason
    assert "`absent_steps.scale` was given tensors" in answer.reason


def test_an_import_that_the_code_is_ready_to_miss_is_missed(client: Client) -> None:
    answer = verdict(
        client,
        """
        import importlib.util
        import torch

        try:
            import absent_kernels
        except ImportError:
            absent_kernels = None

        def f(x):
            y = x.exp()
            if absent_kernels is None and importlib.util.find_spec("absent_other") is None:
                y += 1
            return y
        """,
        "f",
    )
    assert answer.verdict == "confirmed", answer.reason
    assert answer.not_installed == ()


def test_a_class_may_derive_from_what_is_missing(client: Client) -> None:
    answer = verdict(
        client,
        """
        import torch
        from absent_runner import BaseModule, LAYERS

        @LAYERS.register_module()
        class Block(BaseModule):
            def __init__(self, width=8):
                super().__init__(init_cfg=None)
                self.layer = torch.nn.Linear(width, width)

            def forward(self, x):
                y = self.layer(x).sigmoid()
                y *= 2
                return y
        """,
        "Block.forward",
    )
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(13, "IP101")}


def test_plain_numbers_are_computed_without_numpy(client: Client) -> None:
    text = "import torch\nimport numpy\ndef f(x):\n    y = x.exp()\n    y *= 2.0 / numpy.sqrt(4.0)\n    return y\n"
    assert verdict(client, text, "f").verdict == "confirmed"


def test_a_file_that_does_not_run_through_gives_what_the_function_needs(client: Client) -> None:
    answer = verdict(
        client,
        """
        import argparse
        import torch

        parser = argparse.ArgumentParser()
        parser.add_argument("--scale", type=float, default=2.0)
        weights = torch.load("weights that nobody has.pt")
        options = parser.parse_args()
        report = open("a report that nobody has.txt").read()

        def scaled(x):
            return x * options.scale

        def f(x):
            y = scaled(x).exp()
            y += 1
            return y

        def g(x):
            return x * weights
        """,
        "f",
    )
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(16, "IP101")}


def test_what_could_not_be_made_is_named_where_it_is_needed(client: Client) -> None:
    text = """
        import torch

        weights = torch.load("weights that nobody has.pt")

        def g(x):
            return x * weights
        """
    answer = verdict(client, text, "g", options=SHORT)
    assert answer.verdict == "inconclusive", answer.reason
    assert "line 4 of the file could not be run (FileNotFoundError" in answer.reason
    assert answer.notes[-1].startswith("next: say what to run it with, above line 6: # inplace: verify(x=")


def test_a_package_that_cannot_be_imported(client: Client, tmp_path: Path) -> None:
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('only on weekdays')\n")
    (package / "helper.py").write_text("def shifted(y):\n    y += 1\n    return y\n")
    file = package / "model.py"
    text = "import torch\nfrom .helper import shifted\ndef f(x):\n    return shifted(x.exp())\n"
    file.write_text(text)
    assert verdict(client, text, "f", file=file).verdict == "confirmed"


def test_a_file_beside_the_code_is_found_and_never_written(client: Client, tmp_path: Path) -> None:
    (tmp_path / "settings.txt").write_text("3.0")
    file = tmp_path / "model.py"
    text = """
        import torch

        def f(x):
            scale = float(open("settings.txt").read())
            with open("settings.txt", "w") as settings:
                settings.write("4.0")
            y = (x * scale).exp()
            y += 1
            return y
        """
    answer = verdict(client, text, "f", file=file)
    assert answer.verdict == "confirmed", answer.reason
    assert (tmp_path / "settings.txt").read_text() == "3.0"


def test_code_that_says_cuda_runs_on_the_cpu(client: Client) -> None:
    answer = verdict(
        client,
        """
        import torch

        def f(x):
            net = torch.nn.Linear(4, 4).cuda()
            y = net(torch.ones(2, 4, device="cuda:0").to("cuda")).sigmoid().cuda(0)
            y += 1
            return y
        """,
        "f",
    )
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(7, "IP101")}


def test_a_container_with_the_name_of_torchs_holds_layers(client: Client) -> None:
    answer = verdict(
        client,
        """
        import torch
        from absent_runner import BaseModule, ModuleList

        class Net(BaseModule):
            def __init__(self):
                super().__init__()
                self.layers = ModuleList([torch.nn.Linear(4, 4)])

            def forward(self, x):
                for layer in self.layers:
                    x = layer(x).sigmoid()
                    x *= 2
                return x
        """,
        "Net.forward",
    )
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(13, "IP101")}


def test_random_numbers_are_made_without_numpy(client: Client) -> None:
    text = "import numpy as np\ndef f(x):\n    y = x.exp()\n    y *= np.random.uniform(2, 3)\n    return y\n"
    assert verdict(client, text, "f").verdict == "confirmed"


def test_a_table_that_an_imported_file_fills_stays_empty(client: Client, tmp_path: Path) -> None:
    (tmp_path / "tables.py").write_text(
        "import absent_tags\nfor tag in absent_tags.all():\n    break\ndef twice(y):\n    return y * 2\n"
    )
    file = tmp_path / "model.py"
    text = """
        from tables import twice

        def f(x):
            y = twice(x).exp()
            y += 1
            return y
        """
    assert verdict(client, text, "f", file=file).verdict == "confirmed"


def test_a_loop_of_a_program_is_not_left_out(client: Client) -> None:
    answer = verdict(client, "import absent_data\nfor batch in absent_data.all():\n    print(batch)\n")
    assert answer.verdict == "inconclusive"
    assert "`absent_data.all()`" in answer.reason


AGENT = """
    import gym
    import torch
    from torch import nn

    def train(episodes=2):
        env = gym.wrappers.RecordEpisodeStatistics(gym.make("CartPole-v1"))
        policy = nn.Linear(env.observation_space.shape[0], env.action_space.n)
        opt = torch.optim.SGD(policy.parameters(), lr=0.1)
        for _ in range(episodes):
            observation, done, losses = env.reset(), False, []
            while not done:
                probabilities = policy(torch.as_tensor(observation)).softmax(-1)
                action = torch.multinomial(probabilities, 1).item()
                observation, reward, done, _ = env.step(action)
                losses.append(-probabilities[action].log() * reward)
                probabilities += 0.1
            torch.stack(losses).sum().backward()
            opt.step()
    """


def test_an_environment_for_agents_is_made_up(client: Client) -> None:
    pytest.importorskip("numpy")
    answer = verdict(client, AGENT, "train")
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(17, "IP101")}
    assert any("`gym` is not installed" in note for note in answer.notes)


def test_an_agent_that_writes_nothing_is_not_confirmed(client: Client) -> None:
    text = AGENT.replace("probabilities += 0.1", "probabilities = probabilities + 0.1")
    assert verdict(client, text, "train").verdict == "not-reproduced"


BARS = """
    import torch
    from absent_bars import tqdm, trange

    def train(x: torch.Tensor):
        total = x.sum() * 0
        bar = tqdm([x, x + 1], desc="batches")
        for at, part in enumerate(bar):
            bar.set_description(f"{at} of {len(bar)}")
            y = part.sigmoid()
            {line}
            total = total + y.sum()
            bar.set_postfix(loss=total.item())
        with tqdm(total=3) as steps:
            for _ in trange(1, 3):
                steps.update(1)
                total = total * 2
        return total
    """


def test_bars_of_progress_give_what_they_are_given(client: Client) -> None:
    answer = verdict(client, BARS.replace("{line}", "y += 1"), "train")
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(11, "IP101")}
    answer = verdict(client, BARS.replace("{line}", "y = y + 1"), "train")
    assert answer.verdict == "not-reproduced", answer.reason


COUNTED = """
    import torch
    from absent_bars import tqdm

    def train(x: torch.Tensor):
        kept, losses = {"sum": x.sum()}, [x.sum()]
        bar, other = tqdm(total=4), tqdm(kept)
        while bar.n < bar.total:
            y = x.sigmoid()
            {line}
            losses.append(y.sum())
            bar.update(2)
        other.update(1)
        other.clear()
        tqdm(losses).clear()
        assert (len(kept), len(losses), other.n) == (1, 3, 1)
        return sum(losses) + kept["sum"]
    """


def test_a_bar_counts_and_leaves_the_elements_alone(client: Client) -> None:
    answer = verdict(client, COUNTED.replace("{line}", "y += 1"), "train")
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(10, "IP101")}
    answer = verdict(client, COUNTED.replace("{line}", "y = y + 1"), "train")
    assert answer.verdict == "not-reproduced", answer.reason


WRAPPED = """
    import gym
    import torch
    from torch import nn

    class Repeat(gym.Wrapper):
        def __init__(self, env, times):
            gym.Wrapper.__init__(self, env)
            self.times = times

        def step(self, action):
            total = 0.0
            for _ in range(self.times):
                observation, reward, done, info = self.env.step(action)
                total += reward
                if done:
                    break
            return observation, total, done, info

    class Scaled(gym.ObservationWrapper):
        def __init__(self, env, scale):
            super().__init__(env)
            self.scale = scale
            self.observation_space = gym.spaces.Box(low=-scale, high=scale, shape=env.observation_space.shape)

        def observation(self, observation):
            return [self.scale * number for number in observation]

    def train(episodes=2):
        env = Scaled(Repeat(gym.make("CartPole-v1"), 2), 3.0)
        policy = nn.Linear(env.observation_space.shape[0], env.action_space.n)
        opt = torch.optim.SGD(policy.parameters(), lr=0.1)
        for _ in range(episodes):
            observation, done, losses = env.reset(), False, []
            while not done:
                probabilities = policy(torch.as_tensor(observation)).softmax(-1)
                action = torch.multinomial(probabilities, 1).item()
                observation, reward, done, _ = env.step(action)
                losses.append(-probabilities[action].log() * reward)
                probabilities += 0.1
            torch.stack(losses).sum().backward()
            opt.step()
    """


def test_wrappers_of_the_program_wrap_a_made_up_environment(client: Client) -> None:
    answer = verdict(client, WRAPPED, "train")
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(40, "IP101")}


def test_wrappers_round_an_agent_that_writes_nothing(client: Client) -> None:
    text = WRAPPED.replace("probabilities += 0.1", "probabilities = probabilities + 0.1")
    assert verdict(client, text, "train").verdict == "not-reproduced"


def test_a_wrapper_shows_and_closes_what_it_wraps(client: Client) -> None:
    text = """
        import gym
        import torch

        class Shown(gym.Wrapper):
            def render(self, mode="human"):
                return mode

            def close(self):
                self.is_closed = True

        def f(x: torch.Tensor):
            inner = Shown(gym.make("CartPole-v1"))
            outer = gym.Wrapper(inner)
            shown = outer.render(mode="rgb_array")
            outer.close()
            y = x.exp()
            if shown == "rgb_array" and inner.is_closed:
                y += 1
            return y
        """
    assert found(verdict(client, text, "f")) == {(19, "IP101")}


SPACES = """
    import gymnasium as gym
    import torch

    class Grid(gym.Env):
        def __init__(self):
            self.observation_space = gym.spaces.Box(0.0, 1.0, (3, 2))
            self.action_space = gym.spaces.Discrete(4)

        def reset(self, seed=None):
            return torch.as_tensor(self.observation_space.sample()), {}

    def f():
        grid = Grid()
        observation, _ = grid.reset()
        layer = torch.nn.Linear(observation.shape[1], grid.action_space.n)
        y = layer(observation.float()).sigmoid()
        y[grid.action_space.sample() % 3] = 0
        return y
    """


def test_spaces_have_shapes_and_choices(client: Client) -> None:
    answer = verdict(client, SPACES, "f")
    assert answer.verdict == "confirmed", answer.reason
    again = verdict(client, SPACES.replace("sigmoid()", "clone()"), "f")
    assert again.verdict == "not-reproduced", again.reason


def test_a_layer_between_so_many_channels_has_a_weight(client: Client) -> None:
    text = """
        import torch
        from absent_layers import ConvModule, GraphConv

        class Block(torch.nn.Module):
            def __init__(self, width=8):
                super().__init__()
                self.first = ConvModule(width, 2 * width, 3, stride=2, padding=1, norm_cfg=dict(type="BN"))
                self.second = ConvModule(2 * width, width, kernel_size=1)

            def forward(self, x):
                h = self.first(x)
                y = self.second(h)
                h += 1
                return y
        """
    answer = verdict(client, text, "Block.forward")
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(14, "IP101")}
    assert any("taken for layers with a weight" in note for note in answer.notes)
    harmless = text.replace("h += 1", "h = h + 1")
    answer = verdict(client, harmless, "Block.forward")
    assert answer.verdict == "inconclusive", answer.reason
    assert "was given tensors" in answer.reason


def test_a_class_of_which_neither_name_nor_arguments_tell_of_channels_is_no_layer(client: Client) -> None:
    text = """
        import torch
        from absent_shapes import Box

        def f(x):
            return Box(4, 4)(x).exp()
        """
    answer = verdict(client, text, "f")
    assert answer.verdict == "inconclusive", answer.reason
    assert not any("taken for layers" in note for note in answer.notes)
    answer = verdict(client, text.replace("Box(4, 4)", "Box(4, out_channels=4)"), "f")
    assert any("taken for layers" in note for note in answer.notes), answer.reason


def test_a_module_of_lightnings_is_where_its_parameters_are(client: Client) -> None:
    text = """
        import torch
        from absent_lightning import LightningModule

        class Net(LightningModule):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(4, 4)

            def forward(self, x):
                y = self.layer(x).exp()
                assert self.device == self.layer.weight.device
                y += torch.zeros(4, device=self.device)
                return y
        """
    answer = verdict(client, text, "Net.forward")
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(13, "IP101")}


def test_folders_that_only_the_project_has_are_made_in_the_folder_of_the_run(client: Client, tmp_path: Path) -> None:
    text = """
        import os
        from pathlib import Path

        import torch

        def f(x):
            os.mkdir("logs/first")
            Path("plots/first").mkdir()
            with open("out/deep/log.txt", "w") as log:
                log.write("begun")
            y = x.exp()
            y += 1
            return y
        """
    answer = verdict(client, text, "f", file=tmp_path / "model.py")
    assert answer.verdict == "confirmed", answer.reason
    assert not list(tmp_path.iterdir())


BY_CONFIGURATION = """
    from mmcv.cnn import build_activation_layer, build_conv_layer, build_norm_layer
    from torch import nn

    class Depthwise(nn.Module):
        def __init__(self, planes):
            super().__init__()
            each = dict(type="Conv2d", groups=planes)
            self.conv = build_conv_layer(cfg=each, in_channels=planes, out_channels=planes, kernel_size=1)
            name, norm = build_norm_layer(cfg=dict(type="BN"), num_features=planes)
            self.add_module(name, norm)
            self.act = build_activation_layer(cfg=dict(type="Of another library"))

        def forward(self, x):
            y = self.act(self.bn(self.conv(x))).sigmoid()
            if self.conv.groups > 1:
                {line}
            return y
    """


@pytest.mark.parametrize(("line", "expected"), [("y += x", "confirmed"), ("y = y + x", "not-reproduced")])
def test_layers_by_configuration_take_what_those_of_mmcv_take(client: Client, line: str, expected: str) -> None:
    answer = verdict(client, BY_CONFIGURATION.replace("{line}", line), "Depthwise.forward")
    assert answer.verdict == expected, answer.reason


SETTINGS = """
    import torch
    from easydict import EasyDict

    cfg = EasyDict(layers=[{"width": 3}], sizes=({"width": 3}, [{"width": 3}]))
    cfg.setdefault("head", {"width": 3})
    cfg.update({"tail": {"width": 3}})
    other = cfg.copy()
    other |= {"more": {"width": 3}}

    def train():
        widths = [cfg.layers[0].width, cfg.sizes[1][0].width, cfg.head.width, cfg.tail.width, other.more.width]
        y = torch.ones(widths, requires_grad=True).exp()
        if hasattr(cfg, "scale") or getattr(cfg, "scale", None):
            y = y.detach()
        {line}
        y.sum().backward()
    """


@pytest.mark.parametrize(("line", "expected"), [("y.mul_(2)", "confirmed"), ("y = y * 2", "not-reproduced")])
def test_dictionaries_in_settings_are_settings(client: Client, line: str, expected: str) -> None:
    answer = verdict(client, SETTINGS.replace("{line}", line), "train")
    assert answer.verdict == expected, answer.reason


def test_an_attribute_that_settings_lack_is_a_matter_of_what_is_missing(client: Client) -> None:
    answer = verdict(client, SETTINGS.replace("{line}", "y.mul_(cfg.scale)"), "train")
    assert answer.verdict == "inconclusive", answer.reason
    missing = "the module `easydict` is not installed, and the stand-in for its `EasyDict` has no `scale`"
    assert answer.why.startswith(f"{missing} (at ")
    assert "-m pip install easydict`" in answer.notes[-1]


NEEDY = """
    import torch
    import torch.utils.needy
    from torch.utils.needy import Writer
    from torch.utils.plain import VALUE

    def train(x):
        Writer("here").add(1)
        y = x.exp()
        {line}
        y.sum().backward()
    """


@pytest.mark.parametrize(
    ("line", "expected"),
    [("y.mul_(VALUE)", "confirmed"), ("y = y * VALUE", "not-reproduced"), ("y.mul_(Writer.VALUE)", "inconclusive")],
)
def test_a_module_of_torch_that_needs_a_missing_package_has_a_stand_in(
    client: Client, tmp_path: Path, line: str, expected: str
) -> None:
    """The modules lie in a folder that the program adds to torch's own."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "needy.py").write_text("import absent_package\n\nclass Writer: ...\n")
    (folder / "plain.py").write_text("VALUE = 2\n")
    added = f"import torch.utils\n    torch.utils.__path__.append({str(folder)!r})\n    import torch.utils.needy"
    text = NEEDY.replace("import torch.utils.needy", added, 1).replace("{line}", line)
    answer = verdict(client, text, "train", file=tmp_path / "program.py")
    assert answer.verdict == expected, answer.reason
    assert any("`torch.utils.needy`, `absent_package` are not installed" in note for note in answer.notes)


def test_a_module_of_torch_that_is_not_there_is_no_lack_of_a_package(client: Client) -> None:
    answer = verdict(client, "import torch\nfrom torch.utils.nowhere import x\ndef f(x):\n    return x.exp()\n", "f")
    assert answer.verdict == "not-reproduced", answer.reason
