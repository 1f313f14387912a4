"""Loaders that read ahead: by a library that is not installed, by a thread's queue, by workers that are kept."""

from prefetching import InBackground
from torch.utils.data import DataLoader


class Prefetching(DataLoader):
    def __iter__(self):
        return InBackground(super().__iter__())


class Bounded(DataLoader):
    def __iter__(self):
        return InBackground(super().__iter__(), max_prefetch=4)


class Kept(DataLoader):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.iterator = InBackground(super().__iter__())

    def __iter__(self):
        for _ in range(len(self)):
            yield next(self.iterator)
