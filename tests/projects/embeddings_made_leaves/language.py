"""Language models whose embeddings are to require grad, so that checkpoints of frozen layers have something to do."""

import torch
from torch import nn
from towers import TextTower, load_tower


class Captioner(nn.Module):
    """Puts what it sees of a picture into the embeddings of a text."""

    def __init__(self, width=4):
        super().__init__()
        self.text = TextTower(10, width)
        self.projector = nn.Linear(6, width)
        self.text.requires_grad_(False)

        def let_inputs_require_grad(module, inputs, output):
            output.requires_grad_(True)

        self.text.get_input_embeddings().register_forward_hook(let_inputs_require_grad)

    def forward(self, ids, picture, slots):
        words = self.text.get_input_embeddings()(ids)
        words[slots] = self.projector(picture)  # error: IP201
        return self.text(words)

    def forward_in_new_memory(self, ids, picture, slots):
        words = self.text.get_input_embeddings()(ids).clone()
        words[slots] = self.projector(picture)
        return self.text(words)


class Loaded(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.text = load_tower(name)
        self.text.enable_input_require_grads()
        self.shift = nn.Parameter(torch.zeros(4))

    def forward(self, ids):
        words = self.text.get_input_embeddings()(ids)
        words += self.shift  # error: IP201
        return self.text(words)

    def forward_in_new_memory(self, ids):
        words = self.text.get_input_embeddings()(ids)
        return self.text(words + self.shift)
