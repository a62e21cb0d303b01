"""From a chunk to an extraction: what a model, or a rule, makes of somebody's words.

    prompt   chunk + glossary -> Prompt      what a provider is asked
    reply    reply text + chunk -> Extraction    the check; its parts are find, declared and claims,
             which ask clean, fields, guard, identity, literal and turns
    model    prompt + provider + check, as one extractor
    chain    extractors in order, again as one extractor

Nothing here knows the store: an extraction is a function of the chunk and the reply alone, so
that the order in which episodes arrive cannot matter.
"""
