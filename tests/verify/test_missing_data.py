"""Data sets and weights whose files are missing are made up, and a note says so; those that are there are what they
are."""

from __future__ import annotations

from inplace_lsp.verify.client import Client
from verify.ways import verdict

LISTED = """
import torch
from torch.utils.data import DataLoader, Dataset

class Rows(Dataset):
    def __init__(self, {given}):
        self.rows = {rows}

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        image = torch.full((3, 8, 8), float(self.rows[index]))
        label = index
        return image, label

def train():
    seen = 0
    net = torch.nn.Conv2d(3, 2, 3)
    for image, label in DataLoader(Rows({given}), batch_size=10, num_workers=2, drop_last=False):
        seen += 1
        out = net(image).exp()
        if seen == {at}:
            out += 1
        out.sum().backward()
"""


def test_a_note_names_the_data_set_without_files(client: Client) -> None:
    text = LISTED.replace("{given}", "").replace("self, )", "self)").replace("{at}", "2")
    answer = verdict(client, text.replace("{rows}", "open('/nowhere/list.txt').read().split()"), "train")
    assert answer.verdict == "confirmed", answer.reason
    assert any("data set Rows has no data there" in note and "items are made up" in note for note in answer.notes)


def test_items_that_are_there_are_given_all(client: Client) -> None:
    text = LISTED.replace("{given}", "").replace("self, )", "self)").replace("{at}", "4")
    answer = verdict(client, text.replace("{rows}", "range(35)"), "train")
    assert answer.verdict == "confirmed", answer.reason
    assert not any("made up" in note for note in answer.notes)
    answer = verdict(client, text.replace("{rows}", "range(25)"), "train")
    assert answer.verdict == "not-reproduced", answer.reason


def test_missing_weights_are_left_out_and_nothing_else_of_their_file_is_invented(client: Client) -> None:
    text = """
        import torch

        def f(x):
            saved = torch.load("/nowhere/weights.pth")
            net = torch.nn.Linear(32, 4)
            net.load_state_dict(saved["net"])
            out = net(x).exp()
            {use}
            out += 1
            return out
        """
    answer = verdict(client, text.replace("{use}", "pass"), "f")
    assert answer.verdict == "confirmed", answer.reason
    assert any("keeps the weights that it was made with" in note for note in answer.notes)
    answer = verdict(client, text.replace("{use}", "out = out * saved['scale'].item()"), "f")
    assert answer.verdict == "inconclusive", answer.reason


def test_attributes_of_a_data_set_are_those_that_it_sets(client: Client) -> None:
    text = """
        import copy
        import torch
        from torch.utils.data import DataLoader, Dataset

        class Photos(Dataset):
            def __init__(self, root, image_size):
                self.root, self.image_size = root, image_size
                assert set(vars(self)) == {"root", "image_size"}
                self.config = dict(vars(self))
                {rows}

            def __len__(self):
                return 4

            def __getitem__(self, index):
                image = torch.rand(3, self.image_size, self.image_size)
                label = index
                return image, label

        def train():
            photos = copy.deepcopy(Photos("photos", image_size=16))
            for image, label in DataLoader(photos, batch_size=2):
                assert image.shape[2:] == (16, 16)
                out = torch.nn.Flatten()(image).requires_grad_().exp()
                {write}
                out.sum().backward()
        """
    for rows in ("self.rows = 4", "open('/nowhere/list.txt')"):
        answer = verdict(client, text.replace("{rows}", rows).replace("{write}", "out += 1"), "train")
        assert answer.verdict == "confirmed", answer.reason
        assert any("made up" in note for note in answer.notes) == ("open" in rows)
        answer = verdict(client, text.replace("{rows}", rows).replace("{write}", "out = out + 1"), "train")
        assert answer.verdict == "not-reproduced", answer.reason


PAIRS = """
import os
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset
from torchvision.transforms import Compose, RandomCrop, Resize, ToPILImage, ToTensor

class Pairs(Dataset):
    def __init__(self, folder, size):
        self.names = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".png")]
        self.large = Compose([RandomCrop(size), ToTensor()])
        self.small = Compose([ToPILImage(), Resize(size // 4), ToTensor()])

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        large = self.large(Image.open(self.names[index]))
        {item}
        return self.small(large), large

def train():
    net = torch.nn.Sequential(torch.nn.Conv2d(3, 3, 1), torch.nn.Upsample(scale_factor=4))
    for small, large in DataLoader(Pairs("/nowhere/pictures", 32), batch_size=8):
        out = net(small).sigmoid()
        loss = (out - large).pow(2).sum()
        {line}
        loss.backward()
"""


def test_a_data_set_makes_its_own_items_of_made_up_pictures(client_without_vision: Client) -> None:
    text = PAIRS.replace("{item}", "pass")
    answer = verdict(client_without_vision, text.replace("{line}", "out += 1"), "train")
    assert answer.verdict == "confirmed", answer.reason
    assert any("data set Pairs has no data there" in note and "items are made up" in note for note in answer.notes)
    assert any("file names (`0.png`, ...) are made up" in note for note in answer.notes)
    assert verdict(client_without_vision, text.replace("{line}", "out = out + 1"), "train").verdict == "not-reproduced"


def test_items_that_cannot_be_made_of_pictures_are_made_up_as_before(client_without_vision: Client) -> None:
    text = PAIRS.replace("{item}", "label = self.names[index].split('_')[1]").replace(
        "scale_factor=4", "scale_factor=1"
    )
    answer = verdict(client_without_vision, text.replace("{line}", "out += 1"), "train")
    assert answer.verdict == "confirmed", answer.reason
    assert sum("data set Pairs has no data there" in note for note in answer.notes) == 1


def test_a_folder_that_is_not_there_is_none_for_other_code(client: Client) -> None:
    text = """
        import os

        def f(x):
            os.listdir("/nowhere/pictures")
            return x
        """
    answer = verdict(client, text, "f")
    assert answer.verdict == "inconclusive"
    assert "FileNotFoundError" in answer.reason
