# `just check` checks the working tree with the environment that the README sets up;
# `just ci` does what continuous integration does, in a clean clone.

python := ".venv/bin/python"

# Lint, types, layers and tests: what has to be green before a commit.
check:
    .venv/bin/ruff check
    .venv/bin/ruff format --check
    .venv/bin/mypy
    .venv/bin/lint-imports
    {{python}} -m pytest

# Make the environment that `check` wants.
setup:
    python3 -m venv .venv && .venv/bin/pip install -e '.[dev]'

# Run the tests on all cores.
test *args:
    {{python}} -m pytest -n auto {{args}}

# Put formatting and simple findings right.
fix:
    .venv/bin/ruff check --fix
    .venv/bin/ruff format

# Run everything from a clean clone of the last commit.
ci:
    #!/usr/bin/env bash
    set -euo pipefail
    clone=$(mktemp -d)
    trap 'rm -rf "$clone"' EXIT
    git clone --quiet . "$clone"
    "$clone/.ci/run"
