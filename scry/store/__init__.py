"""Records to files and commits, and back: the only home of YAML and of git.

    paths      which file is whose               repos     which repository a folder belongs to
    document   fences and body                   init      a new store from the template
    yaml_*     text to values and back           lock      one writer at a time
    values     scalars to typed values           refs      HEAD, without starting git
    fields     the keys of each kind             gitrun    how git is run
    codec      a file to a record and back       objects   blobs and commits
    splice     a rewrite of only what changes    plan      a change set as changes of files
    files      one file, whole or not at all     commit    all of them as one commit, or none
    tree       FileReader: a store to read       journal   and if the process dies meanwhile
    git        GitStore: a store to write        history   what git remembers
    memory     MemoryStore: the same contract    message   what a commit says

Nothing is imported here: a reader loads `tree` and what it needs, and neither git nor a YAML
library unless a file was written in an unusual way.
"""
