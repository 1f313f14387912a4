"""Iterators are asked for by name. What an object gives in turn is what that object holds: results, or labels."""

from banks import Bank


class Squared(Bank):
    def train_each(self):
        for output in self.outputs.__iter__():
            squared = output.exp()
            squared.mul_(2)  # error: IP101
            squared.sum().backward()

    def train_first(self):
        squared = self.outputs.__iter__().__next__().exp()
        squared.mul_(2)  # error: IP101
        squared.sum().backward()

    def train_any(self):
        for output in list.__iter__(self.outputs):
            squared = output.exp()
            squared.mul_(2)  # error: IP101
            squared.sum().backward()

    def scale_each(self):
        scaled = []
        for labels in self.labels.__iter__():
            powers = labels.exp()
            powers.mul_(2)
            scaled.append(powers)
        return scaled

    def scale_first(self):
        powers = self.labels.__iter__().__next__().exp()
        powers.mul_(2)
        return powers
