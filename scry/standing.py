"""How a sweep left the store, so that the next one need not read it when there is nothing to do.

    standing.json   {"head": COMMIT, "folders": ["~/src/hermes"], "waits": [EPISODE, ...], "asks": "…"}

The note holds for one commit.  Whoever writes the store moves it on, and without a note that holds
a sweep reads the store: the note saves time, and decides nothing that the store would not.
"""

import json
from dataclasses import asdict, dataclass
from datetime import datetime

from scry.attempts import Patience, Tried, read_attempts
from scry.config import Config

STANDING = "standing.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a sweep needs to know of a store that stands at `head`.

    `folders` are those in which sessions have worked, as the store shows them; `waits` are episodes
    that an extractor can be asked about, `asks` who was asked and how often one may be.
    """

    head: str = ""
    folders: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()
    asks: str = ""


def read_standing(text: str, head: str) -> Standing | None:
    """Read the note of how a store stands; None if it is spoilt, or about another commit."""
    try:
        data = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not head or data.get("head") != head:
        return None
    lists = [data.get("folders"), data.get("waits")]
    if not all(isinstance(x, list) and all(isinstance(y, str) for y in x) for x in lists):
        return None
    return Standing(
        head=head,
        folders=tuple(data["folders"]),
        waits=tuple(data["waits"]),
        asks=str(data.get("asks", "")),
    )


def asks(chain: str, patience: Patience) -> str:
    """Return what decides which episodes wait: another chain may be asked about more of them."""
    return f"{chain}; {patience.attempts} attempts, {patience.days} days"


def nothing_waits(standing: Standing, attempts_note: str, config: Config, now: datetime) -> bool:
    """Say whether no episode is left that somebody could be asked about."""
    patience = Patience(attempts=config.attempts, days=config.give_up_after_days)
    if standing.asks != asks(" > ".join(link.name for link in config.chain), patience):
        return False
    known = read_attempts(attempts_note) if standing.waits else {}
    return all(known.get(e, Tried()).given_up(patience, now) for e in standing.waits)


def standing_text(standing: Standing) -> str:
    """Return the note as it is kept."""
    return json.dumps(asdict(standing))
