"""`scry check`: is everything sound?"""

import os
import stat
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from scry.app import App
from scry.commands import answer, plural, verb
from scry.errors import ConfigError, Exit
from scry.finding import Finding, ordered, sound


@verb("check")
@click.option("--deep", is_flag=True, help="Let git check every object as well.")
@click.option(
    "--fix", "fixes", is_flag=True, help="Put right what needs no decision, as one commit."
)
def command(app: App, *, deep: bool, fixes: bool, as_json: bool) -> Exit | None:
    """Check that everything is sound, and say what to do about the rest.

    Looks at files, links, permissions and the configuration.
    """
    from scry.check import check

    fixed = _fix(app) if fixes else {}
    findings = check(
        app.reader.load(),
        has_evidence=lambda episode: bool(app.reader.evidence(episode.id)),
        has_transcript=lambda episode: app.unshow(episode.span.path).exists(),
    )
    findings = ordered([*findings, *_machine(app), *(_git(app) if deep else ())])
    fine = sound(findings)
    data = {"ok": fine, "findings": [asdict(finding) for finding in findings], **fixed}
    answer(as_json, data, "\n".join([*_fixed_lines(fixed), _text(findings)]))
    return None if fine else Exit.NO


def _fix(app: App) -> dict[str, Any]:
    """Put right what needs no decision; return the commit, what was changed and what was left."""
    from scry.fixing import fix

    _ = app.reader  # A missing store is said, not made.
    done = fix(app.ingest(), app.store(), app.now)
    return {"commit": done.applied.commit, "fixed": done.lines, "left": done.left}


def _fixed_lines(fixed: dict[str, Any]) -> list[str]:
    if not fixed:
        return []
    lines = [f"fixed   {line}" for line in fixed["fixed"]]
    lines += [f"left    {line}" for line in fixed["left"]]
    short = fixed["commit"][:10]
    lines += [f"Commit {short}; `git revert {short}` in the store takes it back."] if short else []
    return lines or ["There was nothing to put right without a decision."]


def _machine(app: App) -> Iterator[Finding]:
    """What only this machine knows: who else may read, and whether the configuration is right."""
    config = app.home / "config.yaml"
    yield from _open_to_others(app.store_path, "store", 0o700)
    yield from _open_to_others(config, "configuration", 0o600)
    try:
        _ = app.config
    except ConfigError as error:
        yield Finding(
            id="config",
            level="error",
            path=str(config),
            message=str(error),
            remedy="Put the file right in an editor.",
        )


def _open_to_others(path: Path, what: str, mode: int) -> Iterator[Finding]:
    if os.name != "posix" or not path.exists():
        return
    found = stat.S_IMODE(path.stat().st_mode)
    if found & 0o077:
        yield Finding(
            id="open-to-others",
            level="warning",
            path=str(path),
            message=f"Others on this machine may read the {what} (mode {found:o}).",
            remedy=f"chmod {mode:o} {path}",
        )


def _git(app: App) -> Iterator[Finding]:
    """What git itself finds: objects that are missing or spoilt."""
    from scry.store.gitrun import Git, GitError

    shape = ("--full", "--strict", "--no-dangling", "--no-progress")
    try:
        said = Git(app.store_path).run("fsck", *shape).decode("utf-8", "replace")
    except GitError as error:
        said = error.said or "git found damage and did not say what."
    for line in said.splitlines():
        yield Finding(
            id="git",
            level="error",
            path=".git",
            message=line,
            remedy="Clone the store from a remote or a backup, and copy over what it lacks.",
        )


def _text(findings: list[Finding]) -> str:
    if not findings:
        return "Everything is sound."
    lines = []
    for finding in findings:
        where = f"{finding.path}:{finding.line}" if finding.line is not None else finding.path
        lines += [f"{finding.level:7} {where}: {finding.message}", f"        {finding.remedy}"]
    return "\n".join([*lines, f"{plural(len(findings), 'finding')}."])
