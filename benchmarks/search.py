"""Search at every key over a collection of 500 exhibits, made of the real one's words.

    uv run --no-sync python benchmarks/search.py [--exhibits 500] [--rounds 5] [--json]

Each query is typed letter by letter; what counts is the slowest key (at most 16 ms).
"""

import argparse
import json
import random
import statistics
import time
from itertools import islice

import msgspec

from museum.catalog import Catalog, load_catalog
from museum.exhibit import Exhibit, Placard, Wing
from museum.search import Index

QUERIES = (
    "indivisible dimension",
    "with_sharding_constraint mesh",
    "shrading constarint",  # both mistyped
    "involuntery remateralisation",
    "psmu outside mehs",
    "kind:silent wing:memory jax:0.10.2 donate",
    "verdict:reproduces jax:0.6.2 -kind:raises device_put",
    "jax._src.sharding.IndivisibleError",
    "zzzz qqqqqqqqqq",  # nowhere
    "a e s p",
)


def varied(exhibit: Exhibit, number: int, dice: random.Random) -> Exhibit:
    """Another exhibit with about the same words, some of them its own."""
    own = [f"{word}{dice.choice(('ing', 'ed', 'er', 's'))}{number % 97}" for word in exhibit.title.split()]
    placard = exhibit.placard
    words = placard.what_it_means.split()
    dice.shuffle(words)
    told = Placard(" ".join([*words, *own]), placard.when_you_meet_it, placard.ways_out, placard.see_also)
    scripts = {
        half: text + "\n".join(f"{word.lower()}_{half} = {number}" for word in own)
        for half, text in exhibit.scripts.items()
    }
    facts = msgspec.structs.replace(exhibit.facts, title=f"{exhibit.title} {own[0]}")
    name = f"{exhibit.id}-{number}"
    return msgspec.structs.replace(exhibit, id=name, facts=facts, placard=told, scripts=scripts)


def collection(size: int) -> Catalog:
    """That many exhibits: the real ones, then variations of them."""
    dice = random.Random(7)  # noqa: S311 - the same at each call
    real = load_catalog(check=False)
    rest = size - len(real.exhibits)
    made = [varied(real.exhibits[number % len(real.exhibits)], number, dice) for number in range(max(rest, 0))]
    every = list(islice([*real.exhibits, *made], size))
    wings = (
        Wing(wing.id, wing.title, wing.intro, tuple(exhibit for exhibit in every if exhibit.wing == wing.id))
        for wing in real.wings
    )
    return Catalog(tuple(wings))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--exhibits", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    catalog = collection(options.exhibits)
    begun = time.perf_counter()
    index = Index(catalog)
    build = (time.perf_counter() - begun) * 1000
    keys: dict[tuple[str, int], list[float]] = {}
    for _ in range(options.rounds):
        for query in QUERIES:
            index = Index(catalog)  # one that remembers nothing
            for end in range(1, len(query) + 1):
                begun = time.thread_time()  # what others do on the machine does not count
                index.ask(query[:end])
                keys.setdefault((query, end), []).append((time.thread_time() - begun) * 1000)
    medians = {key: statistics.median(times) for key, times in keys.items()}
    slowest = max(medians, key=lambda key: medians[key])
    result = {
        "exhibits": len(catalog.exhibits),
        "words": index.size,
        "index_ms": round(build, 1),
        "key_median_ms": round(statistics.median(medians.values()), 3),
        "key_slowest_ms": round(medians[slowest], 2),
        "key_worst_ms": round(max(max(times) for times in keys.values()), 2),
    }
    print(json.dumps(result) if options.json else f"{result}, slowest at {slowest[0][: slowest[1]]!r} (at most 16 ms)")


if __name__ == "__main__":
    main()
