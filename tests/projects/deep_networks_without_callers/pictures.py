import os

import torch
from torch.utils.data import DataLoader, Dataset

ENDINGS = (".jpg", ".jpeg", ".png", ".bmp")


def is_picture(name):
    return any(name.endswith(ending) for ending in ENDINGS)


def find_files(folder, most=float("inf")):
    found = []
    for root, _, names in sorted(os.walk(folder)):
        for name in names:
            if is_picture(name):
                found.append(os.path.join(root, name))
    return found[: min(most, len(found))]


class Pictures(Dataset):
    def __init__(self, options):
        self.options = options
        self.files = find_files(options.folder, options.most)
        self.count = max(len(self.files), 4)

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        if self.files:
            name = self.files[index % len(self.files)]
        else:
            name = ""
        return {"picture": torch.rand(3, 4, 4), "name": name}


class Loader:
    """Batches of pictures, at most so many."""

    def __init__(self, options):
        self.options = options
        self.pictures = Pictures(options)
        self.batches = DataLoader(self.pictures, batch_size=options.batch, shuffle=not options.sorted)

    def __len__(self):
        return min(len(self.pictures), self.options.most)

    def __iter__(self):
        for at, batch in enumerate(self.batches):
            if at * self.options.batch >= self.options.most:
                break
            yield batch
