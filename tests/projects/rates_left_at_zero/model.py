"""A model of such heads, with rates."""

from torch import nn

from heads import Classifier, Deep, Gate


class Model(nn.Module):
    def __init__(self, gate, deep, classifier):
        super().__init__()
        self.gate, self.deep, self.classifier = gate, deep, classifier

    def forward(self, x):
        return self.classifier(self.deep(self.gate(x)))


def build_model(width, classes):
    return Model(Gate(width), Deep([width, 6, 4]), Classifier(4, classes, dropout=0.5))
