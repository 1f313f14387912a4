"""torch.utils.data: what a data set gives, put together to batches."""

import torch
from inplace_lsp.modelling import data, ignores, is_known, read_data

DESCRIBES = "torch 2.13"


class TensorDataset:
    """Rows of tensors."""

    def __init__(self, *tensors):
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple([tensor[index] for tensor in self.tensors])

    def __len__(self):
        return self.tensors[0].size(0)


class Subset:
    """Some samples of a data set."""

    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    @ignores("idx", because="whichever sample it is stands for all")
    def __getitem__(self, idx):
        return self.dataset[_any_index()]

    def __len__(self):
        return len(self.indices)


class ConcatDataset:
    """Several data sets in a row."""

    def __init__(self, datasets):
        self.datasets = list(datasets)

    @ignores("idx", because="whichever sample it is stands for all")
    def __getitem__(self, idx):
        return self.datasets[0][_any_index()]

    def __len__(self):
        return len(data("samples"))


@ignores("generator", because="which samples are where says nothing of what they share memory with")
def random_split(dataset, lengths, generator=None):
    """Split the data set into parts of these lengths."""
    return [Subset(dataset, data("indices")) for length in lengths]


class DataLoader:
    """Gives batches of a data set's samples."""

    @ignores(
        "shuffle",
        "sampler",
        "num_workers",
        "pin_memory",
        "drop_last",
        "timeout",
        "worker_init_fn",
        "multiprocessing_context",
        "generator",
        "prefetch_factor",
        "persistent_workers",
        "pin_memory_device",
        "in_order",
        because="where and in which order samples are read says nothing of what they share memory with",
    )
    def __init__(
        self,
        dataset,
        batch_size=1,
        shuffle=None,
        sampler=None,
        batch_sampler=None,
        num_workers=0,
        collate_fn=None,
        pin_memory=False,
        drop_last=False,
        timeout=0,
        worker_init_fn=None,
        multiprocessing_context=None,
        generator=None,
        *,
        prefetch_factor=None,
        persistent_workers=False,
        pin_memory_device="",
        in_order=True,
    ):
        self.dataset = dataset
        self.batch_size = batch_size
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.collate_fn = collate_fn

    def __iter__(self):
        if _is_stream(self.dataset):
            for sample in self.dataset:
                yield self._put_together([sample]) if self.batch_size is not None else self._convert_sample(sample)
        else:
            for _ in data("batches"):
                yield self._read_samples()

    def __len__(self):
        return len(data("batches"))

    def _read_samples(self):
        if not _has_samples(self.dataset):
            return data("a batch")
        if self.batch_size is None and self.batch_sampler is None:
            return self._convert_sample(self._read_sample(_any_index()))
        if self.collate_fn is not None:
            return self._put_together([self._read_sample(at) for at in range(len(data("samples")))])
        return self._put_together([self._read_sample(_any_index()) for _ in data("samples")])

    def _read_sample(self, index):
        return read_data(_take_sample, self.dataset, index)

    def _convert_sample(self, sample):
        return sample if self.collate_fn is None else self.collate_fn(sample)

    def _put_together(self, samples):
        return default_collate(samples) if self.collate_fn is None else self.collate_fn(samples)


class SequentialSampler:
    """Gives the places of the samples in order."""

    @ignores("data_source", because="how many samples there are is not known")
    def __init__(self, data_source):
        pass

    def __iter__(self):
        return iter(range(len(data("samples"))))

    def __len__(self):
        return len(data("samples"))


class RandomSampler(SequentialSampler):
    """Gives the places of the samples in any order."""

    @ignores("replacement", "num_samples", "generator", because="any order stands for all")
    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        super().__init__(data_source)


class SubsetRandomSampler(SequentialSampler):
    """Gives some places in any order."""

    @ignores("generator", because="any order stands for all")
    def __init__(self, indices, generator=None):
        super().__init__(indices)


class WeightedRandomSampler(SequentialSampler):
    """Gives places, some of them more often."""

    @ignores("num_samples", "replacement", "generator", because="any order stands for all")
    def __init__(self, weights, num_samples, replacement=True, generator=None):
        super().__init__(weights)


class BatchSampler:
    """Gives lists of places."""

    @ignores("batch_size", "drop_last", because="how many samples make a batch says nothing of their memory")
    def __init__(self, sampler, batch_size, drop_last):
        self.sampler = sampler

    def __iter__(self):
        for index in self.sampler:
            yield [index]

    def __len__(self):
        return len(data("batches"))


def default_collate(batch):
    """Stack the samples, those of tuples and dicts one by one."""
    sample = batch[0]
    if not is_known(sample):
        return data("a batch")
    if isinstance(sample, torch.Tensor):
        return torch.stack(batch)
    if isinstance(sample, dict):
        return {name: default_collate([element[name] for element in batch]) for name in sample}
    if isinstance(sample, (list, tuple)):
        return [default_collate([element[at] for element in batch]) for at in range(len(sample))]
    if isinstance(sample, (str, bytes)):
        return batch
    return torch.tensor(batch)


def _take_sample(dataset, index):
    return dataset[index]


def _has_samples(dataset):
    return is_known(dataset) and hasattr(dataset, "__getitem__")


def _is_stream(dataset):
    return is_known(dataset) and hasattr(dataset, "__iter__") and not hasattr(dataset, "__getitem__")


def _any_index():
    for index in range(len(data("samples"))):
        return index
