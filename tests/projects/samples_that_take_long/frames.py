"""Data sets whose samples take loops over loops to put together."""

import json
from pathlib import Path

import torch
from torch.utils.data import Dataset

HERE = Path(__file__).parent


class Frames(Dataset):
    """What the objects of all frames have in common with each other."""

    def __init__(self, folder=HERE):
        self.entries = [json.loads(line) for line in open(folder / "frames.jsonl")]

    def __len__(self):
        return len(self.entries)

    def __getitem__(self, at):
        entry = self.entries[at]
        rows = [torch.zeros(4)]
        for scale in entry["scales"]:
            for frame in entry["frames"]:
                for other in entry["frames"]:
                    for third in entry["frames"]:
                        rows.append(compare_frames(frame, other, third) * scale)
        picture = torch.stack(rows)
        for row in range(picture.shape[0]):
            for column in range(picture.shape[1]):
                picture[row, column] = picture[row, column] / 10
        return picture.mean(0), torch.tensor([float(entry["label"])])


def compare_frames(frame, other, third):
    """Return what the objects of three frames have in common."""
    row = torch.zeros(4)
    for thing in frame["objects"]:
        for second in other["objects"]:
            for last in third["objects"]:
                for place, value in enumerate(thing["values"]):
                    for seconds in second["values"]:
                        for lasts in last["values"]:
                            if value > seconds > lasts:
                                row[place] += 1
                            elif lasts > value:
                                row[0] += lasts - value
                            row[3] += 0.1
    return row


class Halves(Dataset):
    """The first half of each sample of another data set."""

    def __init__(self, frames):
        self.frames = frames

    def __len__(self):
        return len(self.frames)

    def __getitem__(self, at):
        x, y = self.frames[at]
        return x[:2], y
