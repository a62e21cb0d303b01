"""Records to files and commits, and back: the only home of YAML and of git.

    paths      which file is whose              tree     every record of a work tree
    document   fences and body                  lock     one writer at a time
    yaml_*     text to values and back          git      GitStore: one apply, one commit
    fields     values to records and back       memory   MemoryStore: the same, in memory
    codec      file to record and back          repos    which repository a folder belongs to
    splice     a rewrite that touches only      init     a new store from the template
               the keys that change

Nothing is imported here: a reader loads `tree` and what it needs, and neither git nor a YAML
library unless a file was written in an unusual way.
"""
