"""torch_geometric.datasets: graphs from outside of the program."""

from inplace_lsp.modelling import data, ignores

DESCRIBES = "torch_geometric 2.5 to 2.8"


@ignores("args", "kwargs", because="which graphs does not matter")
def _dataset(*args, **kwargs):
    """Load graphs."""
    return data("a data set")


Planetoid = _dataset
TUDataset = MoleculeNet = QM9 = ZINC = Reddit = Reddit2 = PPI = Amazon = Coauthor = CitationFull = Flickr = _dataset
ModelNet = ShapeNet = FAUST = GNNBenchmarkDataset = KarateClub = WebKB = Actor = Yelp = DBLP = IMDB = _dataset
MovieLens = OGB_MAG = WikipediaNetwork = HeterophilousGraphDataset = LRGBDataset = FakeDataset = _dataset
