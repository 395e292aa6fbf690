"""dowser rank beside networkx: the same graph, the same values.

rank_check.py DOWSER ARCHIVE WORK      exit 0: no value differs by more than 1e-8

networkx reads the graph that dowser rank has written. Its HITS values add up to 1 and ours have length 1, so
its values are scaled to length 1."""
import math
import subprocess
import sys

import networkx


def unit(values):
    length = math.sqrt(sum(v * v for v in values.values())) or 1
    return {k: v / length for k, v in values.items()}


def difference(graph, column, values):
    return max(abs(graph.nodes[n][column] - values[n]) for n in graph)


def ranked(dowser, archive, work, *options):
    path = f"{work}/graph.graphml"
    subprocess.run([dowser, "rank", archive, "--dry-run", "--graphml", path, *options], check=True,
                   stdout=subprocess.DEVNULL)
    return networkx.read_graphml(path)


def bare(graph):
    """The links without their weights, which networkx' HITS would use."""
    links = networkx.DiGraph()
    links.add_nodes_from(graph)
    links.add_edges_from(graph.edges())
    return links


def main():
    dowser, archive, work = sys.argv[1:4]
    graph = ranked(dowser, archive, work, "--plain")
    print(f"{len(graph)} pages, {graph.number_of_edges()} links")
    rank = networkx.pagerank(graph, weight=None, tol=1e-13 / len(graph), max_iter=2000)
    hubs, authorities = networkx.hits(bare(graph), tol=1e-14)
    worst = {
        "PageRank": difference(graph, "pagerank", rank),
        "hubs": difference(graph, "hub", unit(hubs)),
        "authorities": difference(graph, "authority", unit(authorities)),
    }
    for name, value in worst.items():
        print(f"{name:<12} largest difference to networkx {value:.1e}")
    return 0 if max(worst.values()) <= 1e-8 else 1


if __name__ == "__main__":
    sys.exit(main())
