"""The repair verbs: what a person puts right, each as one commit that one `git revert` takes back.

    merge  split  rename  alias  retype     say which names are one thing, and what it is
    end                                      says when something stopped

Each verb is a pure function of an index that gives a change set, an empty one where all is so
already; `mend` writes it.  What a person has said is in the files, so no sweep, no other model and
no second reading of a transcript takes it back.
"""

from scry.mending.ending import end
from scry.mending.naming import alias, rename, retype
from scry.mending.things import DirtyError, Mended, MendError, clean_name, mend
from scry.mending.uniting import merge, part, split

__all__ = [
    "DirtyError",
    "MendError",
    "Mended",
    "alias",
    "clean_name",
    "end",
    "mend",
    "merge",
    "part",
    "rename",
    "retype",
    "split",
]
