"""It learns in every pass, from all passes so far: the graphs of the earlier ones are gone."""

import torch

from base import Agent


class LearnsInEveryPass(Agent):
    def run_episode(self):
        while not self.done:
            self.act()
            self.learn()
            self.state = self.next_state

    def learn(self):
        loss = -torch.cat(self.log_probabilities).sum()
        self.optimizer.zero_grad()
        loss.backward()  # error: IP103
        self.optimizer.step()
