import argparse


def read_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("--count", type=int, default=3)
    parser.add_argument("--refine", action="store_true")
    return parser.parse_args()
