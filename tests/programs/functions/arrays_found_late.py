"""What numpy made, or what takes an array as a bound, is an array: nothing is recorded of it. Tensors beside them are."""

import os
import tempfile

import numpy as np
import torch


class Crop:
    """Boxes are moved into a window, as pipelines of detectors do."""

    def __call__(self, results):
        boxes, labels = (results[key] for key in ("boxes", "labels"))
        left, top = int(np.random.uniform(0, 1)), int(np.random.uniform(0, 1))
        window = np.array((left, top, left + 3, top + 3))
        center = (boxes[:, :2] + boxes[:, 2:]) / 2
        inside = (center[:, 0] > window[0]) * (center[:, 1] > window[1])
        boxes = boxes[inside]
        boxes[:, 2:] = boxes[:, 2:].clip(max=window[2:])
        boxes[:, :2] = boxes[:, :2].clip(min=window[:2])
        boxes -= np.tile(window[:2], 2)
        results["boxes"], results["labels"] = boxes, labels[inside]
        return results


def clip_to_tensor(boxes, window):
    boxes = boxes[boxes[:, 0] > 0.5]
    boxes[:, 2:] = boxes[:, 2:].clip(max=window[2:])  # error: IP101
    boxes[:, :2] = boxes[:, :2].clip(min=window[:2])  # error: IP101
    return boxes


def read_sweeps(sweep, path):
    points = np.fromfile(path, dtype=np.float32).reshape((-1, 4))
    points[:, :3] = points[:, :3] @ sweep["rotation"].T
    points[:, :3] += sweep["translation"]
    return torch.from_numpy(points)


def rotate_points(points, rotation):
    points = points * 1.0
    points[:, :3] = points[:, :3] @ rotation.T  # error: IP101
    return points


def main():
    boxes = np.array([[1.0, 1.0, 3.0, 3.0], [0.5, 0.5, 2.0, 2.0]])
    Crop()({"boxes": boxes, "labels": np.array([0, 1])})

    predicted = torch.tensor(boxes, requires_grad=True)
    window = torch.tensor([0.0, 0.0, 2.0, 2.0], dtype=torch.float64)
    try:
        clip_to_tensor(predicted * 1.0, window).sum().backward()
    except RuntimeError:
        pass

    handle, path = tempfile.mkstemp()
    os.close(handle)
    np.ones(8, dtype=np.float32).tofile(path)
    sweep = {"rotation": np.eye(3, dtype=np.float32), "translation": np.ones(3, dtype=np.float32)}
    points = read_sweeps(sweep, path)
    os.remove(path)

    rotation = torch.eye(3, requires_grad=True)
    rotate_points(points, rotation).sum().backward()


main()
