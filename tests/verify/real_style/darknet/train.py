import argparse

from models import Network

parser = argparse.ArgumentParser()
parser.add_argument("--cfg", default="cfg/small.cfg")
parser.add_argument("--data", required=True)


def train():
    return Network(opt.cfg)


if __name__ == "__main__":
    opt = parser.parse_args()
    train()
