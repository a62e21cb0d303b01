"""The closed list of relations, what other verbs mean by them, and which hold one value only.

Exclusivity is here and not in the configuration, so that two clones of a store agree about it.
A verb that is not on the list becomes its nearest relation or `related_to`; the fact keeps the
verb under `said`.
"""

import re

RELATIONS = tuple(
    """status uses depends_on requires lacks blocked_by conflicts_with causes fixes has_issue tests
    passes reviews approves decided replaced_by merged_into deployed_on runs_on located_at part_of
    contains owns assigned_to implements provides produces documents monitors configures calls
    references targets notifies enforces excludes modifies prefers same_as related_to""".split()
)

EXCLUSIVE = frozenset({"status", "replaced_by"})
"""Hold one current fact per (src, relation, qualifier); a newer statement ends the older."""

USUALLY_ONE = {"runs_on": "src", "deployed_on": "src", "assigned_to": "src", "owns": "dst"}
"""Mostly hold one fact at a time for that end and qualifier, though nothing ends the older ones: a
thing may well run in two places.  Who wants one answer prefers the newest."""

_SYNONYMS = {
    "status": "is has_status state has_state is_in_state version has_version",
    "uses": "use utilizes utilises leverages employs built_with written_in powered_by pinned_to",
    "depends_on": "depend_on relies_on needs_running talks_to connects_to",
    "requires": "needs must_have mandates",
    "lacks": "missing does_not_have has_no without",
    "blocked_by": "waits_for stuck_on waiting_on",
    "conflicts_with": "incompatible_with clashes_with contradicts",
    "causes": "leads_to results_in triggers breaks",
    "fixes": "solves resolves repairs addresses",
    "has_issue": "has_bug has_problem fails_with suffers_from affected_by",
    "tests": "verifies validates checks covers tested_with",
    "decided": "chose decides selected settled_on opted_for has_decision",
    "replaced_by": "superseded_by succeeded_by migrated_to",
    "merged_into": "folded_into absorbed_by",
    "deployed_on": "deployed_to deploys_to deploys_on ships_to released_on",
    "runs_on": "hosted_on hosted_by hosted_at running_on lives_on moved_to executes_on",
    "located_at": "lives_in lives_at stored_in stored_at listens_on found_at reachable_at has_port"
    " path_is url_is",
    "part_of": "belongs_to member_of component_of included_in module_of",
    "contains": "includes consists_of comprises has has_part",
    "owns": "maintains looks_after responsible_for manages",
    "assigned_to": "handled_by worked_on_by given_to",
    "implements": "does realises realizes has_purpose purpose",
    "provides": "offers exposes serves gives",
    "produces": "generates creates builds writes outputs emits",
    "documents": "describes explains records restored_by recovered_by",
    "monitors": "watches observes tracks alerts_on",
    "configures": "sets sets_up parametrises",
    "calls": "invokes requests queries",
    "references": "mentions links_to points_to cites see",
    "targets": "aims_at supports_platform",
    "notifies": "alerts informs messages pings",
    "enforces": "has_rule must always rule follows_rule requires_that policy",
    "excludes": "never forbids bans avoids rejects must_not does_not_use",
    "modifies": "changes edits updates alters",
    "prefers": "likes favours favors wants",
    "same_as": "alias_of also_known_as equals is_nickname_of",
}
# Verbs that say the same thing from the other end: the ends change places.
_INVERSES = {
    "owned_by": "owns",
    "maintained_by": "owns",
    "managed_by": "owns",
    "used_by": "uses",
    "required_by": "requires",
    "caused_by": "causes",
    "fixed_by": "fixes",
    "tested_by": "tests",
    "reviewed_by": "reviews",
    "approved_by": "approves",
    "provided_by": "provides",
    "produced_by": "produces",
    "documented_in": "documents",
    "documented_by": "documents",
    "monitored_by": "monitors",
    "configured_by": "configures",
    "called_by": "calls",
    "implemented_by": "implements",
    "hosts": "runs_on",
    "runs": "runs_on",
    "blocks": "blocked_by",
    "replaces": "replaced_by",
    "supersedes": "replaced_by",
}
_CANONICAL = {name: name for name in RELATIONS} | {
    verb: name for name, verbs in _SYNONYMS.items() for verb in verbs.split()
}


def canonical(verb: str) -> tuple[str, bool]:
    """Return the relation that a verb means, and whether its two ends change places.

    >>> canonical("Hosted on"), canonical("owned_by"), canonical("frobnicates")
    (('runs_on', False), ('owns', True), ('related_to', False))
    """
    plain = re.sub(r"[^a-z0-9]+", "_", verb.casefold()).strip("_")
    for candidate in (plain, re.sub(r"^(?:is|are|was|were|has_been|now|currently)_", "", plain)):
        if candidate in _CANONICAL:
            return _CANONICAL[candidate], False
        if candidate in _INVERSES:
            return _INVERSES[candidate], True
    return _nearest(plain), False


def _nearest(plain: str) -> str:
    """Return the relation whose first word a compound verb begins with, or `related_to`."""
    for stem in (plain, plain.removesuffix("s"), plain + "s"):
        if stem in _CANONICAL:
            return _CANONICAL[stem]
    head = plain.split("_", 1)[0]
    for name in ("uses", "depends_on", "requires", "runs_on", "deployed_on", "tests", "decided"):
        if head == name.split("_", 1)[0]:
            return name
    return "related_to"
