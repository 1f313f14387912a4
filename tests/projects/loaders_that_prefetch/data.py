"""Images with boxes, put together by a function of the data set's own."""

import torch
from torch.utils.data import Dataset


class Boxes(Dataset):
    def __init__(self, count):
        self.labels = [torch.rand(2, 4) for _ in range(count)]

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return torch.rand(4), self.labels[index]

    @staticmethod
    def collate(batch):
        images, labels = zip(*batch)
        return torch.stack(images), torch.cat(labels)
