"""`scry check`: is everything sound?"""

import os
import stat
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from scry.app import App
from scry.check import Finding, ordered, sound
from scry.commands import answer, plural, verb
from scry.errors import ConfigError, Exit


@verb("check")
@click.option("--deep", is_flag=True, help="Let git check every object as well.")
def command(app: App, *, deep: bool, as_json: bool) -> Exit | None:
    """Check that everything is sound, and say what to do about the rest.

    Looks at files, links, permissions and the configuration.
    """
    from scry.check import check

    findings = check(
        app.reader.load(),
        has_evidence=lambda episode: bool(app.reader.evidence(episode.id)),
        has_transcript=lambda episode: app.unshow(episode.span.path).exists(),
    )
    findings = ordered([*findings, *_machine(app), *(_git(app) if deep else ())])
    fine = sound(findings)
    data = {"ok": fine, "findings": [asdict(finding) for finding in findings]}
    answer(as_json, data, _text(findings))
    return None if fine else Exit.NO


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
