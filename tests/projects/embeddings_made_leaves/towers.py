from torch import nn


class TextTower(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.body = nn.Linear(width, width)

    def get_input_embeddings(self):
        return self.embed

    def enable_input_require_grads(self):
        self.embed.register_forward_hook(lambda module, inputs, output: output.requires_grad_(True))

    def forward(self, words):
        return self.body(words).mean()


def load_tower(name):
    tower = TextTower(10, 4)
    for parameter in tower.parameters():
        parameter.requires_grad = False
    return tower
