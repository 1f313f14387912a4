def rows(points):
    return points.shape[0]
