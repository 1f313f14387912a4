"""It learns once an episode is over, and so in the last pass of the loop."""

import torch

from base import Agent


class LearnsAtTheEnd(Agent):
    def run_episode(self):
        while not self.done:
            self.act()
            if self.done:
                self.learn()
            self.state = self.next_state

    def learn(self):
        loss = -torch.cat(self.log_probabilities).sum()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


class AsksWhetherToLearn(LearnsAtTheEnd):
    def run_episode(self):
        while not self.done:
            self.act()
            if self.is_time_to_learn():
                self.learn()
            self.state = self.next_state

    def is_time_to_learn(self):
        return self.done
