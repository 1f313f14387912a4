import torch

import language

IDS, SLOTS = torch.tensor([[1, 2, 3]]), torch.tensor([[True, False, False]])


def raises_captioner():
    language.Captioner()(IDS, torch.randn(1, 6), SLOTS)


def runs_captioner_in_new_memory():
    language.Captioner().forward_in_new_memory(IDS, torch.randn(1, 6), SLOTS).backward()


def raises_loaded():
    language.Loaded("small")(IDS)


def runs_loaded_in_new_memory():
    language.Loaded("small").forward_in_new_memory(IDS).backward()
