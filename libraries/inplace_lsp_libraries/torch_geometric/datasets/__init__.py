"""torch_geometric.datasets: graphs from outside of the program."""

from inplace_lsp.modelling import data, ignores

DESCRIBES = "torch_geometric 2.5 to 2.8"


@ignores("args", "kwargs", because="which graphs does not matter")
def _make_dataset(*args, **kwargs):
    """Load graphs."""
    return data("a data set")


Planetoid = _make_dataset
TUDataset = MoleculeNet = QM9 = ZINC = Reddit = Reddit2 = PPI = Amazon = Coauthor = CitationFull = Flickr = (
    _make_dataset
)
ModelNet = ShapeNet = FAUST = GNNBenchmarkDataset = KarateClub = WebKB = Actor = Yelp = DBLP = IMDB = _make_dataset
MovieLens = OGB_MAG = WikipediaNetwork = HeterophilousGraphDataset = LRGBDataset = FakeDataset = _make_dataset
