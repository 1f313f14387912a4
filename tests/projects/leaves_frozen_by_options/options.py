import argparse


def parse_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--freeze", action="store_true")
    parser.add_argument("--width", type=int, default=4)
    return parser.parse_args()
