"""Memory for people who work with coding agents, as plain files under git.

Two journeys, each one way through the house:

    write   transcript -> sources -> distill -> redact -> chunk -> episodes
            -> extract -> resolve -> store (one commit)
    read    store -> index -> recall | path | episodes | orient -> render -> CLI, MCP server, hook

`ingest` holds the order of the write stages; `app` is the one place that turns configuration
into concrete parts.
"""

__version__ = "0.1.0"
