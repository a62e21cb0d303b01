"""What waits for a person, how it is called, and what can be said about it."""

from dataclasses import dataclass

from scry.errors import Exit, ScryError, UnknownNameError
from scry.index import Index, handle
from scry.model import Fact, Proposal
from scry.text import one_line, slug_of

VERBS = ("accept", "reject", "merge", "edit", "skip")


class ReviewError(ScryError):
    """A decision cannot be carried out as it was given."""

    exit_code = Exit.USAGE


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person says about one item: `accept`, `reject` or `merge`.

    `argument` is what stands in brackets: for an unknown thing its type, `TYPE` or
    `NAME=TYPE, NAME=TYPE`; for `merge` of a fact, the thing that is meant.
    """

    verb: str
    ref: str
    argument: str = ""


def proposal_id(proposal: Proposal) -> str:
    """Return how a proposal is called: `hermes/alias--gateway`, as its file in `review/`."""
    return f"{proposal.entity}/alias--{slug_of(proposal.alias)}"


def waiting_facts(index: Index) -> list[Fact]:
    """Return the facts that wait, by what they are about."""
    return sorted(index.waiting.values(), key=lambda f: (f.src, f.relation, f.id))


def proposals(index: Index) -> list[Proposal]:
    """Return the aliases that wait, by what they are claimed for."""
    return [index.proposals[key] for key in sorted(index.proposals)]


def find_item(index: Index, ref: str) -> Fact | Proposal:
    """Return what waits under an id, the beginning of one, a handle or a file.

    Raises:
        UnknownNameError: nothing that waits is called so, or more than one thing is.
    """
    plain = ref.strip().removeprefix("review/").removesuffix(".md")
    claimed = {proposal_id(p): p for p in index.proposals.values()}
    for name, proposal in claimed.items():
        if plain in (name, f"{name[:2]}/{name}") or plain == _bare(proposal.path):
            return proposal
    wanted = plain.rsplit("/", 1)[-1].rsplit("--", 1)[-1]
    if fact := index.waiting.get(wanted):
        return fact
    found = sorted(i for i in index.waiting if len(wanted) >= 4 and i.startswith(wanted))
    if len(found) == 1:
        return index.waiting[found[0]]
    error = UnknownNameError(one_line(ref), [handle(index.waiting[i]) for i in found[:5]])
    if wanted in index.facts:
        error.args = (
            f"{wanted} does not wait: it is a fact. `scry forget {wanted}` takes it out.",
        )
    elif not found:
        error.args = (
            f"Nothing that waits is called '{one_line(ref)}'. `scry review` lists it all.",
        )
    raise error


def _bare(path: str) -> str:
    return path.removeprefix("review/").removesuffix(".md")
