"""The programs that are known: how each is asked, and where its answer stands.

    claude   claude -p --output-format json ...   one object: structured_output, is_error, usage
    codex    codex exec --json -o FILE ... -      events, one a line; the last message in FILE
    llm      llm prompt --schema FILE ...         the answer itself; the tokens on stderr
    own      argv with placeholders               the answer itself, or {out_file}

Agents come with much that an extraction must not have: tools that could act on what a record says,
hooks that would start Scry again, servers, and a transcript that Scry would then learn from.  All of
it is switched off for the one run.  A program that is new here is a module with a `PRESET`, and a
line in `scry.providers.command`.
"""
