"""Which programs do what, for breadcrumbs.  Data only; `shell` reads commands with it."""

import re


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


SHELLS = _set("bash sh zsh dash fish ksh powershell pwsh cmd")
SILENT = _set(
    """cd pushd popd export set unset source . true false : echo printf sleep mkdir touch chmod
    test [ [[ for while read local return exit trap wait shopt alias eval clear date which type
    command where Write-Host Write-Output Set-Location New-Item Start-Sleep"""
)
"""They prepare or decorate; what comes after them says what was done."""

RUNNERS: dict[str, frozenset[str]] = {
    **{
        name: frozenset()
        for name in "sudo doas env time timeout nohup nice xargs npx bunx pipx stdbuf command exec".split()
    },
    "uv": _set("run tool"),
    "uvx": frozenset(),
    "poetry": _set("run"),
    "pipenv": _set("run"),
    "pdm": _set("run"),
    "hatch": _set("run"),
    "rye": _set("run"),
    "mise": _set("exec x"),
    "bundle": _set("exec"),
    "pnpm": _set("exec dlx"),
    "yarn": _set("dlx exec"),
    "npm": _set("exec"),
    "conda": _set("run"),
    "direnv": _set("exec"),
    "rtk": frozenset(),
}
"""Programs that run another program; with words, only when one of them comes next."""

VERBS: dict[str, str] = {
    **dict.fromkeys(
        """pytest py.test unittest tox nox jest vitest mocha ava rspec phpunit ctest bats nextest
        playwright cypress karma tape nose2 behave cucumber gotestsum""".split(),
        "ran tests",
    ),
    **dict.fromkeys(
        """ruff mypy eslint prettier black flake8 pylint pyright isort golangci-lint shellcheck
        rubocop clippy gofmt goimports rustfmt pre-commit stylelint biome lint-imports staticcheck
        markdownlint yamllint shfmt clang-format clang-tidy ktlint swiftlint bandit""".split(),
        "linted",
    ),
    **dict.fromkeys(
        """tsc webpack vite rollup esbuild cmake ninja turbo nx next astro parcel meson gcc g++
        clang javac rustc xcodebuild hugo mkdocs""".split(),
        "built",
    ),
    **dict.fromkeys(
        """cat head tail less more sed nl bat awk wc jq yq xxd hexdump strings file stat
        Get-Content""".split(),
        "read",
    ),
    **dict.fromkeys(
        "grep egrep fgrep rg ag ack find fd fdfind locate Select-String".split(), "searched"
    ),
    **dict.fromkeys(
        "ls tree pwd dir du df ps env printenv whoami uname Get-ChildItem".split(), "listed"
    ),
    **dict.fromkeys(
        "curl wget http https httpie xh Invoke-WebRequest Invoke-RestMethod".split(), "fetched"
    ),
    **dict.fromkeys("Set-Content Add-Content Out-File".split(), "edited"),
}
INTERPRETERS = _set("python python3 py node ruby perl deno bun php")
INSTALLS: dict[str, frozenset[str]] = {
    **{
        name: _set("install add")
        for name in "pip pip3 apt apt-get brew dnf yum gem cargo go conda choco winget scoop".split()
    },
    **{name: _set("install i add ci") for name in "npm pnpm yarn bun".split()},
    "uv": _set("add sync"),
    "poetry": _set("add install"),
    "bundle": _set("install"),
    "composer": _set("install require"),
    "mise": _set("install use"),
    "go": _set("get install"),
    "rustup": _set("install"),
    "apk": _set("add"),
}
SUBCOMMANDS: dict[str, frozenset[str]] = {
    **{name: frozenset() for name in INSTALLS},
    "git": _set(
        """add am apply archive bisect blame branch checkout cherry-pick clean clone commit config
        describe diff fetch grep init log ls-files merge mv pull push rebase reflog remote reset
        restore rev-parse revert rm show stash status submodule switch tag worktree"""
    ),
    "gh": _set("api auth browse cache gist issue label pr release repo run search secret workflow"),
    "docker": _set("build compose exec images logs ps pull push run start stop inspect network"),
    "kubectl": _set("apply get describe logs delete exec rollout scale port-forward"),
    "systemctl": _set("start stop restart status enable disable"),
    "launchctl": _set("load unload bootstrap bootout kickstart list"),
    "terraform": _set("plan apply init validate destroy fmt"),
    **{
        name: frozenset()
        for name in "make just task rake gradle gradlew mvn mvnw dotnet swift mix sbt stack cabal zig flutter dart deno bazel ant".split()
    },
}
_TASK_VERBS = (
    (
        "ran tests",
        re.compile(
            r"(?:.*[:_-])?(?:tests?|spec|check|verify|e2e|nextest|unittest|test-\w+|test:.*)\Z"
        ),
    ),
    (
        "linted",
        re.compile(
            r"(?:.*[:_-])?(?:lint|fmt|format|vet|clippy|typecheck|type-check|tsc)(?:[:_-].*)?\Z"
        ),
    ),
    (
        "built",
        re.compile(
            r"(?:.*[:_-])?(?:build|compile|assemble|package|bundle|dist|release|all)(?:[:_-].*)?\Z"
        ),
    ),
)
_TASK_PROGRAMS = _set(
    """make just task rake gradle gradlew mvn mvnw dotnet swift mix sbt stack cabal zig flutter dart
    deno bazel ant cargo go npm pnpm yarn bun mise docker test tests build lint"""
)


def task_verb(program: str, task: str) -> str:
    """Return what a task of a task runner does by its name, or "".

    >>> task_verb("npm", "test:unit"), task_verb("cargo", "build"), task_verb("make", "")
    ('ran tests', 'built', 'built')
    """
    if program not in _TASK_PROGRAMS:
        return ""
    if not task and program in ("make", "ant"):
        return "built"
    if program in ("test", "tests", "build", "lint"):
        task = program
    if program == "cargo" and task == "check":
        return "built"
    return next((verb for verb, name in _TASK_VERBS if name.match(task)), "")
