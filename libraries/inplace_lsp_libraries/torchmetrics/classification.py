"""torchmetrics.classification: metrics of classes."""

from torchmetrics import *
from torchmetrics import MeanMetric

DESCRIBES = "torchmetrics 1.0 to 1.9"

BinaryAccuracy = MulticlassAccuracy = MultilabelAccuracy = BinaryF1Score = MulticlassF1Score = MeanMetric
MultilabelF1Score = BinaryAUROC = MulticlassAUROC = BinaryPrecision = BinaryRecall = MulticlassPrecision = MeanMetric
MulticlassRecall = MulticlassConfusionMatrix = BinaryConfusionMatrix = MulticlassJaccardIndex = MeanMetric
BinaryAveragePrecision = MulticlassAveragePrecision = MulticlassCalibrationError = MeanMetric
