import argparse


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--world", default="reach")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--width", type=int, default=3)
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--updates", type=int, default=3)
    parser.add_argument("--judged", action="store_true")
    parser.add_argument("--experts", default="experts.pt")
    return parser.parse_args()
