"""The nearest known names, for hints: the only home of rapidfuzz.

Nothing is ever resolved by nearness; a near name is shown and a person or agent asks again.
"""

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], *, limit: int = 3) -> list[str]:
    """Return up to `limit` known names that are spelt much like `name`, nearest first."""
    # Imported late: 15 ms that only a miss has to pay.
    from rapidfuzz import fuzz, process

    names = sorted(set(known))
    folded = [n.casefold() for n in names]
    found = process.extract(
        name.casefold(), folded, scorer=fuzz.WRatio, limit=limit * 3, score_cutoff=78
    )
    # WRatio scores a short name inside a long one highly; a plain ratio puts real typos first.
    ranked = sorted(
        found, key=lambda hit: (-fuzz.ratio(name.casefold(), hit[0]), -hit[1], names[hit[2]])
    )
    return [names[index] for _, _, index in ranked[:limit]]
