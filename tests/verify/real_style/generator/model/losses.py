def distance(first, second):
    return (first - second).abs().mean()
